// ScorePanel.tsx - the score history of the four factions; a click or the arrow keys go to a turn.
// SPDX-License-Identifier: MIT
import { minus, t } from "../messages";
import { factionName } from "./commands";
import type { Course } from "./course";
import { Mark } from "./EmpirePanel";
import { FACTIONS } from "./galaxy";

export interface ScorePoint {
	ply: number; // commands so far
	turn: number; // the full turn, from 1
	seat: number; // the faction whose turn ended
	scores: number[];
}

/** The scores at the end of each faction's turn. */
export function scorePoints(course: Course): ScorePoint[] {
	return course.steps.flatMap(({ move, seat, scores, position }, i) => {
		const next = Number(/ turn=(\d+) /.exec(position)?.[1] ?? 1), mover = Number(/ move=(\d) /.exec(position)?.[1] ?? 1);
		return move === "end" && scores ? [{ ply: i + 1, turn: mover > seat || mover === seat ? next : next - 1, seat, scores }] : [];
	});
}

const MANY = 40;

/** In a long game only the ends of full turns, and the last point: scores fluctuate within a turn. */
export function calmed(points: ScorePoint[]): ScorePoint[] {
	return points.length <= MANY ? points : points.filter(({ turn }, i) => turn !== points[i + 1]?.turn);
}

const WIDE = 600, HIGH = 220, LEFT = 52, FOOT = 26, TOP = 10, RIGHT = 14;

/** A round step that results in about this number of lines. */
function stepOf(range: number, lines: number): number {
	const raw = Math.max(1, range / lines), power = 10 ** Math.floor(Math.log10(raw));
	return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw) ?? raw;
}

function pointText({ turn, seat, scores }: ScorePoint): string {
	return t("starchess.scorePoint", { turn, faction: factionName(seat), scores: FACTIONS.map((faction) => `${factionName(faction)} ${minus(scores[faction - 1] ?? 0)}`).join(", ") });
}

export function ScorePanel({ course, ply, onPly }: { course: Course; ply: number | null; onPly(ply: number): void }) {
	const points = calmed(scorePoints(course));
	const last = points[points.length - 1];
	return (
		<details class="card scores" open>
			<summary><h2>{t("starchess.scoreHistory")}</h2></summary>
			{points.length < 2 || !last ? <p class="small quiet">{t("starchess.scoreLater")}</p> : (
				<>
					<Graph points={points} ply={ply} onPly={onPly} />
					<p class="row small keys-of">{FACTIONS.map((faction) => (
						<span key={faction}><Mark faction={faction} />{factionName(faction)} {minus(last.scores[faction - 1] ?? 0)}</span>
					))}</p>
				</>
			)}
		</details>
	);
}

function Graph({ points, ply, onPly }: { points: ScorePoint[]; ply: number | null; onPly(ply: number): void }) {
	const all = points.flatMap(({ scores }) => scores);
	const low = Math.min(0, ...all), high = Math.max(10, ...all);
	const x = (i: number) => LEFT + (WIDE - LEFT - RIGHT) * i / (points.length - 1);
	const y = (score: number) => TOP + (HIGH - TOP - FOOT) * (high - score) / (high - low);
	const step = stepOf(high - low, 4);
	const rules = Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, i) => (Math.ceil(low / step) + i) * step);
	const turns = points.flatMap(({ turn }, i) => (turn !== points[i - 1]?.turn ? [{ turn, i }] : []));
	const each = stepOf(turns.length, 8);
	const at = ply === null ? points.length - 1 : Math.max(0, points.filter((point) => point.ply <= ply).length - 1);
	const pick = (i: number) => {
		const point = points[Math.min(points.length - 1, Math.max(0, i))];
		if (point)
			onPly(point.ply);
	};
	return (
		<svg class="score-graph" viewBox={`0 0 ${WIDE} ${HIGH}`} role="slider" tabindex={0} aria-label={t("starchess.scoreHistory")} aria-valuemin={0}
			aria-valuemax={points.length - 1} aria-valuenow={at} aria-valuetext={points[at] ? pointText(points[at]) : ""}
			onClick={(event) => {
				const box = event.currentTarget.getBoundingClientRect();
				const place = (event.clientX - box.left) / Math.max(1, box.width) * WIDE;
				pick(Math.round((place - LEFT) / (WIDE - LEFT - RIGHT) * (points.length - 1)));
			}}
			onKeyDown={(event) => {
				const way = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageUp: 4, PageDown: -4 }[event.key];
				if (!way)
					return;
				event.preventDefault();
				event.stopPropagation();
				pick(at + way);
			}}>
			{rules.map((score) => (
				<g key={score}>
					<path class={score === 0 ? "zero" : "rule"} d={`M${LEFT} ${y(score)}H${WIDE - RIGHT}`} />
					<text x={LEFT - 8} y={y(score)} dy="0.35em" text-anchor="end">{score}</text>
				</g>
			))}
			{turns.filter(({ turn }) => turn === 1 || turn % each === 0).map(({ turn, i }) => <text key={turn} x={x(i)} y={HIGH - 6} text-anchor="middle">{turn}</text>)}
			{FACTIONS.map((faction) => (
				<path key={faction} class={`curve of-${faction}`} d={`M${points.map(({ scores }, i) => `${x(i).toFixed(1)} ${y(scores[faction - 1] ?? 0).toFixed(1)}`).join("L")}`} />
			))}
			<path class="now" d={`M${x(at).toFixed(1)} ${TOP}V${HIGH - FOOT}`} />
		</svg>
	);
}
