// halfway.ts - a half-entered move: the piece has moved, and only the capture is still to be clicked.
// SPDX-License-Identifier: MIT
import type { Board, Move, Standing, View } from "../types";
import { matching, targets, touchesOf } from "./entry";
import { pieceText } from "./text";

/** The common start and end of all moves that begin with these clicks; null: they differ or are not entered yet. */
function way(moves: Move[], clicks: number[]): [number, number] | null {
	const [first, ...others] = clicks.length ? matching(moves, clicks) : [];
	const [from, to, more] = touchesOf(first);
	if (from === undefined || to === undefined || more !== undefined || clicks[clicks.length - 1] !== to)
		return null;
	return others.every((other) => touchesOf(other).join() === `${from},${to}`) ? [from, to] : null;
}

/** The pieces on the board, as far as the move is entered; null: nothing has moved yet. */
export function halfway(view: Pick<View, "standing">, moves: Move[], clicks: number[]): Standing[] | null {
	const [from, to] = way(moves, clicks) ?? [];
	const moved = view.standing.find(([cell]) => cell === from);
	if (!moved || to === undefined)
		return null;
	const left = view.standing.flatMap((one): Standing[] =>
		one !== moved ? [one] : one[2] > 1 ? [[one[0], one[1], one[2] - 1]] : []);
	return [...left, [to, moved[1], 1]];
}

/** "Take a black man", if a capture comes next. */
export function captureText(board: Board, view: Pick<View, "standing">, moves: Move[], clicks: number[]): string | null {
	const kinds = new Set([...targets(moves, clicks)].map((cell) => view.standing.find(([at]) => at === cell)?.[1]));
	const [kind] = kinds;
	return kinds.size === 1 && kind !== undefined ? `Take a ${pieceText(board, kind, 1)}` : null;
}
