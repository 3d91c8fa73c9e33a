// entry.ts - how clicks become moves: each click narrows down the legal moves.
// SPDX-License-Identifier: MIT
import type { Board, Move } from "../types";

/** The cells where a move is drawn, from start to end. */
export function touchesOf(move: Move | undefined): number[] {
	return move?.touches ?? move?.clicks ?? [];
}

/** Moves that begin with these clicks. */
export function matching(moves: Move[], clicks: number[]): Move[] {
	return moves.filter((move) => move.clicks.length >= clicks.length && move.clicks.length > 0 &&
		clicks.every((cell, i) => move.clicks[i] === cell));
}

/** The cells that can be clicked next. */
export function targets(moves: Move[], clicks: number[]): Set<number> {
	const cells = new Set<number>();
	for (const move of matching(moves, clicks)) {
		const next = move.clicks[clicks.length];
		if (next !== undefined)
			cells.add(next);
	}
	return cells;
}

/**
 * The result of a click on a cell:
 * - clicks: the clicks so far (empty: nothing selected)
 * - play: complete moves; if there are several, the user must choose
 */
export interface Step {
	clicks: number[];
	play: Move[];
}

export function click(board: Board, moves: Move[], clicks: number[], cell: number): Step {
	const next = targets(moves, clicks);
	const meant = standIn(board, next, cell);
	if (meant !== null)
		return settle(moves, [...clicks, meant]);
	if (clicks.includes(cell))
		return { clicks: [], play: [] };
	/* A piece that jumps over several can also be sent to the end of its path; if several paths end there, the user chooses. */
	const ends = clicks.length ? matching(moves, clicks).filter((move) => isPath(move) && move.clicks[move.clicks.length - 1] === cell) : [];
	if (ends.length)
		return { clicks: [], play: ends };
	const restarted = standIn(board, targets(moves, []), cell);
	return clicks.length && restarted !== null ? settle(moves, [restarted]) : { clicks: [], play: [] };
}

/** Whether the clicks after the first are the cells where the piece lands, one after the other. */
export function isPath(move: Move): boolean {
	return !move.touches && !move.ways && move.clicks.length > 2;
}

export function hasPaths(moves: Move[]): boolean {
	return moves.some(isPath);
}

/** The cell itself, or a cell of its group that can be clicked next. */
export function standIn(board: Board, next: Set<number>, cell: number): number | null {
	if (next.has(cell))
		return cell;
	const group = board.cells[cell]?.group;
	if (!group)
		return null;
	for (const other of next)
		if (board.cells[other]?.group === group)
			return other;
	return null;
}

/** Plays complete moves, unless a longer move begins with the same clicks. */
function settle(moves: Move[], clicks: number[]): Step {
	const left = matching(moves, clicks);
	const complete = left.filter((move) => move.clicks.length === clicks.length);
	if (complete.length === left.length)
		return { clicks: [], play: complete };
	return { clicks, play: [] };
}

/** The moves for a drag from one cell to another: by their clicks, or by the cells where they are drawn. */
export function dragged(board: Board, moves: Move[], from: number, to: number): Move[] {
	const reaches = (cells: number[]) => cells.length === 2 && cells[0] === from &&
		standIn(board, new Set([cells[1] ?? -1]), to) !== null;
	const byClicks = moves.filter((move) => reaches(move.clicks));
	return byClicks.length ? byClicks : moves.filter((move) => reaches(touchesOf(move)));
}

/** The common first clicks of these moves, if each needs more clicks; null: clicks do not distinguish them. */
export function sharedClicks(moves: Move[]): number[] | null {
	const [first, ...others] = moves;
	const shared = first?.clicks.filter((_, i, all) => others.every(({ clicks }) => all.slice(0, i + 1).every((cell, j) => clicks[j] === cell))) ?? [];
	return others.length && shared.length && moves.every(({ clicks }) => clicks.length > shared.length) ? shared : null;
}

/** Whether a drag can start at the cell. */
export function canDrag(moves: Move[], from: number): boolean {
	const begins = (cells: number[]) => cells.length === 2 && cells[0] === from;
	return moves.some((move) => begins(move.clicks) || begins(touchesOf(move)) || (isPath(move) && move.clicks[0] === from));
}

/** Moves without clicks, which get buttons. */
export function unclicked(moves: Move[]): Move[] {
	return moves.filter((move) => !move.clicks.length);
}
