// mutations.test.ts - files that somebody damaged: every text is read or refused with a reason.
// SPDX-License-Identifier: MIT

import { test } from "node:test";
import assert from "node:assert/strict";
import { readJournal, writeJournal } from "../src/journal";
import { gamesOfPgn } from "../src/pages/gamefiles";

const journal = `{"quevedo":1,"game":"chess","position":"start","seats":["human","level:3"],"tags":{"White":"Ann"}}
{"move":"e2e4","seat":1,"time":1.5}
{"move":"e7e5","seat":2}
{"note":"a note"}
{"undo":2}
{"redo":1}
{"move":"c7c5","seat":2,"time":0}
{"clock":{"seat":2,"ms":299997}}
{"result":"win 1","reason":"resigns"}
`;

const pgn = `[Event "Club"]
[White "Ann"]
[Result "1-0"]

1. e4 {a comment} e5 (1... c5 ; a line
) 2. Bc4 1-0

[Event "Club"]

1. d4 *
`;

const pieces = ["{", "}", "[", "]", '"', "\\", "\n", "\r", ";", ":", ",", "-1", "1e99", "null", '"undo"', '"redo":9', "__proto__", "\u0000", "\ud800", "💥", "0".repeat(40)];

/** The same numbers in every run. */
function random(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

/** Some pieces inserted, removed, doubled or moved. */
function mutate(text: string, next: (below: number) => number): string {
	for (let changes = 1 + next(4); changes > 0; changes--) {
		const from = next(text.length + 1), to = from + next(12), piece = text.slice(from, to), at = next(text.length + 1);
		const put = [pieces[next(pieces.length)] as string, "", piece + piece, piece.split("").reverse().join("")][next(4)] as string;
		text = next(8) === 0 ? text.slice(0, at) + piece + text.slice(at) : text.slice(0, from) + put + text.slice(to);
	}
	return text;
}

/** The journal, or null if it was refused, for which there must be a reason. */
function read(text: string): ReturnType<typeof readJournal> | null {
	try {
		return readJournal(text);
	} catch (error) {
		assert.ok(error instanceof Error && (error.constructor === Error || error.constructor === SyntaxError), `${String(error)} for ${JSON.stringify(text)}`);
		assert.ok(error.message.length > 0);
		return null;
	}
}

test("a damaged journal is refused, or is one that can be written and read again", () => {
	const next = random(23);
	let good = 0;
	for (let i = 0; i < 5000; i++) {
		const text = mutate(journal, next), found = read(text);
		if (!found)
			continue;
		good++;
		const written = writeJournal(found.tree), again = read(written);
		assert.ok(again, `what was written of ${JSON.stringify(text)} is refused`);
		assert.equal(writeJournal(again.tree), written, JSON.stringify(text));
	}
	assert.ok(good > 100 && good < 4500, `${good} of 5000 were read`);
});

test("a damaged PGN file is some number of games, each with a title", () => {
	const next = random(7);
	for (let i = 0; i < 5000; i++) {
		const text = mutate(pgn, next), games = gamesOfPgn(text);
		assert.ok(games.length <= text.split("\n").length);
		for (const { title, text: game } of games) {
			assert.ok(title.length > 0);
			assert.ok(game.split("\n").length <= text.split("\n").length);
		}
	}
});
