// steps.ts - moves of several steps: pairs of cells, from and to, that are clicked in any order.
// SPDX-License-Identifier: MIT
//
// The clicks of a half-entered move are the pairs entered so far, and perhaps the cell of the selected piece.
import type { Board, Move, Standing, View } from "../types";
import { canBearOff } from "./backgammon";
import type { Step } from "./entry";
import { sideName } from "./text";

type Pair = [from: number, to: number];
type Seen = Pick<View, "standing" | "seat">;

export function isStepped(moves: Move[]): boolean {
	return moves.some(({ ways, clicks }) => ways && clicks.length);
}

function pairsOf(cells: number[]): Pair[] {
	return Array.from({ length: Math.floor(cells.length / 2) }, (_, i) => [cells[2 * i] ?? -1, cells[2 * i + 1] ?? -1]);
}

/** The pairs entered so far. */
export function entered(clicks: number[]): number[] {
	return clicks.slice(0, clicks.length - clicks.length % 2);
}

/** The cell of the selected piece. */
export function selected(clicks: number[]): number | undefined {
	return clicks.length % 2 ? clicks[clicks.length - 1] : undefined;
}

/** What is left of each way to enter a move, if it has all the steps entered so far. */
function waysLeft(moves: Move[], clicks: number[]): { move: Move; steps: Pair[] }[] {
	const done = pairsOf(entered(clicks));
	return moves.flatMap((move) => [move.clicks, ...move.ways ?? []].flatMap((cells) => {
		const steps = pairsOf(cells);
		for (const [from, to] of done) {
			const at = steps.findIndex((step) => step[0] === from && step[1] === to);
			if (at < 0)
				return [];
			steps.splice(at, 1);
		}
		return cells.length ? [{ move, steps }] : [];
	}));
}

/** The pieces after these steps. A piece that is hit goes to the bar of its side. */
export function afterSteps(board: Board, standing: Standing[], clicks: number[]): Standing[] {
	const cells = new Map(standing.map(([cell, piece, count]) => [cell, { piece, count }]));
	const add = (cell: number, piece: number, change: number) => {
		const count = (cells.get(cell)?.piece === piece ? cells.get(cell)?.count ?? 0 : 0) + change;
		if (count > 0)
			cells.set(cell, { piece, count });
		else
			cells.delete(cell);
	};
	for (const [from, to] of pairsOf(entered(clicks))) {
		const piece = cells.get(from)?.piece, hit = cells.get(to);
		if (piece === undefined)
			continue;
		add(from, piece, -1);
		if (hit && hit.piece !== piece)
			add(barOf(board, board.pieces[hit.piece]?.seat ?? 0), hit.piece, 1);
		add(to, piece, 1);
	}
	return [...cells].map(([cell, { piece, count }]) => [cell, piece, count]);
}

function barOf(board: Board, seat: number): number {
	return board.cells.findIndex(({ name }) => name === `${sideName(board, seat)}'s bar`);
}

/** Whether the seat to move has a piece on the cell after these steps. */
function hasPiece(board: Board, view: Seen, clicks: number[], cell: number): boolean {
	return afterSteps(board, view.standing, clicks).some(([at, piece]) => at === cell && board.pieces[piece]?.seat === view.seat);
}

/** Whether a step of a legal turn is legal now, after these steps: pieces on the bar come first, and pieces are taken off last. */
function canStep(board: Board, view: Seen, steps: number[], [from, to]: Pair): boolean {
	const bar = barOf(board, view.seat);
	return hasPiece(board, view, steps, from) && (from === bar || !hasPiece(board, view, steps, bar)) &&
		canBearOff(board, afterSteps(board, view.standing, steps), view.seat, steps, from, to);
}

/** The cells whose piece can make the next step. */
export function starts(board: Board, view: Seen, moves: Move[], clicks: number[]): Set<number> {
	const steps = entered(clicks);
	const pairs = new Map(waysLeft(moves, steps).flatMap((way) => way.steps.map((step) => [step.join(), step])));
	return new Set([...pairs.values()].filter((step) => canStep(board, view, steps, step)).map(([from]) => from));
}

/** Where the piece on a cell can go, by one step or several, and by which ones. If several ways would differ, none is offered. */
function paths(board: Board, view: Seen, moves: Move[], clicks: number[], from: number): Map<number, number[]> {
	const steps = entered(clicks);
	const found = new Map<string, number[]>();
	const extend = (left: Pair[], path: number[], at: number) => left.forEach((step, i) => {
		if (step[0] !== at || !canStep(board, view, [...steps, ...path], step))
			return;
		const longer = [...path, ...step];
		found.set(longer.join(), longer);
		extend(left.filter((_, other) => other !== i), longer, step[1]);
	});
	for (const way of waysLeft(moves, steps))
		extend(way.steps, [], from);
	const ends = new Map<number, number[]>(), unclear = new Set<number>();
	for (const path of [...found.values()].sort((a, b) => a.length - b.length)) {
		const end = path[path.length - 1] ?? -1, other = ends.get(end);
		const result = (way: number[]) => String(afterSteps(board, view.standing, [...steps, ...way]).sort());
		if (!other)
			ends.set(end, path);
		else if (other.length > 2 && result(other) !== result(path))
			unclear.add(end);
	}
	return new Map([...ends].filter(([end]) => !unclear.has(end)));
}

/** The cells that can be clicked next. */
export function stepTargets(board: Board, view: Seen, moves: Move[], clicks: number[]): Set<number> {
	const from = selected(clicks);
	return from === undefined ? starts(board, view, moves, clicks) : new Set(paths(board, view, moves, clicks, from).keys());
}

/** The result of a click, as for other moves (entry.ts); it never clears steps that are entered. */
export function clickStep(board: Board, view: Seen, moves: Move[], clicks: number[], cell: number): Step {
	const from = selected(clicks), steps = entered(clicks);
	const path = from === undefined ? undefined : paths(board, view, moves, clicks, from).get(cell);
	if (path) {
		const longer = [...steps, ...path];
		const complete = waysLeft(moves, longer).find((way) => !way.steps.length);
		return complete ? { clicks: [], play: [complete.move] } : { clicks: longer, play: [] };
	}
	return { clicks: cell !== from && starts(board, view, moves, steps).has(cell) ? [...steps, cell] : steps, play: [] };
}

/** Clears the selection, or else takes back the last step. */
export function stepBack(clicks: number[]): number[] {
	return clicks.length % 2 ? clicks.slice(0, -1) : clicks.slice(0, -2);
}
