// training.test.ts - unit tests of the opening trainer.
// SPDX-License-Identifier: MIT

import { test } from "node:test";
import assert from "node:assert/strict";
import { findMove } from "../src/board/text";
import { groupByFamily } from "../src/pages/openinglines";
import { chooseReply, judgeMove, chooseLine, otherLines, heaviestLines, lessonSummary, expectedMoves, expectedText, readSelection } from "../src/pages/training";
import type { BookMove, BookPosition, Opening } from "../src/types";

const move = (text: string, share: number, lines: number[], alike: string[] = []): BookMove =>
	({ move: text, short: text.toUpperCase(), share, lines, alike, name: null, towards: null, note: null, touches: [] });
const book: BookPosition = {
	known: true, opening: null, name: null, note: null,
	moves: [move("a", 0.5, [1, 2], ["b", "c"]), move("d", 0.25, [3]), move("e", 0.25, []), move("f", 0, [4])],
};
const line = (name: string, weight: number): Opening => ({ name, position: "start", moves: ["a"], weight, note: null });
const lines = [line("One", 2), line("Two", 0), line("Three", 2), line("Four", 0)];

test("a selection is a line, a random one or the whole book", () => {
	assert.equal(readSelection("3", lines), 3);
	for (const text of ["any", "0", "5", "1.5", "x", ""])
		assert.equal(readSelection(text, lines), "any");
	assert.equal(readSelection("book", lines), "book");
	assert.equal(readSelection("1", []), "book");
	assert.equal(readSelection(null, lines), 1, "a newcomer begins with the first main line");
	assert.equal(readSelection(null, [line("Alapin - Rare", 4), line("Sicilian - Dragon", 10), line("Giuoco Piano", 10)]), 3, "and with no variation");
	assert.equal(readSelection(null, [line("Giuoco Piano", 4), line("Sicilian - Dragon", 10)]), 2);
});

test("the lot falls by weight, on another line than before", () => {
	assert.equal(chooseLine(2, lines, 0.9), 2);
	assert.equal(chooseLine("book", lines, 0.9), null);
	assert.equal(chooseLine("any", lines, 0), 1);
	assert.equal(chooseLine("any", lines, 0.49), 1);
	assert.equal(chooseLine("any", lines, 0.51), 3);
	assert.equal(chooseLine("any", lines, 0.999), 3);
	assert.equal(chooseLine("any", lines, 0, 1), 3);
	assert.equal(chooseLine("any", lines.slice(0, 1), 0.5, 1), 1);
	assert.equal(chooseLine("any", [line("A", 0), line("B", 0)], 0.6), 2, "nothing weighs anything");
});

test("what is right, and what the trainer plays", () => {
	assert.deepEqual(expectedMoves(book, 1).map((one) => one.move), ["a"]);
	assert.deepEqual(expectedMoves(book, null).map((one) => one.move), ["a", "d", "e"], "what is never played is not expectedMoves");
	assert.deepEqual(expectedMoves(book, 9), []);
	assert.equal(chooseReply(book, 4, 0.3)?.move, "f", "a line that is never drawn can be chosen");
	assert.equal(chooseReply(book, null, 0.49)?.move, "a");
	assert.equal(chooseReply(book, null, 0.99)?.move, "e");
	assert.equal(chooseReply(book, 9, 0.5), null);
	assert.equal(expectedText(book, null), "A, D or E");
	assert.equal(expectedText(book, 3), "D");
});

test("lines are grouped by opening family, and the heaviest come first", () => {
	const named = [line("Sicilian - Rauzer", 10), line("King's Gambit", 4), line("Sicilian - Dragon", 10), line("French - Winawer", 4), line("Alapin Opening", 1)];
	assert.deepEqual(groupByFamily(named, [1, 2, 3, 4, 5]), [
		{ name: "Alapin Opening", numbers: [5] }, { name: "French", numbers: [4] },
		{ name: "King's Gambit", numbers: [2] }, { name: "Sicilian", numbers: [1, 3] },
	]);
	assert.deepEqual(groupByFamily(named, [4, 3]).map(({ numbers }) => numbers), [[4], [3]]);
	assert.deepEqual(groupByFamily(lines, [1, 2, 3, 4]).map(({ name }) => name), ["One", "Two", "Three", "Four"], "the order of the book");
	assert.deepEqual(groupByFamily([], []), []);
	assert.deepEqual(heaviestLines(named, [2, 3, 4, 5, 1], 3), [1, 3, 2]);
	assert.deepEqual(heaviestLines(named, [5, 4], 3), [4, 5]);
});

test("a move is right, of another line, or wrong", () => {
	assert.deepEqual(judgeMove(book, 1, "a"), { kind: "right", move: "a" });
	assert.deepEqual(judgeMove(book, 1, "c"), { kind: "right", move: "c" }, "turned");
	assert.deepEqual(judgeMove(book, 3, "b"), { kind: "other", move: "b", lines: [1, 2] });
	assert.deepEqual(judgeMove(book, 3, "e"), { kind: "wrong", known: true });
	assert.deepEqual(judgeMove(book, 3, "z"), { kind: "wrong", known: false });
	assert.deepEqual(judgeMove(book, null, "e"), { kind: "right", move: "e" });
	assert.deepEqual(otherLines(book, 2), [1, 3, 4]);
	assert.deepEqual(otherLines(book, null), [1, 2, 3, 4]);
});

test("moves are typed by either name", () => {
	const legal = [{ move: "b5c6", short: "bxc6", clicks: [] }, { move: "f1c6", short: "Bxc6+", clicks: [] }, { move: "e1g1", short: "O-O", clicks: [] },
		{ move: "5", clicks: [] }];
	assert.equal(findMove(legal, "b5c6"), "b5c6");
	assert.equal(findMove(legal, "bxc6"), "b5c6");
	assert.equal(findMove(legal, "Bxc6+"), "f1c6");
	assert.equal(findMove(legal, "bc6"), null, "either could be meant");
	assert.equal(findMove(legal, "o-o"), "e1g1");
	assert.equal(findMove(legal, "B5-C6"), "b5c6");
	assert.equal(findMove(legal, "5"), "5");
	assert.equal(findMove(legal, ""), null);
	assert.equal(findMove(legal, "+"), null);
});

test("how it went", () => {
	assert.equal(lessonSummary(8, 1, 0), "8 moves, 1 mistake, no hints");
	assert.equal(lessonSummary(1, 0, 3), "1 move, no mistakes, 3 hints");
});
