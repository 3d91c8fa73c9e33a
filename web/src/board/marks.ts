// marks.ts - what is marked on a board, and the edges that make a mark visible on every board.
// SPDX-License-Identifier: MIT
import type { Board, View } from "../types";

export type MarkKind = "last" | "selected" | "hover" | "must" | "check" | "won" | "focus";

/**
 * The lines of each mark, from the outside. A bright colour needs a dark line beside it; a colour of middle brightness needs a dark
 * and a light one. So one of them has a contrast of 3:1 to any board (tests: web/test/marks.test.ts).
 */
export const EDGES: Record<MarkKind, ("dark" | "core" | "light")[]> = {
	last: ["dark", "core"],
	selected: ["dark", "core"],
	hover: ["core", "dark"],
	must: ["dark", "core"],
	check: ["dark", "core", "light"],
	won: ["dark", "core", "light"],
	focus: ["dark", "core", "light"],
};

type Seen = Pick<View, "standing"> & { over?: boolean };

/** The meaning of a cell that the game marks: a king in check, a part of the row that won, or a piece that must act now. */
export function meaningOf(board: Board, view: Seen, cell: number): "check" | "won" | "must" {
	const piece = view.standing.find(([at]) => at === cell)?.[1] ?? -1;
	/* Draughts has kings, too, but nothing gives them check. */
	if (/\bking$/.test(board.pieces[piece]?.name ?? "") && board.pieces.some(({ name }) => /\bpawn$/.test(name)))
		return "check";
	return view.over === false ? "must" : "won";
}

/** The rows of the board that the last move has filled with pieces of one kind: a mill, or four in a line. */
export function fullRows(board: Board, view: Pick<View, "standing" | "last">): number[][] {
	const pieces = new Map(view.standing.map(([cell, piece]) => [cell, piece]));
	const touched = view.last?.touches ?? [];
	return (board.rows ?? []).filter(([first = -1, ...others]) => pieces.has(first) && others.every((cell) => pieces.get(cell) === pieces.get(first)) &&
		[first, ...others].some((cell) => touched.includes(cell)));
}

/** The rows through a cell that the side can still fill. */
export function openRows(board: Board, view: Pick<View, "standing" | "seat">, cell: number): number[][] {
	const others = new Set(view.standing.filter(([, piece]) => board.pieces[piece]?.seat !== view.seat).map(([at]) => at));
	return (board.rows ?? []).filter((row) => row.includes(cell) && !row.some((at) => others.has(at)));
}
