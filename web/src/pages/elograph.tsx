// elograph.tsx - the Elo difference over the games of a match, with its error band.
// SPDX-License-Identifier: MIT
import { minus, t } from "../messages";

interface EloPoint {
	games: number;
	elo: number;
	error: number;
}

/** A round step that results in about this number of lines. */
function stepOf(range: number, lines: number): number {
	const raw = range / lines;
	const power = 10 ** Math.floor(Math.log10(raw));
	return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw) ?? raw;
}

export function EloGraph({ points, name }: { points: EloPoint[]; name: string }) {
	const end = points[points.length - 1];
	if (!end || points.length < 2)
		return <p class="none">{t("match.graphLater")}</p>;
	/* The first few games have huge errors, so the later ones set the scale. */
	const settled = points.slice(Math.floor(points.length / 4));
	const top = Math.max(20, ...settled.map((point) => point.elo + point.error));
	const low = Math.min(-20, ...settled.map((point) => point.elo - point.error));
	const width = 400, height = 190, left = 44, bottom = 24;
	const from = points[0]?.games ?? 0, span = Math.max(1, end.games - from);
	const x = (games: number) => left + ((width - left - 8) * (games - from)) / span;
	const y = (elo: number) => 8 + ((height - bottom - 8) * (top - Math.min(top, Math.max(low, elo)))) / (top - low);
	const place = (games: number, elo: number) => `${x(games).toFixed(1)} ${y(elo).toFixed(1)}`;
	const upper = points.map((point) => place(point.games, point.elo + point.error));
	const lower = points.map((point) => place(point.games, point.elo - point.error)).reverse();
	const step = stepOf(top - low, 5);
	const marks = [];
	for (let elo = Math.ceil(low / step) * step; elo <= top; elo += step)
		marks.push(elo);
	const summary = t("match.eloSummary", { name, games: end.games, elo: signed(end.elo), error: Math.round(end.error) });
	return (
		<figure class="elo">
			<svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary}>
				{marks.map((elo) => (
					<g key={elo}>
						<path class={Math.abs(elo) < step / 2 ? "zero" : "rule"} d={`M${left} ${y(elo)}H${width - 8}`} />
						<text x={left - 8} y={y(elo)} dy="0.35em" text-anchor="end">{signed(elo)}</text>
					</g>
				))}
				<path class="band" d={`M${upper.join("L")}L${lower.join("L")}Z`} />
				<path class="curve" d={`M${points.map((point) => place(point.games, point.elo)).join("L")}`} />
				<text x={left} y={height - 6}>{from}</text>
				<text x={width - 8} y={height - 6} text-anchor="end">{t("match.graphGames", { n: end.games })}</text>
			</svg>
			<figcaption>{summary}</figcaption>
		</figure>
	);
}

export function signed(number: number): string {
	const round = Math.round(number);
	return round > 0 ? `+${round}` : minus(round);
}
