// puzzles.test.ts - puzzles: reading the files, ratings, the choice of the next one, the perfect player.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { hasLadder, ladderOf, loadPuzzles } from "../src/puzzles/files";
import { puzzleGames } from "../src/puzzles/games";
import { dailyOf, dayNumber, guessRating, idOf, parsePuzzles, resultFact, taskText, wrongText, type Puzzle } from "../src/puzzles/parse";
import { givenAway, perfectReply } from "../src/puzzles/perfect";
import { afterDaily, afterTry, choosePuzzle, progressIn, readProgress, shownRating, statsOf } from "../src/puzzles/progress";
import { attemptOf } from "../src/puzzles/ratings";

const TEXT = `quevedo puzzles 1 connect4
# a comment
win 3; 40; search; 4, 3, 5|6; ......./......./......./......./......./....... x
keep draw; 9000; solver; 1; x...../; x
`;

test("puzzles: a file is read with goals, alternatives and a guess of the rating", () => {
	const [first, second, ...rest] = parsePuzzles(TEXT);
	assert.ok(first && second && rest.length === 0);
	assert.deepEqual(first.goal, { kind: "win", plies: 3 });
	assert.deepEqual(first.line, [["4"], ["3"], ["5", "6"]]);
	assert.equal(second.position, "x...../; x");
	assert.ok(second.rating > first.rating);
	assert.ok(guessRating(1e12, 20) <= 2600 && guessRating(0, 1) >= 600);
	assert.throws(() => parsePuzzles("win 3; 40"), /not a file/);
	assert.throws(() => parsePuzzles("quevedo puzzles 1 chess\nmate 3; 1; search; a; b"), /not a puzzle/);
});

test("puzzles: every file of the page can be read, without doubles, and few solutions are one move long", async () => {
	for (const game of puzzleGames) {
		const puzzles = await loadPuzzles(game);
		assert.equal(new Set(puzzles.map(({ id }) => id)).size, puzzles.length, game);
		const easy = puzzles.filter(({ goal }) => goal.kind === "win" && goal.plies === 1).length;
		assert.ok(puzzles.length < 20 || easy <= 0.15 * puzzles.length, `${game}: ${easy} of ${puzzles.length}`);
		for (const puzzle of puzzles)
			assert.match(taskText(puzzle, "White"), /^White to move: [^.]*\.$/);
		if (hasLadder(game))
			assert.ok(ladderOf(puzzles).every((one, i, all) => i === 0 || (all[i - 1] as Puzzle).rating <= one.rating), game);
	}
});

test("puzzles: the task and the fact are sentences", () => {
	assert.equal(taskText({ game: "chess", goal: { kind: "win", plies: 5 } }, "Black"), "Black to move: mate in 3.");
	assert.equal(taskText({ game: "connect4", goal: { kind: "win", plies: 1 } }, "Red"), "Red to move: win at once.");
	assert.equal(resultFact({ goal: { kind: "best", lead: -4 } }), "With best play it loses by 4 discs.");
	assert.equal(wrongText({ game: "chess", goal: { kind: "win", plies: 5 } }, 2, "Qh5"), "Qh5 doesn't force mate in 2. Try again.");
	assert.equal(wrongText({ game: "chess", goal: { kind: "win", plies: 5 } }, 4, "Qh5"), "Qh5 isn't mate. Try again.");
	assert.equal(wrongText({ game: "morris", goal: { kind: "gain", pieces: 1, plies: 3 } }, 0, "d6"), "d6 doesn't force a mill. Try again.");
	assert.equal(wrongText({ game: "reversi", goal: { kind: "best", lead: 0 } }, 0, "a1"), "a1 loses. Find the move that draws.");
});

test("puzzles: both ratings move, the first more, and the streak ends with an error", () => {
	const [puzzle] = parsePuzzles(TEXT) as [Puzzle];
	const start = readProgress(null);
	const won = afterTry(start, "connect4", puzzle, true), lost = afterTry(won, "connect4", puzzle, false);
	assert.ok(progressIn(won, "connect4").you.rating > 1500);
	assert.ok(statsOf(won, "connect4", puzzle).rating < puzzle.rating);
	assert.deepEqual([progressIn(won, "connect4").streak, progressIn(lost, "connect4").streak, progressIn(lost, "connect4").best], [1, 0, 1]);
	assert.ok(progressIn(lost, "connect4").you.rating < progressIn(won, "connect4").you.rating);
	assert.equal(statsOf(lost, "connect4", puzzle).tries, 2);
	/* The first error does not lead to the easiest puzzles, and the rating is shown when it says something. */
	let now = afterTry(start, "connect4", puzzle, false);
	assert.equal(progressIn(now, "connect4").you.rating, 1400);
	for (let tries = 1; tries < 10; tries++) {
		assert.equal(shownRating(progressIn(now, "connect4")), null);
		now = afterTry(now, "connect4", puzzle, true);
	}
	assert.ok(shownRating(progressIn(now, "connect4")));
	assert.deepEqual(readProgress(JSON.stringify(lost)), lost);
	assert.deepEqual(readProgress('{"games":{"chess":{"you":3}},"puzzles":4}'), start);
});

test("puzzles: ids and guesses are those of the server (tests/unit/server_puzzles.c)", () => {
	assert.equal(idOf("3k3b/r2p4/3N4/pp5p/1P1p4/P2KR3/2PRB3/6q1 b - - 0 40"), "1x272dg");
	assert.deepEqual([idOf(""), idOf("\x7f")], ["ztntfp", "1xdnrgu"]);
	assert.deepEqual([guessRating(29, 1), guessRating(99, 2), guessRating(0, 1)], [931, 1110, 650]);
});

test("puzzles: a measured rating comes before the guess and before this browser's own", () => {
	const [puzzle] = parsePuzzles(TEXT) as [Puzzle];
	const measured = { ...puzzle, measured: { id: puzzle.id, rating: 1777, deviation: 60, tries: 9, solved: 4 } };
	const tried = afterTry(readProgress(null), "connect4", puzzle, true);
	assert.equal(statsOf(tried, "connect4", measured).rating, 1777);
	assert.deepEqual(attemptOf(puzzle, true, { rating: 3210.4, deviation: 20, volatility: 0.06 }), { puzzle: puzzle.id, solved: true, rating: 3000, deviation: 50 });
});

test("puzzles: days in a row", () => {
	let now = afterDaily(readProgress(null), "chess", 10);
	now = afterDaily(now, "reversi", 10);
	now = afterDaily(now, "chess", 11);
	assert.equal(now.days.count, 2);
	assert.equal(afterDaily(now, "chess", 13).days.count, 1);
	assert.equal(dayNumber(new Date(2026, 0, 2)) - dayNumber(new Date(2026, 0, 1)), 1);
});

test("puzzles: the daily puzzle visits all, the next one is near your rating and new", () => {
	const puzzles = Array.from({ length: 24 }, (_, i): Puzzle =>
		({ id: String(i), game: "chess", position: "", goal: { kind: "win", plies: 3 }, line: [["a"]], rating: 1000 + 50 * i }));
	assert.equal(new Set(Array.from({ length: 24 }, (_, day) => dailyOf(puzzles, day)?.id)).size, 24);
	assert.equal(dailyOf([], 3), null);
	const next = choosePuzzle(puzzles, readProgress(null), "chess", 0);
	assert.equal(next?.rating, 1500);
	const after = afterTry(readProgress(null), "chess", next as Puzzle, true);
	assert.notEqual(choosePuzzle(puzzles, after, "chess", 0)?.id, next?.id);
});

test("puzzles: the perfect player wins soon, loses late, and sees what you gave away", () => {
	const values = (...list: [string, "win" | "draw" | "loss" | "unknown", number | null][]) =>
		({ exact: true, values: list.map(([move, value, plies]) => ({ move, value, in: plies })) });
	assert.equal(perfectReply(values(["a", "loss", 9], ["b", "win", 5], ["c", "win", 3])), "c");
	assert.equal(perfectReply(values(["a", "loss", 2], ["b", "loss", 8])), "b");
	assert.equal(perfectReply(values()), null);
	assert.equal(givenAway(values(["a", "loss", 2], ["b", "draw", null]), "win"), "yes");
	assert.equal(givenAway(values(["a", "loss", 2], ["b", "draw", null]), "draw"), "no");
	assert.equal(givenAway(values(["a", "loss", 2], ["b", "unknown", null]), "win"), "unproved");
});
