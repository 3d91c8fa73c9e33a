// review.test.ts - a review in words: turning points, numbers, values, rows, what practice accepts, and its address.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { reviewLink } from "../src/review/link";
import { isAccepted } from "../src/review/Practice";
import { accuracyText, lessonsOf, marksOf, diceRows, plyName, plyNumber, plyText, plyTitle, rowsOf, sharesOf, shortValue, spokenValue, turningPoints, valueSentence, withTurns } from "../src/review/words";
import { scoreText } from "../src/pages/score";
import type { MoveClass, Review, ReviewPly } from "../src/types";

function ply(number: number, kind: MoveClass, lost: number, more: Partial<ReviewPly> = {}): ReviewPly {
	return {
		ply: number, seat: number % 2 ? 1 : 2, move: `m${number}`, class: kind, glyph: "", forced: false, only: false, lost, best: "b", text: null,
		expected: 0.5, score: 0.3, depth: 8, result: null, in: null, ...more,
	};
}

const review: Review = {
	game: "chess", sides: ["White", "Black"], accuracy: [91.26, null], unit: "pawns",
	start: { expected: 0.52, score: 0.2, depth: 8, result: null, in: null },
	plies: [ply(1, "best", 0), ply(2, "blunder", 0.4), ply(3, "inaccuracy", 0.06), ply(4, "mistake", 0.12), ply(5, "blunder", 0.5), ply(6, "good", 0.01)],
};

test("the moves that lost most are the turning points, in order", () => {
	assert.deepEqual(turningPoints(review).map((one) => one.ply), [2, 4, 5]);
	assert.deepEqual(lessonsOf(review, 2).map((one) => one.ply), [2, 4]);
	assert.deepEqual(marksOf(review).map(({ at, tone }) => `${at} ${tone}`), ["2 blunder", "3 inaccuracy", "4 mistake", "5 blunder"]);
	assert.equal(sharesOf(review).length, 7);
});

test("moves are numbered by pairs where two sides alternate", () => {
	const second = ply(2, "best", 0), third = ply(3, "best", 0);
	assert.deepEqual([plyNumber(second, true, 1), plyNumber(third, true, 1)], ["1…", "2."]);
	assert.deepEqual([plyNumber(ply(1, "best", 0), true, 2), plyNumber(second, true, 2)], ["1…", "2."]);
	assert.equal(plyNumber(third, false, 1), "3.");
	assert.deepEqual([plyNumber(ply(1, "best", 0), true, 6), plyNumber(second, true, 6)], ["3…", "4."], "b15: from move 3 of the second side");
	assert.deepEqual(rowsOf([{ ...second, seat: 2 }, { ...third, seat: 1 }]).map((row) => row.map((one) => one?.ply ?? null)), [[null, 2], [3, null]]);
});

test("with dice a row is a turn of each player, numbered as in the game", () => {
	const game = [["roll 54", 0], ["24/20 13/8", 1], ["roll 62", 0], ["24/18 13/11", 2], ["roll 31", 0], ["8/5 6/5", 1]] as const;
	const found: Review = { ...review, game: "backgammon", plies: game.map(([move, seat], i) => ply(i + 1, "best", 0, { move, seat })) };
	assert.deepEqual(diceRows(found, "start")?.map(({ number, turns }) => [number, ...turns.map((plies) => plies.map(plyName).join(" "))]),
		[[1, "5-4 24/20 13/8", "6-2 24/18 13/11"], [2, "3-1 8/5 6/5"]]);
	assert.deepEqual(withTurns(found, "start").plies.map((one) => plyNumber(one, false, 1)), ["1.", "1.", "1…", "1…", "2.", "2."]);
	assert.equal(diceRows(review, "start"), null);
	assert.equal(withTurns(review, "start"), review);
});

test("values and moves in words", () => {
	const at = (more: Partial<ReviewPly>) => ply(2, "blunder", 0.5, more);
	assert.equal(valueSentence(at({ result: "draw" }), review), "From here a perfect player draws.");
	assert.equal(valueSentence(at({ result: "win 2", in: 7 }), review), "Black mates in 4.");
	assert.equal(valueSentence(at({ result: "win 2", in: 7 }), { ...review, game: "connect4" }), "From here Black can force a win in 4 moves.");
	assert.equal(valueSentence(at({ expected: 0.4, score: -0.5 }), review), "−0.5 pawns for White. Expected score: Black 60%. Depth 8.");
	assert.deepEqual([at({ score: 1.26 }), at({ score: -0.04 }), at({ result: "draw" }), at({ result: "win 1" }), at({ result: "win 2", in: 3 })].map((one) => shortValue(one, "chess")),
		["+1.3", "0.0", "=", "win", "#−2"]);
	assert.equal(spokenValue(at({ result: "win 2", in: 3 }), review), "Black mates in 2");
	assert.equal(plyTitle(ply(4, "inaccuracy", 0.06, { short: "Qe7", glyph: "?!" }), true, 1), "2… Qe7?!");
	assert.equal(plyText(at({ text: "This allows mate in 3.", short_best: "Qe7" })), "Blunder. This allows mate in 3. Better was Qe7.");
	assert.equal(plyText(ply(3, "best", 0, { only: true })), "The only good move.");
	assert.deepEqual(review.accuracy.map(accuracyText), ["91%", "–"]);
});

test("practice accepts every move that keeps the value", () => {
	assert.deepEqual((["best", "good", "inaccuracy", "blunder"] as MoveClass[]).map((kind) => isAccepted(ply(1, kind, 0))), [true, true, false, false]);
});

test("the address has the id of a play, or the moves", () => {
	const line = [{ move: "e2e4" }, { move: "e7e5" }];
	assert.equal(reviewLink({ id: "local-7", game: "chess", start: "start", line }), "/review/local-7");
	assert.equal(reviewLink({ game: "chess", start: "start", line }), "/review?game=chess&moves=e2e4%2Ce7e5");
});

test("scores are in pawns, for the first side", () => {
	const line = { score: -32, proven: false };
	const unit = { name: "pawns", one: 100 };
	assert.equal(scoreText(line, "chess", { unit, flip: true }), "+0.32");
	assert.equal(scoreText(line, "chess", { unit }), "−0.32");
	assert.equal(scoreText({ score: -0, proven: false }, "chess", { unit }), "0.00");
	assert.equal(scoreText({ score: 5 - 2 ** 30, proven: true, in: 5 }, "chess", { flip: true }), "#3");
});
