// useAdvice.ts - a hint for the current position: an arrow and its line as text.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import type { Arrow } from "../board/props";
import { listen } from "../engine/ask";
import { t } from "../messages";
import { movesToWin } from "../pages/score";
import type { AnalysisLine } from "../types";
import { announce } from "../ui/announce";
import { toastError } from "../ui/toast";

const HINT_MS = 1500; // for the search
const SHOWN_MS = 700; // then the best move so far is the hint

export interface Where {
	game: string;
	position: string;
	moves: string[];
}

/** A hint, while `on`; null: none yet. It is shown once, when the search is done or after a moment, and does not change any more. */
export function useHint(on: boolean, where: Where): AnalysisLine | null {
	const [line, setLine] = useState<AnalysisLine | null>(null);
	const key = JSON.stringify(where);
	useEffect(() => {
		setLine(null);
		if (!on)
			return;
		let best: AnalysisLine | undefined, isLate = false;
		const show = () => {
			if (!best)
				return;
			end();
			setLine(best);
			announce(hintText(best));
		};
		const timer = setTimeout(() => {
			isLate = true;
			show();
		}, SHOWN_MS);
		const stop = listen("analysis", { ...where, lines: 1, time: HINT_MS, book: true }, {
			message({ lines: [found], done }) {
				best = found ?? best;
				if (done || isLate)
					show();
			},
			error: toastError,
		});
		const end = () => {
			clearTimeout(timer);
			stop();
		};
		return end;
	}, [on, key]);
	return line;
}

export function hintArrows(line: AnalysisLine | null): Arrow[] {
	return line ? [{ touches: line.touches, kind: "hint" }] : [];
}

export function hintText(line: AnalysisLine): string {
	const n = movesToWin(line.in ?? 0);
	const value = line.proven && line.score !== 0
		? line.score > 0 ? t("play.hintWins", { n }) : t("play.hintLoses", { n })
		: line.proven ? t("play.hintDraw") : line.book ? t("play.hintBook", { book: line.book }) : "none";
	const names = line.short_pv ?? line.pv;
	const rest = names.slice(1, 4).join(" ");
	return t("play.hint", { move: names[0] ?? line.move, value, rest: rest || "none" });
}
