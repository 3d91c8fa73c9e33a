// badges.ts - where the values of moves stand on a board.
// SPDX-License-Identifier: MIT
import type { Move } from "../types";
import { touchesOf } from "./entry";
import type { Badge } from "./props";

/** The cell of a move's badge after these clicks: where it ends, or, of a move of several clicks, the next one. */
function cellOf(move: Move, clicks: number[]): number | undefined {
	if (clicks.some((cell, i) => move.clicks[i] !== cell))
		return undefined;
	const touches = touchesOf(move);
	return move.clicks.length > 1 ? move.clicks[clicks.length] : touches[touches.length - 1];
}

/** The badge of each cell: of several moves that go on there, that of the best. */
export function placeBadges(moves: Move[], badges: Badge[], clicks: number[]): Map<number, Badge> {
	const named = new Map(moves.map((move) => [move.move, move]));
	const best = new Map<number, Badge>();
	for (const badge of badges) {
		const move = named.get(badge.move);
		const cell = move && cellOf(move, clicks);
		const there = cell === undefined ? undefined : best.get(cell);
		if (cell !== undefined && (!there || badge.worth > there.worth))
			best.set(cell, badge);
	}
	return best;
}
