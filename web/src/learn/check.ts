// check.ts - whether a move is the one that a step asks for.
// SPDX-License-Identifier: MIT
import type { Board, Move, View } from "../types";
import type { Choice, Condition, Step } from "./parse";

/** A legal move, with the positions before and after it. */
export interface Tried {
	board: Board;
	move: string; // as played: a counted move has its count
	before: View;
	after: View;
}

export interface Verdict {
	kind: "right" | "wrong" | "illegal";
	text: string;
}

/** The legal move that was played; a count may differ. */
function moveOf({ move, before }: Tried): Move | undefined {
	return before.moves.find((one) => one.move === move) ??
		before.moves.find((one) => one.max && one.move.replace(/\d+$/, "") === move.replace(/\d+$/, ""));
}

function nameAt(board: Board, cells: number[] | undefined, at: number): string {
	return board.cells[cells?.at(at) ?? -1]?.name ?? "";
}

function enemies(board: Board, view: View, mover: number): number {
	return view.standing.reduce((sum, [, piece, count]) => {
		const seat = board.pieces[piece]?.seat;
		return seat && seat !== mover ? sum + count : sum;
	}, 0);
}

function pieceAt(board: Board, { standing }: View, cell: string): string {
	const [, piece = -1] = standing.find(([at]) => board.cells[at]?.name === cell) ?? [];
	return board.pieces[piece]?.name ?? "";
}

export function matchesMove(pattern: string, move: string): boolean {
	const [, words, least] = /^(.* )(\d+)\+$/.exec(pattern) ?? [];
	if (words && move.startsWith(words))
		return /^\d+$/.test(move.slice(words.length)) && Number(move.slice(words.length)) >= Number(least);
	const parts = pattern.split("...").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
	return new RegExp(`^${parts.join(".*")}$`).test(move);
}

export function holds(condition: Condition, tried: Tried): boolean {
	const { board, before, after, move } = tried;
	switch (condition.kind) {
	case "safe":
	case "forced": // the page does not look that far; the test does
	case "any": return true;
	case "capture": return enemies(board, after, before.seat) < enemies(board, before, before.seat);
	case "check": return !after.over && after.marks.some((cell) => pieceAt(board, after, board.cells[cell]?.name ?? "").endsWith(" king"));
	case "win": return after.result === `win ${before.seat}`;
	case "draw": return after.result === "draw";
	case "over": return after.over;
	case "from": return nameAt(board, moveOf(tried)?.clicks, 0) === condition.cell;
	case "to": return nameAt(board, moveOf(tried)?.clicks, -1) === condition.cell;
	case "holds": return pieceAt(board, after, condition.cell) === condition.piece;
	case "move": return matchesMove(condition.pattern, move);
	}
}

/** All lines of conditions hold. */
export function holdAll(choices: Choice[], tried: Tried): boolean {
	return choices.every((choice) => choice.some((condition) => holds(condition, tried)));
}

export function judge(step: Step, tried: Tried): Verdict {
	const right = holdAll(step.accepts, tried);
	return right ? { kind: "right", text: step.right } : { kind: "wrong", text: step.hint };
}
