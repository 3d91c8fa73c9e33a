// badges.ts - where the values of moves are drawn on a board.
// SPDX-License-Identifier: MIT
import type { Move } from "../types";
import { touchesOf } from "./entry";
import type { Badge } from "./props";

/** The cell of a badge after these clicks: the next cell to click, or where a single-click move ends. */
function cellOf(move: Move, clicks: number[]): number | undefined {
	if (clicks.some((cell, i) => move.clicks[i] !== cell))
		return undefined;
	const touches = touchesOf(move);
	return move.clicks.length > 1 ? move.clicks[clicks.length] : touches[touches.length - 1];
}

/** The badge of each cell; if several moves share a cell, the best one wins. */
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
