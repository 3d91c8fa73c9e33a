// training.test.ts - what the opening trainer says of moves, tried by node --test.
// SPDX-License-Identifier: MIT

import { test } from "node:test";
import assert from "node:assert/strict";
import { answer, judge, lineOf, linesHere, moveOf, scoreOf, wanted, wantedWords, wishOf } from "../src/pages/training";
import type { BookMove, BookPosition, Opening } from "../src/types";

const move = (text: string, share: number, lines: number[], alike: string[] = []): BookMove =>
	({ move: text, short: text.toUpperCase(), share, lines, alike, name: null, towards: null, note: null, touches: [] });
const book: BookPosition = {
	known: true, opening: null, name: null, note: null,
	moves: [move("a", 0.5, [1, 2], ["b", "c"]), move("d", 0.25, [3]), move("e", 0.25, []), move("f", 0, [4])],
};
const line = (name: string, weight: number): Opening => ({ name, position: "start", moves: ["a"], weight, note: null });
const lines = [line("One", 2), line("Two", 0), line("Three", 2), line("Four", 0)];

test("a wish is a line, a lot or the whole book", () => {
	assert.equal(wishOf("3", lines), 3);
	for (const text of [null, "any", "0", "5", "1.5", "x", ""])
		assert.equal(wishOf(text, lines), "any");
	assert.equal(wishOf("book", lines), "book");
	assert.equal(wishOf("1", []), "book");
});

test("the lot falls by weight, on another line than before", () => {
	assert.equal(lineOf(2, lines, 0.9), 2);
	assert.equal(lineOf("book", lines, 0.9), null);
	assert.equal(lineOf("any", lines, 0), 1);
	assert.equal(lineOf("any", lines, 0.49), 1);
	assert.equal(lineOf("any", lines, 0.51), 3);
	assert.equal(lineOf("any", lines, 0.999), 3);
	assert.equal(lineOf("any", lines, 0, 1), 3);
	assert.equal(lineOf("any", lines.slice(0, 1), 0.5, 1), 1);
	assert.equal(lineOf("any", [line("A", 0), line("B", 0)], 0.6), 2, "nothing weighs anything");
});

test("what is right, and what the trainer plays", () => {
	assert.deepEqual(wanted(book, 1).map((one) => one.move), ["a"]);
	assert.deepEqual(wanted(book, null).map((one) => one.move), ["a", "d", "e"], "what is never played is not wanted");
	assert.deepEqual(wanted(book, 9), []);
	assert.equal(answer(book, 4, 0.3)?.move, "f", "a line that is never drawn can be chosen");
	assert.equal(answer(book, null, 0.49)?.move, "a");
	assert.equal(answer(book, null, 0.99)?.move, "e");
	assert.equal(answer(book, 9, 0.5), null);
	assert.equal(wantedWords(book, null), "A, D or E");
	assert.equal(wantedWords(book, 3), "D");
});

test("a move is right, of another line, or wrong", () => {
	assert.deepEqual(judge(book, 1, "a"), { kind: "right", move: "a" });
	assert.deepEqual(judge(book, 1, "c"), { kind: "right", move: "c" }, "turned");
	assert.deepEqual(judge(book, 3, "b"), { kind: "other", move: "b", lines: [1, 2] });
	assert.deepEqual(judge(book, 3, "e"), { kind: "wrong", known: true });
	assert.deepEqual(judge(book, 3, "z"), { kind: "wrong", known: false });
	assert.deepEqual(judge(book, null, "e"), { kind: "right", move: "e" });
	assert.deepEqual(linesHere(book, 2), [1, 3, 4]);
	assert.deepEqual(linesHere(book, null), [1, 2, 3, 4]);
});

test("moves are typed by either name", () => {
	const legal = [{ move: "b5c6", short: "bxc6", clicks: [] }, { move: "f1c6", short: "Bxc6+", clicks: [] }, { move: "e1g1", short: "O-O", clicks: [] },
		{ move: "5", clicks: [] }];
	assert.equal(moveOf(legal, "b5c6"), "b5c6");
	assert.equal(moveOf(legal, "bxc6"), "b5c6");
	assert.equal(moveOf(legal, "Bxc6+"), "f1c6");
	assert.equal(moveOf(legal, "bc6"), null, "either could be meant");
	assert.equal(moveOf(legal, "o-o"), "e1g1");
	assert.equal(moveOf(legal, "B5-C6"), "b5c6");
	assert.equal(moveOf(legal, "5"), "5");
	assert.equal(moveOf(legal, ""), null);
	assert.equal(moveOf(legal, "+"), null);
});

test("how it went", () => {
	assert.equal(scoreOf(8, 1, 0), "8 moves, 1 mistake, no hints");
	assert.equal(scoreOf(1, 0, 3), "1 move, no mistakes, 3 hints");
});
