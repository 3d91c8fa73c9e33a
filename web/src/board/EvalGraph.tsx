// EvalGraph.tsx - the evaluation over a game; a click on a point goes to that move.
// SPDX-License-Identifier: MIT
import { t } from "../messages";

interface EvalGraphProps {
	side: string; // the name of the first seat's side
	shares: (number | null)[]; // expected score of the first seat, 0 to 1, at the start and after each move; null: unknown
	at?: number; // the current point
	onPick?(at: number): void;
	names?: string[]; // of the moves, for the description of a point
	marks?: GraphMark[]; // mistakes
}

export interface GraphMark {
	at: number; // a point
	tone: string; // its class
}

const WIDE = 600;
const HIGH = 120;

export function EvalGraph({ side, shares, at, onPick, names, marks }: EvalGraphProps) {
	const step = WIDE / Math.max(1, shares.length - 1);
	const known = shares.flatMap((share, i) => (share === null ? [] : [{ x: i * step, y: HIGH * (1 - share) }]));
	const [first] = known, last = known[known.length - 1];
	const line = known.map(({ x, y }, i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
	const area = first && last ? `${line}L${last.x} ${HIGH}L${first.x} ${HIGH}Z` : "";
	const pick = (event: MouseEvent) => {
		const box = (event.currentTarget as Element).getBoundingClientRect();
		const i = Math.round(((event.clientX - box.left) / Math.max(1, box.width)) * (shares.length - 1));
		onPick?.(Math.min(shares.length - 1, Math.max(0, i)));
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		if (!way || !onPick)
			return;
		event.preventDefault();
		onPick(Math.min(shares.length - 1, Math.max(0, (at ?? 0) + way)));
	};
	const now = at === undefined ? undefined : shares[at];
	return (
		<svg class="eval-graph" viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" role="slider" tabindex={0}
			aria-label={t("board.evaluationGraph")} aria-valuemin={0} aria-valuemax={Math.max(0, shares.length - 1)}
			aria-valuenow={at ?? 0} aria-valuetext={pointText(at ?? 0, now, side, names)} onClick={pick} onKeyDown={onKeyDown}>
			<rect class="graph-back" width={WIDE} height={HIGH} />
			<path class="graph-area" d={area} />
			<path class="graph-zero" d={`M0 ${HIGH / 2}H${WIDE}`} />
			<path class="graph-line" d={line} />
			{marks?.map(({ at: point, tone }) => {
				const share = shares[point] ?? null;
				return share === null ? null : <path key={point} class={`graph-mark ${tone}`} d={`M${(point * step).toFixed(1)} ${(HIGH * (1 - share)).toFixed(1)}h0.01`} />;
			})}
			{at === undefined ? null : <path class="graph-now" d={`M${(at * step).toFixed(1)} 0V${HIGH}`} />}
		</svg>
	);
}

function pointText(at: number, share: number | null | undefined, side: string, names: string[] | undefined): string {
	const name = names?.[at - 1];
	const place = at === 0 ? t("board.graphStart") : name ? t("board.graphMoveName", { n: at, name }) : t("board.graphMove", { n: at });
	return share === null || share === undefined ? place : t("board.graphPoint", { place, percent: Math.round(share * 100), side });
}
