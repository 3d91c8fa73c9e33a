// halfway.ts - a half-entered move: the piece has moved, and only the capture, or the rest of its jumps, is still to be clicked.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Board, Move, Standing, View } from "../types";
import { isPath, matching, targets, touchesOf } from "./entry";
import { pieceText } from "./text";

/** The common start and end of all moves that begin with these clicks; null: they differ or are not entered yet. */
function way(moves: Move[], clicks: number[]): [number, number] | null {
	const [first, ...others] = clicks.length ? matching(moves, clicks) : [];
	if (first && isPath(first) && clicks.length > 1)
		return [clicks[0] ?? -1, clicks[clicks.length - 1] ?? -1];
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

/** The cells that the piece has jumped over so far. */
export function jumped(board: Board, moves: Move[], clicks: number[]): Set<number> {
	const [first] = matching(moves, clicks);
	return new Set(!first || !isPath(first) ? [] : clicks.slice(1).map((to, i) => {
		const a = board.cells[clicks[i] ?? -1], b = board.cells[to];
		return board.cells.findIndex(({ x, y }) => a && b && 2 * x === a.x + b.x && 2 * y === a.y + b.y);
	}));
}

/** "Take a black man", if a capture comes next. */
export function captureText(board: Board, view: Pick<View, "standing">, moves: Move[], clicks: number[]): string | null {
	const kinds = new Set([...targets(moves, clicks)].map((cell) => view.standing.find(([at]) => at === cell)?.[1]));
	const [kind] = kinds;
	return kinds.size === 1 && kind !== undefined ? t("board.take", { piece: pieceText(board, kind, 1) }) : null;
}
