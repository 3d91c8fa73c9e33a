// halfway.ts - a move of which only what it takes is still to be clicked: its piece stands where it goes already.
// SPDX-License-Identifier: MIT
import type { Board, Move, Standing, View } from "../types";
import { matching, targets, touchesOf } from "./entry";
import { pieceWords } from "./words";

/** From where to where all moves go that begin with these clicks; null: they differ, or where is not said yet. */
function way(moves: Move[], clicks: number[]): [number, number] | null {
	const [first, ...others] = clicks.length ? matching(moves, clicks) : [];
	const [from, to, more] = touchesOf(first);
	if (from === undefined || to === undefined || more !== undefined || clicks[clicks.length - 1] !== to)
		return null;
	return others.every((other) => touchesOf(other).join() === `${from},${to}`) ? [from, to] : null;
}

/** What stands where as far as the move is entered; null: nothing has moved yet. */
export function halfway(view: Pick<View, "standing">, moves: Move[], clicks: number[]): Standing[] | null {
	const [from, to] = way(moves, clicks) ?? [];
	const moved = view.standing.find(([cell]) => cell === from);
	if (!moved || to === undefined)
		return null;
	const left = view.standing.flatMap((one): Standing[] =>
		one !== moved ? [one] : one[2] > 1 ? [[one[0], one[1], one[2] - 1]] : []);
	return [...left, [to, moved[1], 1]];
}

/** "Take a black man", if that is what comes next. */
export function takeWords(board: Board, view: Pick<View, "standing">, moves: Move[], clicks: number[]): string | null {
	const kinds = new Set([...targets(moves, clicks)].map((cell) => view.standing.find(([at]) => at === cell)?.[1]));
	const [kind] = kinds;
	return kinds.size === 1 && kind !== undefined ? `Take a ${pieceWords(board, kind, 1)}` : null;
}
