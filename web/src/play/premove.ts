// premove.ts - moves that are entered during the opponent's turn: pure functions.
// SPDX-License-Identifier: MIT
//
// Nobody can know the legal moves of the next turn, so any way of an own piece can be entered, and any empty cell in games that place
// pieces. Whether the move is legal shows when the turn comes.
import { click, dragged } from "../board/entry";
import type { Board, Move, View } from "../types";

const NAME = "premove";

/** The cells of a premove: from and to, or the cell where a piece is placed. null: it is another move. */
export function cellsOf(move: string): number[] | null {
	const [name, ...cells] = move.split(" ");
	return name === NAME ? cells.map(Number) : null;
}

function premove(...cells: number[]): Move {
	return { move: [NAME, ...cells].join(" "), clicks: cells };
}

/** What the seat can enter while the opponent is to move, in the form that the board takes. */
export function premovesOf(board: Board, { standing, moves }: Pick<View, "standing" | "moves">, seat: number): Move[] {
	const pieces = new Map(standing.map(([cell, piece]) => [cell, board.pieces[piece]?.seat ?? 0]));
	const cells = board.cells.flatMap(({ tone }, i) => (tone === "tray" ? [] : [i]));
	const begins = moves.flatMap(({ clicks }) => clicks.slice(0, 1));
	const empty = cells.filter((cell) => !pieces.has(cell));
	const own = cells.filter((cell) => pieces.get(cell) === seat);
	const placed = begins.some((cell) => !pieces.has(cell)) ? empty.map((cell) => premove(cell)) : [];
	if (!begins.some((cell) => pieces.has(cell)))
		return placed;
	const moved = own.flatMap((from) => cells.filter((to) => to !== from).map((to) => {
		const move = premove(from, to);
		/* A click on another own piece selects that one. Dragging onto it means to take back there, if it is captured. */
		return pieces.get(to) === seat ? { ...move, clicks: [], touches: [from, to] } : move;
	}));
	return [...placed, ...moved];
}

/** The legal move that a premove stands for; null: none, or one that needs a choice. A pawn becomes a queen. */
export function legalPremove(board: Board, moves: Move[], [from = -1, to]: number[]): Move | null {
	const ways = to === undefined ? click(board, moves, [], from).play : dragged(board, moves, from, to);
	const found = ways.length || to === undefined ? ways : click(board, moves, [from], to).play;
	return found.find(({ piece }) => board.pieces[piece ?? -1]?.name.endsWith("queen")) ?? (found.length === 1 ? found[0] ?? null : null);
}
