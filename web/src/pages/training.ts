// training.ts - the rules of the opening trainer: which moves are correct, what a wrong move is, what the trainer replies. Pure functions.
// SPDX-License-Identifier: MIT
import { moveName } from "../board/text";
import { t } from "../messages";
import type { BookMove, BookPosition, Opening } from "../types";

/** The number of a line, from 1; null: the whole book, where any book move counts. */
export type Line = number | null;
/** What to train: a line, a random one ("any"), or the whole book. */
export type Selection = number | "any" | "book";

/** The number of the line to begin with: the first of the heaviest lines, if possible one that is no variation of an opening. */
function firstLine(lines: Opening[]): number {
	const heaviest = Math.max(...lines.map(({ weight }) => weight)), isMain = ({ weight }: Opening) => weight === heaviest;
	const plain = lines.findIndex((one) => isMain(one) && !one.name.includes(" - "));
	return 1 + (plain >= 0 ? plain : lines.findIndex(isMain));
}

/** text: of the address; null: it names none. */
export function readSelection(text: string | null, lines: Opening[]): Selection {
	const number = Number(text);
	if (text === "book" || !lines.length)
		return "book";
	if (text === null)
		return firstLine(lines);
	return Number.isInteger(number) && number >= 1 && number <= lines.length ? number : "any";
}

/** A weighted random choice. If all weights are 0, every item is equally likely. chance: 0 <= chance < 1. */
function pickWeighted<T>(list: T[], weightOf: (one: T) => number, chance: number): T | null {
	const total = list.reduce((sum, one) => sum + weightOf(one), 0);
	if (total <= 0)
		return list[Math.floor(chance * list.length)] ?? null;
	let left = chance * total;
	return list.find((one) => (left -= weightOf(one)) < 0) ?? null;
}

/** The line to train. A random line is chosen by weight, and differs from the previous one if possible. */
export function chooseLine(selection: Selection, lines: Opening[], chance: number, before: Line = null): Line {
	if (selection !== "any")
		return selection === "book" ? null : selection;
	const numbers = lines.map((_, i) => i + 1).filter((number) => number !== before || lines.length === 1);
	return pickWeighted(numbers, (number) => lines[number - 1]?.weight ?? 0, chance);
}

/** The correct moves. */
export function expectedMoves(book: BookPosition, line: Line): BookMove[] {
	return book.moves.filter(({ lines, share }) => line === null ? share > 0 : lines.includes(line));
}

/** The move that the trainer plays; null: the line ends here. */
export function chooseReply(book: BookPosition, line: Line, chance: number): BookMove | null {
	return pickWeighted(expectedMoves(book, line), ({ share }) => share, chance);
}

/** The other lines through this position. */
export function otherLines(book: BookPosition, line: Line): number[] {
	return [...new Set(book.moves.flatMap(({ lines }) => lines))].filter((one) => one !== line).sort((a, b) => a - b);
}

/** The lines with the largest weights, at most so many, heaviest first; the earlier of equals first. */
export function heaviestLines(lines: Opening[], numbers: number[], most: number): number[] {
	const weightOf = (number: number) => lines[number - 1]?.weight ?? 0;
	return [...numbers].sort((a, b) => weightOf(b) - weightOf(a) || a - b).slice(0, most);
}

export type Verdict =
	| { kind: "right"; move: string } // the move to play
	| { kind: "other"; move: string; lines: number[] } // the lines that have it
	| { kind: "wrong"; known: boolean }; // known: it is in the book, but in no named line

export function judgeMove(book: BookPosition, line: Line, move: string): Verdict {
	const found = book.moves.find((one) => one.move === move || one.alike.includes(move));
	if (found && expectedMoves(book, line).includes(found))
		return { kind: "right", move };
	return found?.lines.length ? { kind: "other", move, lines: found.lines } : { kind: "wrong", known: Boolean(found) };
}

/** "Bb5", "Bb5 or Bc4" */
export function expectedText(book: BookPosition, line: Line): string {
	const names = expectedMoves(book, line).map(moveName);
	const last = names.pop() ?? "";
	return names.length ? t("train.or", { moves: names.join(", "), last }) : last;
}

/** The result of a lesson: "8 moves, 1 mistake, no hints" */
export function lessonSummary(moves: number, mistakes: number, hints: number): string {
	return t("train.summary", { moves, mistakes, hints });
}
