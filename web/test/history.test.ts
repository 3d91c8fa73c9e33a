// history.test.ts - unit tests of the end of a game and of the list of finished games.
// SPDX-License-Identifier: MIT
import { test } from "node:test";
import assert from "node:assert/strict";
import { nextLevel, playAgainst, scoreRows } from "../src/end/EndPanel";
import { pliesToShow } from "../src/end/picture";
import { plainPaint } from "../src/end/svg";
import { captionOf } from "../src/end/caption";
import { endingOf } from "../src/end/words";
import { allGames, isFound, isRated, NO_SEARCH, opponentsOf, outcomeOf, sumText, type PlayedGame } from "../src/history/entries";
import { levelBeaten, levelRatings, ratingCourse } from "../src/history/ratings";
import { resultOf, type LevelData } from "../src/pages/levelfacts";
import { byTurn, timeText, turnOf } from "../src/pages/lobby";
import measured from "../src/pages/levels.json";
import type { StoredGame } from "../src/store/games";
import type { Board, FinishedGame, Game, Play } from "../src/types";

const piece = (name: string, seat: number) => ({ name, seat, body: "", detail: null, paint: "dark", most: 1 });
const board = { pieces: [piece("black disc", 1), piece("white disc", 2)] } as Board;
const levels = [1, 2, 3].map((n) => ({ spec: `level:${n}`, name: `level ${n}`, player: "" }));
const game = { name: "reversi", title: "Reversi", perfect: false, classics: [], ladders: [{ name: "own", title: "", help: "", levels }] } as unknown as Game;

/** A finished game of seat 1, against a level. */
function ended(name: string, result: string, reason: string | null = null, more: Partial<Play["view"]> = {}): Play {
	return {
		id: "abc", game: name, title: name, result, reason, start: "start", clocks: null, dice: null, private: false, line: [],
		view: { scores: null, points: [1, 0], standing: [], result, over: true, position: "", ...more },
		seats: [
			{ seat: 1, kind: "person", name: "Ann", spec: null, you: true, connected: true },
			{ seat: 2, kind: "computer", name: "level 2", spec: "level:2", you: false, connected: false },
		],
	} as unknown as Play;
}

test("the end of a game in words", () => {
	const title = (...args: Parameters<typeof ended>) => endingOf(ended(...args), board).title;
	assert.equal(title("chess", "win 1", "checkmate"), "You won by checkmate");
	assert.equal(title("chess", "win 2", "time"), "You lost on time");
	assert.equal(title("chess", "win 2", "resigns"), "You resigned");
	assert.equal(endingOf(ended("chess", "win 2", "resigns"), board).detail, "White wins.");
	assert.equal(title("chess", "win 1", "resigns"), "You won by resignation");
	assert.equal(title("chess", "draw", "stalemate"), "Draw by stalemate");
	assert.equal(title("connect4", "win 2"), "You lost");
	assert.equal(title("reversi", "win 1", null, { scores: [40, 24] }), "You won, 40 discs to 24");
	assert.equal(endingOf(ended("connect4", "win 2"), board).detail, "Level 2 (white) has four in a row.");
	assert.equal(title("connect4", "win 1"), "You won with four in a row");
	assert.equal(title("reversi", "win 2", null, { scores: [24, 40] }), "You lost, 24 discs to 40");
	assert.equal(title("reversi", "draw", null, { scores: [32, 32] }), "Draw, 32 discs each");
	assert.equal(title("chess", "win 2", "disconnect"), "You lost because you left");
	assert.equal(title("chess", "draw", "dead position"), "Draw because neither side can checkmate");
	assert.equal(title("backgammon", "win 2", null, { points: [-2, 2], position: "" }), "You lost a gammon, 2 points");
	assert.equal(title("hexapawn", "none"), "Game abandoned");
	const detail = (...args: Parameters<typeof ended>) => endingOf(ended(...args), board).detail;
	assert.equal(detail("draughts", "win 1"), "White has no pieces left.");
	assert.equal(detail("draughts", "win 1", null, { standing: [[0, 1, 1]] }), "White has no legal move.");
	assert.equal(detail("morris", "win 2", null, { scores: [2, 5] }), "Black has only two men left.");
	assert.equal(detail("race", "win 2"), "All of White's pieces are home.");
	assert.equal(detail("minichess", "win 1"), "White's king was captured.");
	const watched = ended("chess", "win 2", "checkmate");
	watched.seats = watched.seats.map((seat) => ({ ...seat, you: false }));
	assert.equal(endingOf(watched, board).title, "Level 2 (white) won by checkmate");
	assert.equal(captionOf(ended("chess", "win 1", "checkmate"), board), "Ann – Level 2 · Black won by checkmate");
});

test("B6: the score at the end is the score, not the result", () => {
	const rows = scoreRows(ended("reversi", "win 2", "resigns", { scores: [6, 4], points: [0, 1] }), board);
	assert.deepEqual(rows.map(({ name, score }) => [name, score]), [["You", "6"], ["Level 2", "4"]]);
	assert.deepEqual(scoreRows(ended("chess", "win 1"), board).map(({ score }) => score), ["", ""]);
});

test("the next level, and the same game against it", () => {
	assert.equal(nextLevel(ended("reversi", "win 1"), game)?.spec, "level:3");
	const top = ended("reversi", "win 1");
	top.seats[1]!.spec = "level:3";
	assert.equal(nextLevel(top, game), null);
	assert.deepEqual(playAgainst(ended("reversi", "win 1"), "level:3"), { game: "reversi", seats: ["human", "level:3"], private: false });
});

test("an animation has the first and the last position, and not too many", () => {
	assert.deepEqual(pliesToShow(3), [0, 1, 2, 3]);
	assert.deepEqual(pliesToShow(0), [0]);
	const many = pliesToShow(5000);
	assert.deepEqual([many.length, many[0], many[many.length - 1]], [400, 0, 5000]);
});

test("colours become plain ones", () => {
	assert.deepEqual(plainPaint("rgb(1, 2, 255)"), { paint: "#0102ff", alpha: 1 });
	assert.deepEqual(plainPaint("rgba(240, 205, 60, 0.55)"), { paint: "#f0cd3c", alpha: 0.55 });
	assert.deepEqual(plainPaint("color(srgb 1 0.5 0 / 0.62)"), { paint: "#ff8000", alpha: 0.62 });
	assert.deepEqual(plainPaint("none"), { paint: "none", alpha: 1 });
});

// ---- Your games ----

const LINES = ['{"play":1,"given":1}', '{"quevedo":1,"game":"reversi","position":"start"}', '{"play":"engine","name":"browser"}', '{"move":"d3"}'];
const stored = (id: string, level: number, result: string | null, day: number, uploaded?: string): StoredGame => ({
	id, game: "reversi", title: "Reversi", created: 0, updated: day * 86400000, result, lines: LINES, ...(uploaded ? { uploaded } : {}),
	seats: [{ kind: "person", name: "You" }, { kind: "computer", name: `level ${level}`, spec: `level:${level}` }],
});
const onServer = (id: string, day: number): FinishedGame => ({
	id, game: "chess:rule=x", title: "Chess", created: 0, ended: day * 86400, result: "win 2", reason: null, plies: 9,
	seats: [
		{ seat: 1, kind: "person", name: "Bea", spec: null, you: false, connected: false },
		{ seat: 2, kind: "person", name: "Ann", spec: null, you: true, connected: false },
	],
});

test("B19: finished games of the server and of this browser are one list, copies once", () => {
	const games = allGames([onServer("s1", 5), onServer("s2", 2)], [stored("a", 1, "win 1", 3), stored("b", 1, null, 9), stored("c", 2, "draw", 2, "s2")]);
	assert.deepEqual(games.map(({ id, outcome, stored: here }) => [id, outcome, here]), [["s1", "won", null], ["local-a", "won", "a"], ["s2", "won", "c"]]);
	assert.equal(opponentsOf(games[0]!), "Bea");
	assert.equal(sumText(games), "3 games: 3 won, 0 draws, 0 lost");
	const found = (search: Partial<typeof NO_SEARCH>) => games.filter((one) => isFound(one, { ...NO_SEARCH, ...search })).map(({ id }) => id);
	assert.deepEqual(found({ game: "chess" }), ["s1", "s2"]);
	assert.deepEqual(found({ opponent: "LEVEL" }), ["local-a"]);
	assert.deepEqual(found({ outcome: "lost" }), []);
	assert.deepEqual(found({ since: "1970-01-05" }), ["s1"]);
	assert.deepEqual(found({ until: "1970-01-05" }), ["local-a", "s2"]);
	assert.equal(outcomeOf("win 1", [{ kind: "person", name: "", spec: null, you: true }, { kind: "person", name: "", spec: null, you: true }]), "other");
});

test("a rating against levels", () => {
	const points = levelRatings(game, resultOf), [first, second] = points;
	assert.equal(first, 1000);
	assert.equal(Math.round(second!), 1147);
	const games = allGames([onServer("s", 1)], [
		...Array.from({ length: 12 }, (_, i) => stored(`w${i}`, 2, "win 1", i)), stored("l", 3, "win 2", 20), stored("p", 9, "win 1", 21),
	]);
	const course = ratingCourse(games, game, points);
	assert.equal(course.length, 13, "chess and an unknown level do not count");
	assert.ok(course[11]!.after.rating > second!, "twelve wins against level 2");
	assert.ok(course[12]!.after.rating < course[11]!.after.rating);
	assert.ok(course[12]!.after.deviation < course[0]!.after.deviation);
	assert.equal(levelBeaten(1150, game, points)?.name, "level 2");
	assert.equal(levelBeaten(900, game, points), null);
	assert.deepEqual(ratingCourse([] as PlayedGame[], game, points), []);
	assert.equal(ratingCourse(games.map((one) => ({ ...one, rated: false })), game, points).length, 0);
});

test("only full games from the start, without undo, hints and other players, count", () => {
	assert.ok(isRated(LINES));
	assert.ok(isRated([...LINES.slice(0, 3), '{"play":"sit","seat":2,"spec":"level:3"}', LINES[3]!]), "before the first move");
	for (const line of ['{"undo":1}', '{"play":"help"}', '{"play":"sit","seat":2,"spec":"level:1"}', '{"play":"swap"}'])
		assert.ok(!isRated([...LINES, line]), line);
	assert.ok(!isRated([LINES[0]!, '{"quevedo":1,"game":"reversi","position":"x"}', LINES[3]!]), "a custom position");
	assert.ok(!isRated(['{"play":1,"given":3}', ...LINES.slice(1)]), "given moves");
	assert.ok(!isRated(['{"play":1,"given":1,"dice":"typed"}', ...LINES.slice(1)]), "typed dice");
	assert.ok(!isRated([]));
});

test("your turn comes first in lists, then the newest", () => {
	const entry = (your_turn: boolean, turn: number, updated: number, left: number | null = null) => turnOf({ your_turn, turn, updated, left });
	const list = [entry(false, 2, 9), entry(true, 1, 3), entry(false, 0, 5), entry(true, 2, 7, 2.6 * 86400000)].sort(byTurn);
	assert.deepEqual(list.map(({ kind, updated }) => [kind, updated]), [["yours", 7], ["yours", 3], ["theirs", 9], ["waiting", 5]]);
	assert.equal(turnOf({ your_turn: true, turn: 1, updated: 3, left: null, damaged: 5 }).kind, "damaged");
	assert.equal(timeText(list[0]!), "3 days left");
	assert.equal(timeText({ kind: "theirs", left: 90000, updated: 0 }), "1 min left");
});

test("the levels are as far apart as their games against each other say", () => {
	const players = ["a", "b", "c", "d", "e"];
	const ladder = players.map((player, i) => ({ spec: `level:${i + 1}`, name: player, player }));
	const one = { name: "morris", ladders: [{ name: "own", title: "", help: "", levels: ladder }] };
	/* Scores of 80 %, 100 %, 40 %, and one of an older player. */
	const data = { morris: [{ player: "a" }, { player: "b", result: [75, 10, 15] }, { player: "c", result: [100, 0, 0] },
		{ player: "d", result: [4, 8, 8] }, { player: "old", result: [50, 0, 50] }] };
	assert.deepEqual(levelRatings(one, (which, i) => resultOf(which, i, data)).map(Math.round), [1000, 1241, 2039, 2046, 2193]);
	/* The page's own data. */
	const rows = (measured as LevelData)["noughts"]!;
	const own = { name: "noughts", ladders: [{ ...one.ladders[0]!, levels: rows.map(({ player }, i) => ({ spec: `level:${i + 1}`, name: "", player })) }] };
	const [wins, draws, losses] = rows[1]!.result as [number, number, number];
	const expected = 1000 + 400 * Math.log10((wins + draws / 2) / (losses + draws / 2));
	assert.ok(Math.abs(levelRatings(own, resultOf)[1]! - expected) < 0.001);
});
