// Learning.tsx - temporal-difference learning of the weights of Race!: the curve while it grows, the weights, and the last game on a board.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { BoardPicture } from "../board/BoardPicture";
import { number, t } from "../messages";
import { Failure, fetchPosition, useBoard, useLoad } from "../pages/parts";
import { turnText } from "../pages/walk";
import { colourOf } from "./chart";
import { labRequest } from "./request";
import { StepButtons, Steps } from "./Steps";
import { useClock } from "./useClock";

interface TdPoint {
	games: number;
	error: number | null;
	won: number;
	tested: number;
	weights: Record<string, number>;
}

/** A response to a slice of the games, or all of them so far. */
interface Td {
	curve: TdPoint[];
	usual: Record<string, number>; // the weights of the program's own player
	progress: string; // the start of the next slice
	moves: string[]; // of the last game
}

const SLICES = 25;
const TEST = 100; // games for each point
const PAUSE_MS = 120; // between slices, so that you can follow

const MEANING: Record<string, string> = {
	step: t("lab.weightStep"),
	entered: t("lab.weightEntered"),
	home: t("lab.weightHome"),
	block: t("lab.weightBlock"),
	risk: t("lab.weightRisk"),
	throw: t("lab.weightThrow"),
};

export function Learning() {
	const [games, setGames] = useState(1000);
	const [rate, setRate] = useState<number | null>(null);
	const [seed, setSeed] = useState(1);
	return (
		<section class="card stack" aria-labelledby="learning">
			<h2 id="learning">{t("lab.learningTitle")}</h2>
			<p class="quiet">{t("lab.learningAbout")}</p>
			<div class="row">
				<label class="field"><span>{t("lab.games")}</span>
					<select value={games} onChange={(event) => setGames(Number(event.currentTarget.value))}>
						{[200, 500, 1000, 2000, 5000, 20000].map((one) => <option key={one} value={one}>{number(one)}</option>)}
					</select>
				</label>
				<label class="field"><span>{t("lab.rate")}</span>
					<select value={rate ?? 0} onChange={(event) => setRate(Number(event.currentTarget.value) || null)}>
						<option value={0}>{t("lab.rateDefault")}</option><option value={1}>{t("lab.rateVerySlow")}</option><option value={50}>{t("lab.rateFast")}</option><option value={500}>{t("lab.rateTooFast")}</option>
					</select>
				</label>
				<label class="field"><span>{t("lab.seed")}</span>
					<input type="number" min={1} max={9999} value={seed} onChange={(event) => setSeed(Number(event.currentTarget.value) || 1)} />
				</label>
			</div>
			<Training key={`${games} ${rate} ${seed}`} plan={{ game: "race", games, every: games / SLICES, seed, test: TEST, ...(rate ? { rate } : {}) }} />
		</section>
	);
}

/** Each request plays a slice of the games and continues where the one before ended. */
function Training({ plan }: { plan: { game: string; games: number; every: number; seed: number; test: number; rate?: number } }) {
	const [found, setFound] = useState<Td | null>(null);
	const [running, setRunning] = useState(false);
	const [error, setError] = useState<string | null>(null);
	const latest = useRef<Td | null>(null);
	const round = useRef(0);
	useEffect(() => () => void round.current++, []);
	const point = found?.curve[found.curve.length - 1], isDone = point?.games === plan.games;

	const keep = (next: Td | null) => {
		latest.current = next;
		setFound(next);
	};

	async function learn(most: number): Promise<void> {
		const mine = ++round.current;
		setRunning(true);
		setError(null);
		try {
			for (let i = 0; i < most; i++) {
				const before = latest.current;
				const next = await labRequest<Td>("td", { ...plan, slice: plan.every, ...(before ? { progress: before.progress } : {}) });
				if (round.current !== mine)
					return; // stopped: the next slice begins where this one did
				keep({ ...next, curve: [...before?.curve ?? [], ...next.curve] });
				if (next.curve[next.curve.length - 1]?.games === plan.games)
					break;
				if (i + 1 < most)
					await new Promise((done) => setTimeout(done, PAUSE_MS));
				if (round.current !== mine)
					return;
			}
		} catch (reason) {
			if (round.current !== mine)
				return;
			setError(sentence(reason));
		}
		setRunning(false);
	}

	const stop = () => {
		round.current++;
		setRunning(false);
	};
	const again = () => {
		stop();
		keep(null);
	};
	return (
		<>
			<StepButtons label={t("lab.training")} isFirst={!found} isLast={isDone || running} playing={running} onFirst={again} onStep={() => void learn(1)} onToggle={() => {
				if (running)
					return stop();
				if (isDone)
					again();
				void learn(SLICES);
			}}>
				<span class="small quiet">{t("lab.learnedOf", { done: point?.games ?? 0, games: plan.games })}</span>
			</StepButtons>
			{error && <Failure error={error} />}
			<div class="lab-sample">
				<Curve curve={found?.curve ?? []} games={plan.games} running={running} />
				{found && <Weights curve={found.curve} usual={found.usual} />}
			</div>
			{found && point && point.games > 0 && !running && <LastGame key={point.games} at={point.games} moves={found.moves} />}
		</>
	);
}

function won({ won: games, tested }: TdPoint): number {
	return tested ? games / tested : 0;
}

function Curve({ curve, games, running }: { curve: TdPoint[]; games: number; running: boolean }) {
	const x = (at: number) => 50 + 540 * at / games, y = (value: number) => 10 + 190 * (1 - value);
	const last = curve[curve.length - 1];
	const text = last ? t("lab.learnedWins", { games: last.games, won: last.won, tested: last.tested }) : t("lab.noGames");
	return (
		<figure class="lab-chart">
			<figcaption class="small quiet">{t("lab.testGames")}</figcaption>
			<svg class="lab-curve" viewBox="0 0 600 232" role="img" aria-label={text}>
				{[0, 0.25, 0.5, 0.75, 1].map((value) => <g key={value}>
					<path class={value === 0.5 ? "axis half" : "axis"} d={`M50 ${y(value)}H590`} /><text x={44} y={y(value) + 4} text-anchor="end">{`${100 * value} %`}</text></g>)}
				<text x={588} y={y(0.5) + 14} text-anchor="end">{t("lab.equallyStrong")}</text>
				{curve.length > 0 && <path class="curve" d={`M${curve.map((point) => `${x(point.games).toFixed(1)} ${y(won(point)).toFixed(1)}`).join("L")}`} />}
				{curve.map((point) => <circle key={point.games} cx={x(point.games)} cy={y(won(point))} r={3.5} />)}
				<text x={50} y={222}>0</text><text x={590} y={222} text-anchor="end">{t("lab.gamesAxis", { n: games })}</text>
			</svg>
			<p class="small" role={running ? undefined : "status"}>{text}{last?.error ? ` ${t("lab.learnedError", { error: last.error.toFixed(2) })}` : ""}</p>
		</figure>
	);
}

/** The weights as they are, with a line of how they came there. */
function Weights({ curve, usual }: { curve: TdPoint[]; usual: Record<string, number> }) {
	const last = curve[curve.length - 1];
	return (
		<div class="lab-wide">
			<table class="lab-weights">
				<caption class="small quiet">{t("lab.learnedCaption")}</caption>
				<thead><tr><th scope="col">{t("lab.weight")}</th><th scope="col">{t("lab.points")}</th><th scope="col">{t("lab.soFarColumn")}</th><th scope="col">{t("lab.bestKnown")}</th></tr></thead>
				<tbody>
					{Object.keys(usual).map((name, i) => <tr key={name}>
						<th scope="row"><strong>{name}</strong><br /><span class="small quiet">{MEANING[name] ?? ""}</span></th>
						<td>{last?.weights[name] ?? 0}</td>
						<td><Spark values={curve.map(({ weights }) => weights[name] ?? 0)} colour={colourOf(i)} /></td>
						<td>{usual[name]}</td>
					</tr>)}
				</tbody>
			</table>
		</div>
	);
}

function Spark({ values, colour }: { values: number[]; colour: string }) {
	const least = Math.min(0, ...values), most = Math.max(1, ...values);
	const points = values.map((value, i) => `${(2 + 76 * i / SLICES).toFixed(1)} ${(24 - 22 * (value - least) / (most - least)).toFixed(1)}`);
	return <svg class="lab-spark" viewBox="0 0 80 26" aria-hidden="true"><path d={`M${points.join("L")}`} stroke={colour} /></svg>;
}

function LastGame({ at, moves }: { at: number; moves: string[] }) {
	const clock = useClock(moves.length, 0, 5);
	const board = useBoard("race")?.board ?? null;
	const { value: view } = useLoad(`moves ${clock.moment}`, () => fetchPosition("race", "start", moves.slice(0, clock.moment)));
	return (
		<>
			<h3>{t("lab.ownGame", { n: at })}</h3>
			<div class="lab-sample">
				{board && view && <div class="lab-board" style={{ "--aspect": board.width / board.height }}><BoardPicture board={board} view={view} title={t("lab.raceBoard")} /></div>}
				<div class="stack">
					<Steps clock={clock} label={t("lab.ownGameMoves")} text={(move) => t("lab.ofAll", { at: move, all: moves.length })} keys={false} />
					<p class="small quiet">{t("lab.ownGameAbout")}</p>
					<p role={clock.playing ? undefined : "status"}>{clock.moment ? `${moves[clock.moment - 1]}. ` : `${t("lab.atStart")} `}{view?.over ? turnText(view, board) : ""}</p>
				</div>
			</div>
		</>
	);
}
