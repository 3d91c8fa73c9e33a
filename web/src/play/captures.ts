// captures.ts - the pieces that each side has captured, by comparing the position with the start of the game, and who has more.
// SPDX-License-Identifier: MIT
import { fetchPosition, useLoad } from "../pages/parts";
import type { Board, Play, Standing, View } from "../types";
import { wordsOf } from "./words";

type Counts = Map<number, number>;

/** How many pieces of each kind a seat has on the board; those in trays do not count. */
function countOf(board: Board, standing: Standing[], seat: number): Counts {
	const counts: Counts = new Map();
	for (const [cell, piece, count] of standing)
		if (board.pieces[piece]?.seat === seat && board.cells[cell]?.tone !== "tray")
			counts.set(piece, (counts.get(piece) ?? 0) + count);
	return counts;
}

/**
 * The pieces that a seat has lost, one entry for each. A promoted piece is not lost: what a seat has gained of one kind it has not
 * lost of the kind of which most are missing.
 */
export function lostPieces(board: Board, start: Standing[], now: Standing[], seat: number): number[] {
	const before = countOf(board, start, seat), after = countOf(board, now, seat);
	const missing: Counts = new Map();
	let gained = 0;
	board.pieces.forEach((_, piece) => {
		const change = (before.get(piece) ?? 0) - (after.get(piece) ?? 0);
		if (change > 0)
			missing.set(piece, change);
		else
			gained -= change;
	});
	for (; gained > 0 && missing.size; gained--) {
		const [most] = [...missing].sort(([, a], [, b]) => b - a);
		if (most && most[1] > 1)
			missing.set(most[0], most[1] - 1);
		else if (most)
			missing.delete(most[0]);
	}
	return [...missing].flatMap(([piece, count]) => Array<number>(count).fill(piece));
}

export interface Captures {
	pieces: number[]; // one entry for each
	lead: number; // how much more material the side has; 0: not more
}

/** What the pieces of a seat on the board are worth together. */
function worthOf(board: Board, standing: Standing[], seat: number, worth: Record<string, number>): number {
	return [...countOf(board, standing, seat)].reduce((sum, [piece, count]) => {
		const kind = board.pieces[piece]?.name.split(" ").pop() ?? "";
		return sum + count * (worth[kind] ?? 0);
	}, 0);
}

/** The lead of a seat in material; 0 if it has none, or if pieces have no worth in the game. */
export function leadOf(game: string, board: Board, standing: Standing[], seat: number): number {
	const worth = wordsOf(game)?.worth ?? {};
	return Math.max(0, worthOf(board, standing, seat, worth) - worthOf(board, standing, 3 - seat, worth));
}

/** What each seat has captured, by seat; empty while it is loading, or in games that do not show it. */
export function useCaptures(play: Play, board: Board | null, view: View): Record<number, Captures> {
	const on = wordsOf(play.game)?.captures ?? false;
	const start = useLoad(on ? `${play.game}\n${play.start}` : "", () => fetchPosition(play.game, play.start, [])).value;
	if (!start || !board || play.seats.length !== 2)
		return {};
	const of = (seat: number): Captures => ({
		pieces: lostPieces(board, start.standing, view.standing, 3 - seat).sort((a, b) => a - b), lead: leadOf(play.game, board, view.standing, seat),
	});
	return { 1: of(1), 2: of(2) };
}
