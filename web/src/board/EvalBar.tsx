// EvalBar.tsx - the evaluation bar: the expected score of the first seat.
// SPDX-License-Identifier: MIT
import { useEffect, useRef } from "preact/hooks";
import { t } from "../messages";

interface EvalBarProps {
	side: string; // the name of the first seat's side
	share: number | null; // 0 to 1, for the first seat; null: unknown
	text?: string; // "+1.2", "#2"
	spoken?: string; // the same as read aloud: "White mates in 2"
	paints?: [string, string]; // colours of the two sides
	upright?: boolean; // vertical, next to the board; else horizontal, under it
	turned?: boolean; // the second seat is at the bottom
}

export function EvalBar({ side, share, text, spoken = text, paints = ["light", "dark"], upright = true, turned = false }: EvalBarProps) {
	const bar = useRef<HTMLDivElement>(null);
	const known = share ?? 0.5;
	const percent = Math.round(Math.min(1, Math.max(0, known)) * 100);
	useEffect(() => bar.current?.style.setProperty("--share", `${percent}%`), [percent]);
	return (
		<div ref={bar} role="meter" aria-label={t("board.evaluationFor", { side })} aria-valuemin={0} aria-valuemax={100}
			aria-valuenow={percent} aria-valuetext={share === null ? t("board.unknown") : spoken && spoken !== `${percent}%` ? `${spoken}, ${percent}%` : `${percent}%`}
			title={spoken}
			class={`eval-bar ${upright ? "upright" : "lying"}${turned ? " turned" : ""}${share === null ? " unknown" : ""}
				first-${paints[0]} second-${paints[1]}`}>
			<div class="eval-first" />
			{text ? <span class={percent >= 50 ? "at-first" : "at-second"}>{text}</span> : null}
		</div>
	);
}
