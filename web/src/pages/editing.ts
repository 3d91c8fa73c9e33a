// editing.ts - what an editor tool does to the pieces on the board: pure functions.
// SPDX-License-Identifier: MIT
import type { Board, Standing } from "../types";

export type Tool =
	| { kind: "piece"; piece: number; count: number; over?: boolean }
	| { kind: "eraser"; over?: boolean }
	| { kind: "hand"; over?: boolean };

/** The largest number of a piece on one cell. */
export function mostOf(board: Board, piece: number): number {
	return Math.max(1, board.pieces[piece]?.most ?? 1);
}

function without(standing: Standing[], cell: number): Standing[] {
	return standing.some(([at]) => at === cell) ? standing.filter(([at]) => at !== cell) : standing;
}

/**
 * A press on a cell. The same piece is removed; where a cell holds several, each press adds one more until
 * the maximum, and the next press removes all. With `over` the piece stays, so that a drag paints.
 */
export function editCell(board: Board, standing: Standing[], cell: number, tool: Tool): Standing[] {
	if (tool.kind === "hand")
		return standing;
	if (tool.kind === "eraser")
		return without(standing, cell);
	const most = mostOf(board, tool.piece);
	const count = Math.min(tool.count, most);
	const there = standing.find(([at]) => at === cell);
	if (there?.[1] !== tool.piece)
		return [...without(standing, cell), [cell, tool.piece, count]];
	if (tool.over)
		return standing;
	const more = there[2] + count;
	return more > most ? without(standing, cell) : [...without(standing, cell), [cell, tool.piece, more]];
}

/** Moves the pieces of a cell to another one and replaces what was there. */
export function toMove(standing: Standing[], from: number, to: number): Standing[] {
	const carried = standing.find(([at]) => at === from);
	if (!carried || from === to)
		return standing;
	return [...without(without(standing, from), to), [to, carried[1], carried[2]]];
}
