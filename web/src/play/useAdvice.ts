// useAdvice.ts - a hint for the current position: an arrow and its line as text.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import type { Arrow } from "../board/props";
import { listen } from "../engine/ask";
import type { AnalysisLine } from "../types";
import { announce } from "../ui/announce";
import { toastError } from "../ui/toast";

const HINT_MS = 1500;

export interface Where {
	game: string;
	position: string;
	moves: string[];
}

/** The best line so far, while `on`; null: none yet. */
export function useHint(on: boolean, where: Where): AnalysisLine | null {
	const [line, setLine] = useState<AnalysisLine | null>(null);
	const key = JSON.stringify(where);
	useEffect(() => {
		setLine(null);
		if (!on)
			return;
		return listen("analysis", { ...where, lines: 1, time: HINT_MS, book: true }, {
			message({ lines: [best], done }) {
				setLine(best ?? null);
				if (best && done)
					announce(hintText(best));
			},
			error: toastError,
		});
	}, [on, key]);
	return line;
}

export function hintArrows(line: AnalysisLine | null): Arrow[] {
	return line ? [{ touches: line.touches, kind: "hint" }] : [];
}

export function hintText(line: AnalysisLine): string {
	const value = line.proven && line.score !== 0
		? ` (${line.score > 0 ? "wins" : "loses"}${line.in ? ` in ${line.in}` : ""})`
		: line.proven ? " (a forced draw)" : line.book ? ` (from the book: ${line.book})` : "";
	const names = line.short_pv ?? line.pv;
	const rest = names.slice(1, 8).join(" ");
	return `Hint: ${names[0] ?? line.move}${value}${rest ? `, then ${rest}` : ""}`;
}
