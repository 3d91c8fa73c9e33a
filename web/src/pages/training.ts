// training.ts - what the opening trainer knows: what a line wants, what a move was, whose turn it is to answer. Pure functions.
// SPDX-License-Identifier: MIT
import { moveName } from "../board/words";
import type { BookMove, BookPosition, Move, Opening } from "../types";

/** A line by its number, from 1; null: the whole book, any of its moves. */
export type Line = number | null;
/** What is to be trained: a line, one by lot, or the whole book. */
export type Wish = number | "any" | "book";

export function wishOf(text: string | null, lines: Opening[]): Wish {
	const number = Number(text);
	if (text === "book" || !lines.length)
		return "book";
	return Number.isInteger(number) && number >= 1 && number <= lines.length ? number : "any";
}

/** One of things that have weights; all weigh the same if none weighs anything. chance: from 0 up to 1. */
function byLot<T>(list: T[], weightOf: (one: T) => number, chance: number): T | null {
	const total = list.reduce((sum, one) => sum + weightOf(one), 0);
	if (total <= 0)
		return list[Math.floor(chance * list.length)] ?? null;
	let left = chance * total;
	return list.find((one) => (left -= weightOf(one)) < 0) ?? null;
}

/** The line of a wish; a lot falls as the weights of the lines say, and on another one than before if it can. */
export function lineOf(wish: Wish, lines: Opening[], chance: number, before: Line = null): Line {
	if (wish !== "any")
		return wish === "book" ? null : wish;
	const numbers = lines.map((_, i) => i + 1).filter((number) => number !== before || lines.length === 1);
	return byLot(numbers, (number) => lines[number - 1]?.weight ?? 0, chance);
}

/** The moves that are right. */
export function wanted(book: BookPosition, line: Line): BookMove[] {
	return book.moves.filter(({ lines, share }) => line === null ? share > 0 : lines.includes(line));
}

/** What the trainer plays; null: the line ends here. */
export function answer(book: BookPosition, line: Line, chance: number): BookMove | null {
	return byLot(wanted(book, line), ({ share }) => share, chance);
}

/** The other lines that go through the position. */
export function linesHere(book: BookPosition, line: Line): number[] {
	return [...new Set(book.moves.flatMap(({ lines }) => lines))].filter((one) => one !== line).sort((a, b) => a - b);
}

export type Verdict =
	| { kind: "right"; move: string } // as it is to be played
	| { kind: "other"; move: string; lines: number[] } // it belongs to these
	| { kind: "wrong"; known: boolean }; // known: the book has it, but no line

export function judge(book: BookPosition, line: Line, move: string): Verdict {
	const found = book.moves.find((one) => one.move === move || one.alike.includes(move));
	if (found && wanted(book, line).includes(found))
		return { kind: "right", move };
	return found?.lines.length ? { kind: "other", move, lines: found.lines } : { kind: "wrong", known: Boolean(found) };
}

/** The legal move that somebody typed, by either of its names; capitals and signs of check or captures may differ where one is meant. */
export function moveOf(moves: Move[], text: string): string | null {
	const plain = (name: string) => name.replace(/[-+#x=]/g, "").toLowerCase();
	const exact = moves.find(({ move, short }) => move === text || short === text);
	const alike = plain(text) ? moves.filter((one) => [one.move, one.short ?? ""].some((name) => plain(name) === plain(text))) : [];
	return exact?.move ?? (alike.length === 1 ? alike[0]?.move ?? null : null);
}

/** "Bb5", "Bb5 or Bc4" */
export function wantedWords(book: BookPosition, line: Line): string {
	const names = wanted(book, line).map(moveName);
	const last = names.pop() ?? "";
	return names.length ? `${names.join(", ")} or ${last}` : last;
}

function times(count: number, what: string): string {
	return count === 0 ? `no ${what}s` : count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

/** How it went: "8 moves, 1 mistake, no hints" */
export function scoreOf(moves: number, mistakes: number, hints: number): string {
	return `${times(moves, "move")}, ${times(mistakes, "mistake")}, ${times(hints, "hint")}`;
}
