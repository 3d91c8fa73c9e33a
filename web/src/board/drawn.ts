// drawn.ts - drawings of a note as arrows on a board, and back. The colours are the four of PGN files: red, green, yellow and blue.
// SPDX-License-Identifier: MIT
import { readNote, writeNote } from "../note";
import type { Board } from "../types";
import type { Arrow } from "./props";

const COLOURS = "RGYB"; // of drawn-1, ...

/** Names such as e4 need nothing between them. */
function joined(from: string, to: string): string {
	return /^[a-z]\d+$/.test(from) && /^[a-z]\d+$/.test(to) ? from + to : `${from}-${to}`;
}

/** The cells of "e2e4" or "12-16"; empty: the board has none of that name. */
function cellsOf(text: string, cells: Map<string, number>): number[] {
	const at = (name: string) => cells.get(name) ?? -1;
	for (let i = 1; i < text.length; i++) {
		const ends = [at(text.slice(0, i)), at(text.slice(i).replace(/^-/, ""))];
		if (ends.every((cell) => cell >= 0))
			return ends;
	}
	return [];
}

export function drawnOf(note: string, board: Board): Arrow[] {
	const { arrows, circles } = readNote(note);
	if (!arrows.length && !circles.length)
		return [];
	const cells = new Map(board.cells.map(({ name }, i) => [name ?? "", i]));
	const kind = (mark: string): Arrow["kind"] => `drawn-${Math.max(0, COLOURS.indexOf(mark[0] ?? "")) + 1}`;
	return [
		...arrows.map((mark) => ({ touches: cellsOf(mark.slice(1), cells), kind: kind(mark) })),
		...circles.map((mark) => ({ touches: [cells.get(mark.slice(1)) ?? -1].filter((cell) => cell >= 0), kind: kind(mark) })),
	].filter(({ touches }) => touches.length);
}

/** The note with these drawings instead of its own. */
export function withDrawn(note: string, drawn: Arrow[], board: Board): string {
	const name = (cell: number | undefined) => board.cells[cell ?? -1]?.name ?? "";
	const colour = ({ kind }: Arrow) => COLOURS[Number(kind.replace("drawn-", "")) - 1] ?? "G";
	return writeNote({
		...readNote(note),
		arrows: drawn.filter(({ touches }) => touches.length > 1).map((one) => colour(one) + joined(name(one.touches[0]), name(one.touches[1]))),
		circles: drawn.filter(({ touches }) => touches.length === 1).map((one) => colour(one) + name(one.touches[0])),
	});
}
