// RatingGraph.tsx - your rating against the levels of a game, over the games.
// SPDX-License-Identifier: MIT
import { capital } from "../board/text";
import { t } from "../messages";
import type { Game } from "../types";
import { levelBeaten, type RatedGame } from "./ratings";

const WIDTH = 460, HEIGHT = 220, LEFT = 96, RIGHT = 10, TOP = 10, BOTTOM = 26;
const NAME_HEIGHT = 15;
const ROWS_MOST = 100; // of the table

interface GraphProps {
	game: Game;
	points: number[]; // of the levels
	course: RatedGame[];
}

function resultWord(score: number): string {
	return score === 1 ? t("history.scoreWon") : score === 0 ? t("history.scoreLost") : t("history.scoreDraw");
}

function summary({ game, points, course }: GraphProps): string {
	const { rating, deviation } = course[course.length - 1]!.after;
	const beaten = levelBeaten(rating, game, points);
	const value = t("history.ratingNow", { n: course.length, rating: Math.round(rating), range: Math.round(2 * deviation) });
	return `${value} ${beaten ? t("history.asStrongAs", { level: beaten.name }) : t("history.belowFirst")}`;
}

export function RatingGraph(props: GraphProps) {
	const { game, points, course } = props, levels = game.ladders[0]?.levels ?? [];
	const text = summary(props);
	const ratings = course.map(({ after }) => after.rating);
	const low = Math.min(...ratings, points[0] ?? 1000) - 120, high = Math.max(...ratings, points[1] ?? 1100) + 120;
	const x = (i: number) => LEFT + ((WIDTH - LEFT - RIGHT) * (i + 1)) / course.length;
	const y = (value: number) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - Math.min(high, Math.max(low, value)))) / (high - low);
	/* A name that would cover the one below it is left out. */
	const named = points.reduce<number[]>((shown, value, i) => {
		const below = points[shown[shown.length - 1] ?? -1];
		return value < low || value > high || (below !== undefined && y(below) - y(value) < NAME_HEIGHT) ? shown : [...shown, i];
	}, []);
	const place = (i: number, value: number) => `${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
	const upper = course.map(({ after }, i) => place(i, after.rating + 2 * after.deviation));
	const lower = course.map(({ after }, i) => place(i, after.rating - 2 * after.deviation)).reverse();
	const last = course.length - 1;
	return (
		<figure class="elo rating">
			<svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text}>
				{named.map((i) => (
					<g key={i}>
						<path class="rule" d={`M${LEFT} ${y(points[i]!)}H${WIDTH - RIGHT}`} />
						<text x={LEFT - 8} y={y(points[i]!)} dy="0.35em" text-anchor="end">{capital(levels[i]!.name)}</text>
					</g>
				))}
				{course.length > 1 ? <>
					<path class="band" d={`M${upper.join("L")}L${lower.join("L")}Z`} />
					<path class="curve" d={`M${course.map(({ after }, i) => place(i, after.rating)).join("L")}`} />
				</> : null}
				<circle class="now" cx={x(last)} cy={y(ratings[last]!)} r="5" />
				<text x={WIDTH - RIGHT} y={HEIGHT - 6} text-anchor="end">{t("history.games", { n: course.length })}</text>
			</svg>
			<figcaption>
				<p>{text}</p>
				<p class="quiet small">{t("history.ratingAbout")}</p>
				<details>
					<summary>{course.length > ROWS_MOST ? t("history.lastAsTable", { n: ROWS_MOST }) : t("history.asTable")}</summary>
					<div class="scrolls" tabIndex={0} role="group" aria-label={t("history.ratingTable")}>
						<table>
							<thead><tr><th scope="col">{t("history.date")}</th><th scope="col">{t("history.opponent")}</th><th scope="col">{t("history.result")}</th><th scope="col">{t("history.rating")}</th></tr></thead>
							<tbody>
								{[...course].reverse().slice(0, ROWS_MOST).map(({ level, score, ended, after }, i) => (
									<tr key={i}>
										<td>{new Date(ended * 1000).toLocaleDateString(LANGUAGE)}</td>
										<td>{capital(level.name)}</td>
										<td>{resultWord(score)}</td>
										<td>{Math.round(after.rating)}</td>
									</tr>
								))}
							</tbody>
						</table>
					</div>
				</details>
			</figcaption>
		</figure>
	);
}
