// analysis.test.ts - unit tests of the analysis board: scores, numbers of moves, the explorer, what a FEN has besides its pieces.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { addMoves, countMoves, openingOf, positionKey, resultMark, segmentsOf, sortedMoves, visitsOf, type ReplayedGame } from "../src/analysis/explore";
import { isPlain } from "../src/analysis/keep";
import { pointText } from "../src/board/EvalGraph";
import { enPassantSquares, fenOf, numberOf, withNumber } from "../src/pages/castling";
import { lookOf } from "../src/pages/engine";
import { firstMove, pliesBefore } from "../src/pages/numbers";
import { numberedNames, roundsOf } from "../src/pages/rounds";
import { barScore, scoreText, spokenScore } from "../src/pages/score";
import { back, newTree, playAll, setNote } from "../src/tree";
import { groupsOf, unitOf } from "../src/pages/termgroups";
import { reviewOfTree } from "../src/review/ReviewLine";
import type { AnalysisMessage, Board, BookPosition } from "../src/types";

const PAWNS = { name: "pawns", one: 100 }, DISCS = { name: "discs", one: 8 }, MEN = { name: "men", one: 100 };
const at = (score: number, share?: number) => ({ score, proven: false, ...(share === undefined ? {} : { share }) });

test("scores: pawns and men with two digits, whole discs, a percentage without a unit, always for the first side", () => {
	assert.equal(scoreText(at(35), "chess", { unit: PAWNS }), "+0.35");
	assert.equal(scoreText(at(35), "chess", { unit: PAWNS, flip: true }), "−0.35");
	assert.equal(scoreText(at(-1), "chess", { unit: PAWNS }), "−0.01");
	assert.equal(scoreText(at(0), "minichess", { unit: PAWNS, flip: true }), "0.00");
	assert.equal(scoreText(at(-120), "draughts", { unit: MEN, flip: true }), "+1.20");
	assert.equal(scoreText(at(33), "reversi", { unit: DISCS }), "+4");
	assert.equal(scoreText(at(33), "reversi", { unit: DISCS, flip: true }), "−4");
	assert.equal(scoreText(at(-3), "reversi", { unit: DISCS }), "0");
	assert.equal(scoreText(at(7, 0.57), "gomoku", { percent: true }), "57%");
	assert.equal(scoreText(at(7, 0.57), "gomoku", { percent: true, flip: true }), "43%");
	assert.equal(scoreText(at(160), "backgammon", {}), "+0.160");
	assert.equal(scoreText({ score: 2 ** 30 - 3, proven: true, in: 3 }, "connect4", { flip: true, sides: ["Red", "Yellow"] }), "Yellow wins in 2");
	assert.equal(barScore({ score: 2 ** 30 - 3, proven: true, in: 3 }, "connect4", { flip: true }), "win");
	assert.equal(barScore({ score: 0, proven: true }, "noughts", {}), "=");
	assert.equal(barScore(at(35), "chess", { unit: PAWNS }), "+0.35");
});

test("a forced win is counted in moves of the side that wins: a mate in chess, with a sign for White", () => {
	const mate = (plies: number, more = {}) => ({ score: (plies % 2 ? 1 : -1) * (2 ** 30 - plies), proven: true, in: plies, ...more });
	const sides = ["White", "Black"] as const;
	assert.equal(scoreText(mate(3), "chess", { sides }), "#2");
	assert.equal(scoreText(mate(3), "chess", { sides, flip: true }), "#−2");
	assert.equal(scoreText(mate(4), "chess", { sides }), "#−2", "White is mated by Black's second move");
	assert.equal(barScore(mate(1), "chess", { sides }), "#1");
	assert.equal(spokenScore(mate(3), "chess", { sides }), "White mates in 2");
	assert.equal(spokenScore(mate(4), "chess", { sides }), "Black mates in 2");
	assert.equal(spokenScore(mate(7), "minichess", { sides, flip: true }), "Black wins in 4 moves");
	assert.equal(spokenScore(mate(1), "minichess", { sides }), "White wins in 1 move");
	assert.equal(spokenScore(at(35), "chess", { sides, unit: PAWNS }), "+0.35");
	assert.equal(scoreText(mate(7, { proven: false }), "gomoku", { sides }), "White is winning");
});

test("terms of the evaluation: groups in chess, one row for each name, values for the first player", () => {
	const term = (name: string, counts: number[], weight: number, value: number) => ({ name, counts, weight, share: 1, value, cells: [] });
	const found = { seat: 2, eval: "default", value: -6, terms: [term("shelter[51]", [1, 2], 28, 28), term("storm[3]", [0, 1], -7, -7), term("shelter[35]", [1, 1], 23, 0), term("tempo[1]", [0, 1], 47, 47)] };
	const [king, tempo] = groupsOf(found, true).sort((a, b) => a.title.localeCompare(b.title));
	assert.deepEqual([king?.title, king?.value, tempo?.title, tempo?.value], ["King safety", -21, "Right to move", -47]);
	assert.deepEqual(king?.families.map(({ name, sides, value }) => [name, ...sides, value]), [["shelter", 51, 79, -28], ["storm", 0, -7, 7]]);
	assert.deepEqual(groupsOf({ ...found, seat: 1, terms: [term("back-row", [4, 3], 8, 8)] }, false).map(({ title, value }) => [title, value]), [["Back row", 8]]);
	assert.deepEqual([unitOf("chess").text(28), unitOf("reversi").text(-28)], ["+0.28", "−28"]);
});

test("the review of a line of the analysis board has the players and the result of the game, a variation has no result", () => {
	const tree = { ...playAll(newTree("chess", "start"), ["e2e4", "e7e5"]), about: { seats: ["Ana & Bo", "human"], tags: {}, result: "win 1", reason: null, end: 2 } };
	assert.equal(reviewOfTree(tree), "/review?game=chess&moves=e2e4%2Ce7e5&player=Ana+%26+Bo&player=&result=win+1");
	const aside = playAll({ ...tree, cursor: 1 }, ["c7c5"]);
	assert.equal(reviewOfTree({ ...aside, about: { ...tree.about, seats: [] } }), "/review?game=chess&moves=e2e4%2Cc7c5");
	assert.equal(reviewOfTree(newTree("chess", "start")), "");
});

test("a point of the graph is named as players name the move", () => {
	const names = (start: string, moves: string[]) => [...numberedNames(playAll(newTree("chess", start), moves), true).values()];
	assert.deepEqual(names("start", ["e4", "e5", "Nf3"]), ["1. e4", "1… e5", "2. Nf3"]);
	assert.deepEqual(names("8/8/8/8/8/8/8/8 b - - 0 16", ["Qe7", "Nf3"]), ["16… Qe7", "17. Nf3"]);
	assert.deepEqual([...numberedNames(playAll(newTree("starchess", "start"), ["a", "b"]), false).values()], ["1. a", "2. b"]);
});

test("a link has all of a tree that the moves alone do not have", () => {
	const line = playAll(newTree("chess", "start"), ["e2e4", "e7e5"]);
	assert.ok(isPlain(line));
	assert.ok(!isPlain(back(line)), "the rest of the line");
	assert.ok(!isPlain(playAll(back(line), ["c7c5"])), "a variation");
	assert.ok(!isPlain(setNote(line, 1, "$1")), "a glyph");
	assert.ok(!isPlain({ ...line, about: { seats: ["Ana", "Bruno"], tags: {}, result: null, reason: null, end: -1 } }), "names");
});

test("the second side's scores are turned, except in backgammon and with more than two sides", () => {
	const message = { unit: PAWNS } as AnalysisMessage;
	const names = ["White", "Black"];
	assert.deepEqual(lookOf("chess", message, 2, names), { percent: true, flip: true, unit: PAWNS, sides: names });
	assert.equal(lookOf("chess", message, 1, names).flip, false);
	assert.deepEqual(lookOf("backgammon", {} as AnalysisMessage, 2, names), { percent: true, flip: false, sides: ["Black", "White"] });
	assert.deepEqual(lookOf("starchess", {} as AnalysisMessage, 2, ["a", "b", "c", "d"]), { percent: false, flip: false });
	assert.equal(pointText(3, 0.55, "Black", "2. f6", "+2"), "2. f6: +2, 55% for Black");
	assert.equal(pointText(1, 0.57, "X", "1. 5", "57%"), "1. 5: 57% for X");
	assert.equal(pointText(0, null, "White"), "start");
});

test("b15: moves are numbered from the position", () => {
	const black = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3";
	assert.deepEqual(firstMove("chess", "start"), { number: 1, second: false });
	assert.deepEqual(firstMove("chess", black), { number: 3, second: true });
	assert.equal(pliesBefore(firstMove("chess", black)), 5);
	assert.deepEqual(firstMove("minichess", "7 B/kqbnr/ppppp/...../...../PPPPP/RNBQK"), { number: 7, second: true });
	assert.deepEqual(firstMove("reversi", `${"-".repeat(64)} O`), { number: 1, second: true });
	assert.deepEqual(firstMove("draughts", "W:W32:B1"), { number: 1, second: true });
	assert.deepEqual(firstMove("gomoku:size=19", "19/19 x"), { number: 1, second: false });
	const rounds = (start: string) => roundsOf(playAll(newTree("chess", start), ["a", "b", "c"]), 1)
		.map((part) => "number" in part ? [part.number, ...part.turns.map((turn) => turn ? turn.ids.length : 0)] : []);
	assert.deepEqual(rounds(black), [[3, 0, 1], [4, 1, 1]]);
	assert.deepEqual(rounds(black.replace(" b ", " w ")), [[3, 1, 1], [4, 1]]);
	assert.deepEqual(rounds("start"), [[1, 1, 1], [2, 1]]);
});

test("the explorer counts games by position, however it was reached", () => {
	assert.equal(positionKey("chess", "8/8 w - - 12 34"), "8/8 w - -");
	assert.equal(positionKey("draughts", "B:W21:B1:H7"), "B:W21:B1");
	assert.equal(positionKey("morris", "... W 9 9 3"), "... W 9 9");
	assert.equal(positionKey("noughts", "x........ o"), "x........ o");
	const step = (move: string, position: string, seat: number) => ({ move, position, seat, scores: null });
	const replayed = (result: string, levels: (number | null)[], ...course: [string, string][]): ReplayedGame =>
		({ visits: visitsOf("noughts", "S", course.map(([move, position], i) => step(move, position, i % 2 + 1))), result, levels });
	const games = [
		replayed("win 1", [null, 3], ["1", "a"], ["2", "ab"], ["3", "abc"]),
		replayed("draw", [5, null], ["3", "c"], ["2", "bc"], ["1", "abc"]), // a transposition
		replayed("win 2", [null, null], ["1", "a"], ["2", "ab"], ["4", "abd"]),
		replayed("none", [null, null], ["1", "a"]), // without a result it does not count
		replayed("win 1", [2, 4], ["1", "S"], ["2", "S"]), // back at the start: the first visit counts
	];
	const at = (key: string) => countMoves(games, key, 2);
	assert.deepEqual(sortedMoves(at("S")), [
		{ move: "1", games: 3, wins: [2, 1], draws: 0, people: 2, level: 2 },
		{ move: "3", games: 1, wins: [0, 0], draws: 1, people: 0, level: 5 },
	]);
	assert.deepEqual(at("ab").map(({ move, games: count }) => [move, count]), [["3", 1], ["4", 1]]);
	assert.deepEqual(at("nowhere"), []);
	const sum = addMoves(at("S"), [{ move: "1", games: 1, wins: [0, 0], draws: 1, people: 0, level: 6 }, { move: "9", games: 1, wins: [1, 0], draws: 0, people: 1, level: null }]);
	assert.deepEqual(sortedMoves(sum).map(({ move, games: count, draws, level }) => [move, count, draws, level]), [["1", 4, 1, 4], ["3", 1, 1, 5], ["9", 1, 0, null]]);
	assert.deepEqual(segmentsOf({ wins: [1, 2], draws: 1, games: 4 }), [{ of: "first", percent: 25 }, { of: "draws", percent: 25 }, { of: "second", percent: 50 }]);
	assert.deepEqual(["win 1", "win 2", "draw", "win 3", null].map(resultMark), ["1–0", "0–1", "½–½", "3", "*"]);
	const book = { moves: [{ move: "d3", alike: ["c4"], name: null, towards: "Tiger" }] } as unknown as BookPosition;
	assert.deepEqual([openingOf(book, "c4"), openingOf(book, "e6"), openingOf(null, "c4")], ["Tiger", "", ""]);
});

test("squares of en passant captures, and the FEN of any board", () => {
	assert.deepEqual(enPassantSquares("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"), ["d6"]);
	assert.deepEqual(enPassantSquares("4k3/8/8/8/PpP5/8/8/4K3 b - - 0 3"), ["a3", "c3"]);
	assert.deepEqual(enPassantSquares("4k3/8/8/8/PpP5/8/8/4K3 w - - 0 3"), []);
	assert.deepEqual(enPassantSquares("4k3/2p5/8/1Pp5/8/8/8/4K3 w - - 0 3"), [], "its first square is taken");
	assert.deepEqual(enPassantSquares(""), []);
	assert.equal(numberOf("8/8/8/8/8/8/8/8 w - - 0 17"), 17);
	assert.equal(withNumber("8/8/8/8/8/8/8/8 w - - 0 17", 0), "8/8/8/8/8/8/8/8 w - - 0 1");
	const cells = Array.from({ length: 64 }, (_, i) => ({ row: 7 - Math.floor(i / 8), column: i % 8 }));
	const board = { cells, pieces: [{ name: "white king" }, { name: "black knight" }] } as unknown as Board;
	assert.equal(fenOf(board, [], 1, 1), "8/8/8/8/8/8/8/8 w - - 0 1");
	assert.equal(fenOf(board, [[4, 0, 1], [63, 1, 1]], 2, 9), "7n/8/8/8/8/8/8/4K3 b - - 0 9");
});
