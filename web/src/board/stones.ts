// stones.ts - boards where a move puts a stone on one of many points (go-moku): forbidden points and colours.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Board, Standing, View } from "../types";
import { middle, type Point } from "./geometry";

const MANY = 81; // points of the smallest board

/** Whether the board has so many points that a finger needs a preview. */
export function hasManyPoints(board: Board): boolean {
	return board.cells.length >= MANY && board.cells.every(({ shape }) => shape === "point");
}

/** The point nearest to a place on the board as drawn. */
export function nearestCell(board: Board, { x, y }: Point, turned: boolean): number {
	const distance = (i: number) => {
		const at = middle(board, board.cells[i]!, turned);
		return Math.hypot(at.x - x, at.y - y);
	};
	return board.cells.reduce((best, _, i) => (distance(i) < distance(best) ? i : best), 0);
}

/** The empty points where the side to move may not play: only renju has some. */
export function forbiddenPoints(board: Board, view: Pick<View, "game" | "moves" | "standing" | "over">): Set<number> {
	const legal = new Set(view.moves.flatMap(({ clicks }) => clicks)), occupied = new Set(view.standing.map(([cell]) => cell));
	if (view.over || !legal.size || !/\brule=renju\b/.test(view.game))
		return new Set();
	return new Set(board.cells.flatMap((_, i) => (legal.has(i) || occupied.has(i) ? [] : [i])));
}

/** The stone that the next move puts on the board. In swap2 the seat does not tell its colour; the position does. */
export function nextStone(board: Board, view: Pick<View, "position" | "seat">): number {
	const side = / ([xo])(?: |$)/.exec(view.position)?.[1];
	return side ? "xo".indexOf(side) : board.pieces.findIndex(({ seat }) => seat === view.seat);
}

/** "column k, row 10" of "k10" */
export function pointText(name: string): string {
	return name.replace(/^([a-z])(\d+)$/, (_, column, row) => t("board.columnRow", { column, row }));
}

const seatings = new WeakMap<Board, Record<string, Board>>();

/** The board with the colours as the players have taken them in swap2: nobody has one as long as the choice is open. */
export function withColours(board: Board, position: string): Board {
	const phase = / [xo] (open|swapped)$/.exec(position)?.[1];
	if (!phase || !hasManyPoints(board))
		return board;
	const known = seatings.get(board) ?? {};
	seatings.set(board, known);
	return known[phase] ??= {
		...board, pieces: board.pieces.map((piece) => ({ ...piece, seat: phase === "open" || piece.seat === null ? null : 3 - piece.seat })),
	};
}

export function isOccupied(standing: Standing[], cell: number): boolean {
	return standing.some(([at]) => at === cell);
}
