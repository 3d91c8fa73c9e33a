// entry.ts - how clicks become moves: each one narrows the legal moves by the cells that enter them.
// SPDX-License-Identifier: MIT
import type { Board, Move } from "../types";

/** The cells a move shows on, from where to where. */
export function touchesOf(move: Move | undefined): number[] {
	return move?.touches ?? move?.clicks ?? [];
}

/** Moves whose clicks begin with these. */
export function matching(moves: Move[], clicks: number[]): Move[] {
	return moves.filter((move) => move.clicks.length >= clicks.length && move.clicks.length > 0 &&
		clicks.every((cell, i) => move.clicks[i] === cell));
}

/** The cells that carry on an entry. */
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
 * What a click on a cell leads to:
 * - clicks: the entry so far (empty: nothing selected)
 * - play: moves that are complete; more than one is a choice
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
	const anew = standIn(board, targets(moves, []), cell);
	return clicks.length && anew !== null ? settle(moves, [anew]) : { clicks: [], play: [] };
}

/** The cell itself, or the one of its group that carries on. */
function standIn(board: Board, next: Set<number>, cell: number): number | null {
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

/** Complete moves are played when nothing longer begins the same way; else they wait for more clicks. */
function settle(moves: Move[], clicks: number[]): Step {
	const left = matching(moves, clicks);
	const complete = left.filter((move) => move.clicks.length === clicks.length);
	if (complete.length === left.length)
		return { clicks: [], play: complete };
	return { clicks, play: [] };
}

/** Moves that a drag from one cell to another means: by their clicks, or by where they show. */
export function dragged(board: Board, moves: Move[], from: number, to: number): Move[] {
	const reaches = (cells: number[]) => cells.length === 2 && cells[0] === from &&
		standIn(board, new Set([cells[1] ?? -1]), to) !== null;
	const byClicks = moves.filter((move) => reaches(move.clicks));
	return byClicks.length ? byClicks : moves.filter((move) => reaches(touchesOf(move)));
}

/** The clicks that all of these moves begin with, if each goes on from there with one more; null: they must be told apart otherwise. */
export function begun(moves: Move[]): number[] | null {
	const [first, ...others] = moves;
	const shared = first?.clicks.filter((_, i, all) => others.every(({ clicks }) => all.slice(0, i + 1).every((cell, j) => clicks[j] === cell))) ?? [];
	return others.length && shared.length && moves.every(({ clicks }) => clicks.length > shared.length) ? shared : null;
}

/** Cells that a drag could begin at. */
export function canDrag(moves: Move[], from: number): boolean {
	const begins = (cells: number[]) => cells.length === 2 && cells[0] === from;
	return moves.some((move) => begins(move.clicks) || begins(touchesOf(move)));
}

/** Moves that no click enters: they get buttons. */
export function unclicked(moves: Move[]): Move[] {
	return moves.filter((move) => !move.clicks.length);
}
