// warptrog.test.ts - unit tests of looks, captured pieces and the move counter.
// SPDX-License-Identifier: MIT

import { test } from "node:test";
import assert from "node:assert/strict";
import { bitmapPath, inLook } from "../src/board/looks";
import { sideName } from "../src/board/text";
import { lostPieces } from "../src/play/captures";
import { moveNumber, wordsOf } from "../src/play/words";
import type { Board, Cell, Piece, Play, Standing } from "../src/types";

const cell = (name: string, tone: string): Cell =>
	({ name, x: 0, y: 0, width: 100, height: 100, slant: 0, row: 0, column: 0, group: 0, shape: "rectangle", tone });
const piece = (name: string, seat: number): Piece => ({ name, body: "M0 0Z", detail: "M0 0Z", paint: "blue", seat, most: 1 });
const board: Board = {
	game: "warptrog", title: "Warp Trog", width: 400, height: 100, ground: "wood", turnable: true, lines: [], labels: [],
	cells: [cell("a1", "light"), cell("b1", "dark"), cell("c1", "light"), cell("warps 1", "tray")],
	pieces: [piece("blue Valg", 1), piece("blue Trog", 1), piece("blue warp", 1), piece("red Valg", 2), piece("red Trog", 2), piece("red warp", 2)],
};

test("a bitmap becomes blocks of pixels around the centre", () => {
	assert.equal(bitmapPath(Array<number>(8).fill(255)), "M-36 -36H36V36H-36Z");
	assert.equal(bitmapPath([0, 0, 0, 0, 0, 0, 0, 0]), "");
	assert.equal(bitmapPath([255, 129, 129, 129, 129, 129, 129, 255]),
		"M-36 -36H36V-27H-36ZM-36 -27H-27V27H-36ZM27 -27H36V27H27ZM-36 27H36V36H-36Z");
	assert.equal(bitmapPath([0x18, 0, 0, 0, 0, 0, 0, 0x81]), "M-9 -36H9V-27H-9ZM-36 27H-27V36H-36ZM27 27H36V36H27Z");
});

test("a look changes pieces, squares and names, but not their order", () => {
	assert.equal(inLook(board, "warptrog", {}), board);
	assert.equal(inLook(board, "warptrog", { warptrog: "2083" }), board);
	assert.equal(inLook(board, "reversi", { warptrog: "1983", reversi: "1983" }), board);
	const drawn = inLook(board, "warptrog", { warptrog: "1983" });
	assert.deepEqual(drawn.pieces.map(({ name }) => name), ["pink Valg", "pink Trog", "pink warp", "green Valg", "green Trog", "green warp"]);
	assert.deepEqual(drawn.pieces.map(({ seat }) => seat), [1, 1, 1, 2, 2, 2]);
	assert.equal(sideName(drawn, 2), "Green");
	assert.deepEqual(drawn.cells.map(({ picture }) => Boolean(picture)), [true, true, true, false]);
});

test("lost pieces: a promoted one is not lost, and trays do not count", () => {
	const start: Standing[] = [[0, 0, 1], [1, 0, 1], [2, 1, 1], [3, 2, 5]];
	assert.deepEqual(lostPieces(board, start, start, 1), []);
	assert.deepEqual(lostPieces(board, start, [[0, 0, 1], [2, 1, 1], [3, 2, 4]], 1), [0]);
	assert.deepEqual(lostPieces(board, start, [[0, 1, 1], [1, 0, 1], [2, 1, 1]], 1), [], "a Valg became a Trog");
	assert.deepEqual(lostPieces(board, start, [[0, 1, 1]], 1), [0, 0]);
	assert.deepEqual(lostPieces(board, start, [], 1), [0, 0, 1]);
	assert.deepEqual(lostPieces(board, start, [], 2), []);
});

test("the move counter leaves out chance", () => {
	const line = (...seats: number[]) => ({ line: seats.map((seat) => ({ move: "", seat, seconds: null })), seats: [{}, {}] }) as unknown as Play;
	assert.deepEqual([line(), line(1), line(1, 2), line(1, 0, 0, 2, 1, 0)].map(moveNumber), [1, 1, 2, 2]);
});

test("chance has its own words", () => {
	assert.equal(wordsOf("warptrog")?.chance.title, "Warps");
	assert.equal(wordsOf("backgammon")?.chance.title, "Dice");
});

test("without warps there is no button for them", () => {
	assert.equal(wordsOf("warptrog:rules=1983")?.fixed("warptrog:rules=1983").length, 1);
	assert.equal(wordsOf("warptrog:warps=0")?.fixed("warptrog:warps=0").length, 0);
	assert.equal(wordsOf("race"), undefined);
});
