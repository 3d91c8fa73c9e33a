// local.test.ts - games that the browser keeps: their results in lists, and copies for the server.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { gameResult } from "../src/local/result";
import { uploadable, uploadRequest } from "../src/local/upload";
import { hasBegun, type StoredGame } from "../src/store/games";
import type { Seat } from "../src/types";

const me = { kind: "person", name: "You" }, level = { kind: "computer", name: "level 2" };

function game(id: string, more: Partial<StoredGame>): StoredGame {
	return { id, game: "noughts", title: "Noughts", seats: [me, level], created: 0, updated: 0, result: null, lines: [], ...more };
}

test("a game has begun when a person has moved", () => {
	const seats = [{ kind: "computer", name: "Novice 1" }, { kind: "person", name: "" }];
	const header = "{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\",\"seats\":[\"level:1\",\"human\"]}";
	const first = "{\"move\":\"5\",\"seat\":1,\"time\":0.1}", own = "{\"move\":\"1\",\"seat\":2}";
	assert.deepEqual([[header], [header, first], [header, first, own]].map((lines) => hasBegun({ lines, seats })), [false, false, true]);
	assert.ok(hasBegun({ lines: [header], seats: seats.filter(({ kind }) => kind === "computer") }), "nobody moves but computers");
});

test("the result is told from the player's side", () => {
	assert.equal(gameResult(game("a", {})), "in progress");
	assert.equal(gameResult(game("a", { result: "win 1" })), "won");
	assert.equal(gameResult(game("a", { result: "win 2" })), "lost");
	assert.equal(gameResult(game("a", { result: "draw" })), "draw");
	assert.equal(gameResult(game("a", { result: "none" })), "no result");
	assert.equal(gameResult(game("a", { result: "win 2", seats: [level, level] })), "Level 2 won");
});

test("only finished games without a copy are uploaded, the oldest first", () => {
	const games = [game("new", { result: "draw" }), game("going", {}), game("copied", { result: "draw", uploaded: "x" }), game("old", { result: "win 1" })];
	assert.deepEqual(uploadable(games).map(({ id }) => id), ["old", "new"]);
});

test("a copy has the same players, and is private", () => {
	const seat = (number: number, kind: Seat["kind"], spec: string | null): Seat => ({ seat: number, kind, name: "", spec, you: false, connected: false });
	const seats = [seat(1, "person", null), seat(2, "computer", "level:2")];
	assert.deepEqual(uploadRequest({ game: "noughts", seats }, "lines"), { game: "noughts", seats: ["human", "level:2"], record: "lines", private: true });
});
