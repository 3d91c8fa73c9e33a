// pgn.test.ts - unit tests of splitting a PGN file into games.
// SPDX-License-Identifier: MIT

import { test } from "node:test";
import assert from "node:assert/strict";
import { gamesOfPgn } from "../src/pages/gamefiles";
import { pgnName } from "../src/pgn";

const two = `[Event "Club"]
[White "Ana"]
[Black "Bruno \\"B\\""]
[Result "1-0"]

1. e4 {a comment
[Event "not a tag"]
} e5 2. Bc4 ; { opens nothing
2... Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event "Club"]
[White "?"]
[Result "*"]

1. d4 *
`;

test("games begin with tags behind moves", () => {
	const games = gamesOfPgn(two);
	assert.deepEqual(games.map(({ title }) => title), ['Ana – Bruno "B", 1-0', "Club"]);
	assert.equal(games[0]?.text.split("\n")[5], "1. e4 {a comment");
	assert.equal(games[1]?.text.split("\n")[14], "1. d4 *", "lines keep their numbers");
	assert.doesNotMatch(games[1]?.text ?? "", /Ana/);
});

test("any text is some number of games", () => {
	assert.deepEqual(gamesOfPgn(""), []);
	assert.deepEqual(gamesOfPgn("\n \n"), []);
	assert.deepEqual(gamesOfPgn("1. e4 e5"), [{ title: "Game 1", text: "1. e4 e5" }]);
	assert.equal(gamesOfPgn('[A "b"]\n[A "c"]').length, 1);
	assert.equal(gamesOfPgn('[White "x"]\n{never closed\n[White "y"]\n').length, 1);
	assert.equal(gamesOfPgn('% a remark\r\n[White "x"]\r\n1. e4\r\n[White "y"]\r\n').length, 2);
});

test("PGN of draughts is called PDN", () => {
	assert.deepEqual(["draughts", "chess", "hexapawn:blocked=draw"].map(pgnName), ["PDN", "PGN", "PGN"]);
});
