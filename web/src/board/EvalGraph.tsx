// EvalGraph.tsx - the evaluation over a game; a click on a point goes to that move.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { t } from "../messages";

interface EvalGraphProps {
	side: string; // the name of the first seat's side
	shares: (number | null)[]; // expected score of the first seat, 0 to 1, at the start and after each move; null: unknown
	at?: number; // the current point
	onPick?(at: number): void;
	names: string[]; // of the moves, with their numbers: "12. Nf3"
	texts?: (string | undefined)[]; // the scores of the points, as read aloud: "+0.35", "White mates in 2"
	marks?: GraphMark[]; // mistakes
}

export interface GraphMark {
	at: number; // a point
	tone: string; // its class
}

const WIDE = 600;
const HIGH = 120;

export function EvalGraph({ side, shares, at, onPick, names, texts, marks }: EvalGraphProps) {
	const [hovered, setHovered] = useState<number | null>(null);
	const step = WIDE / Math.max(1, shares.length - 1);
	const known = shares.flatMap((share, i) => (share === null ? [] : [{ x: i * step, y: HIGH * (1 - share) }]));
	const [first] = known, last = known[known.length - 1];
	const line = known.map(({ x, y }, i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
	const area = first && last ? `${line}L${last.x} ${HIGH}L${first.x} ${HIGH}Z` : "";
	const pointAt = (event: MouseEvent) => {
		const box = (event.currentTarget as Element).getBoundingClientRect();
		const i = Math.round(((event.clientX - box.left) / Math.max(1, box.width)) * (shares.length - 1));
		return Math.min(shares.length - 1, Math.max(0, i));
	};
	const tell = (point: number) => pointText(point, shares[point] ?? null, side, names[point - 1], texts?.[point]);
	const onKeyDown = (event: KeyboardEvent) => {
		const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		if (!way || !onPick)
			return;
		event.preventDefault();
		onPick(Math.min(shares.length - 1, Math.max(0, (at ?? 0) + way)));
	};
	return (
		<svg class="eval-graph" viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" role="slider" tabindex={0}
			aria-label={t("board.evaluationGraph")} aria-valuemin={0} aria-valuemax={Math.max(0, shares.length - 1)}
			aria-valuenow={at ?? 0} aria-valuetext={tell(at ?? 0)} onClick={(event) => onPick?.(pointAt(event))} onKeyDown={onKeyDown}
			onPointerMove={(event) => setHovered(pointAt(event))} onPointerLeave={() => setHovered(null)}>
			{hovered === null ? null : <title>{tell(hovered)}</title>}
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

/** "2. f6: +2, 55% for Black". */
export function pointText(at: number, share: number | null, side: string, name = "", text = ""): string {
	const place = at === 0 ? t("board.graphStart") : name;
	if (share === null)
		return place;
	const percent = `${Math.round(share * 100)}%`;
	return t("board.graphPoint", { place, score: text && text !== percent ? `${text}, ${percent}` : percent, side });
}
