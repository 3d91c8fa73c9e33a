// play.test.ts - unit tests of the play page: rounds, premoves, offers, material, status texts, rights, the menu.
// SPDX-License-Identifier: MIT

import { test } from "node:test";
import assert from "node:assert/strict";
import { treeOfPlay } from "../src/journal";
import { rollName, roundsOf, timeText, type Part } from "../src/pages/rounds";
import { leadOf } from "../src/play/captures";
import { sideInText, sideName } from "../src/board/text";
import { canUndo } from "../src/play/Controls";
import { declinedOffers } from "../src/play/offers";
import { mustPass } from "../src/play/pass";
import { cellsOf, legalPremove, premovesOf } from "../src/play/premove";
import { roleOf } from "../src/play/rights";
import { canSolve, isSolvable, whyUnsolved } from "../src/play/solvable";
import { lastMoveText, statusText } from "../src/play/status";
import { replyTime } from "../src/play/thinking";
import { areCurrent } from "../src/play/ThoughtsPanel";
import { newTree, playMove, goTo, setNote, type GameTree } from "../src/tree";
import type { Board, Cell, Game, Move, Piece, Play, Seat, Standing, View } from "../src/types";
import { menuPlace } from "../src/ui/menu";

const cell = (name: string, tone = "light"): Cell =>
	({ name, x: 0, y: 0, width: 100, height: 100, slant: 0, row: 0, column: 0, group: 0, shape: "rectangle", tone });
const piece = (name: string, seat: number | null): Piece => ({ name, body: "M0 0Z", detail: null, paint: "light", seat, most: 1 });
const board: Board = {
	game: "chess", title: "Chess", width: 100, height: 100, ground: "wood", turnable: true, lines: [], labels: [],
	cells: [..."abcdef"].map((name) => cell(name)),
	pieces: ["king", "queen", "knight", "pawn"].flatMap((name) => [piece(`white ${name}`, 1), piece(`black ${name}`, 2)]),
};
const [KING, BLACK_KING, QUEEN, BLACK_KNIGHT, PAWN] = [0, 1, 2, 5, 6];

const seat = (number: number, kind: Seat["kind"], you = false, spec: string | null = null): Seat =>
	({ seat: number, kind, name: kind === "computer" ? "level 1" : "Ann", spec, you, connected: true });
const view = (more: Partial<View> = {}): View => ({
	game: "chess", position: "", seat: 1, turn: 1, moves: [], standing: [], marks: [], scores: null, over: false, result: null, points: null,
	text: null, last: null, ...more,
});
const play = (more: Partial<Play> = {}): Play => ({
	type: "play", id: "p", url: "", version: 1, turn: 1, game: "chess", title: "Chess", created: 0, private: false,
	seats: [seat(1, "person", true), seat(2, "person")], owner: true, view: view(), start: "start", line: [], redo: 0,
	tree: [{ parent: -1, move: null }], cursor: 0, clocks: null, dice: null, luck: null, offers: [], thinking: false, engine: "browser",
	result: null, reason: null, rematch: null, memory: null, ...more,
});

// ---- Moves ----

/** "1. e4|e5" */
function rowsText(tree: GameTree, parts: Part[]): string[] {
	const name = (id: number) => tree.nodes[id]?.move ?? "?";
	return parts.map((part) => "remark" in part ? `(${part.remark})` : "variations" in part ? `[${part.variations.map(name)}]`
		: `${part.number}. ${part.turns.map((turn) => turn?.ids.map(name).join("+") ?? "…").join("|")}`);
}
const grow = (moves: [string, number][]) => moves.reduce((tree, [move, who]) => playMove(tree, move, who), newTree("chess", "start"));
const rows = (tree: GameTree) => rowsText(tree, roundsOf(tree, 1));

test("the thoughts of a move that was taken back are not shown", () => {
	const thoughts = { seat: 2, done: true, line: { move: "e7e5" } } as Parameters<typeof areCurrent>[0];
	const line = (...moves: string[]) => play({ line: moves.map((move, i) => ({ move, seat: 1 + i % 2, seconds: 1 })) });
	assert.ok(areCurrent(thoughts, line("e2e4", "e7e5")) && areCurrent(thoughts, line("e2e4", "e7e5", "g1f3")));
	assert.ok(!areCurrent(thoughts, line()) && !areCurrent(thoughts, line("e2e4", "e7e5", "g1f3", "b8c6")));
	assert.ok(!areCurrent({ ...thoughts, done: false }, line("e2e4")) && areCurrent({ ...thoughts, done: false }, play({ thinking: true, view: view({ seat: 2 }) })));
});

test("two players have a column each, also where a player begins late or moves twice", () => {
	assert.deepEqual(rows(grow([["e4", 1], ["e5", 2], ["Nf3", 1]])), ["1. e4|e5", "2. Nf3"]);
	assert.deepEqual(rows(grow([["e4", -1], ["e5", -1], ["Nf3", -1]])), ["1. e4|e5", "2. Nf3"]);
	assert.deepEqual(rows(grow([["e5", 2], ["Nf3", 1], ["Nc6", 2]])), ["1. …|e5", "2. Nf3|Nc6"]);
	assert.deepEqual(rows(grow([["a", 1], ["b", 1], ["c", 2]])), ["1. a", "2. b|c"]);
});

test("notes and variations interrupt a round, which then continues", () => {
	let tree = setNote(grow([["e4", 1], ["e5", 2], ["Nf3", 1]]), 1, "well");
	assert.deepEqual(rows(tree), ["1. e4", "(well)", "1. …|e5", "2. Nf3"]);
	tree = playMove(goTo(tree, 1), "c5", 2);
	assert.deepEqual(rows(tree), ["1. e4", "(well)", "1. …|e5", "[c5]", "2. Nf3"]);
});

test("a roll stands with the player who rolled; what chance does after a move stands with that move", () => {
	assert.deepEqual(rows(grow([["roll 3 1", 0], ["8/5", 1], ["roll 6", -1], ["pass", 2], ["roll 2", 0]])),
		["1. roll 3 1+8/5|roll 6+pass", "2. roll 2"]);
	assert.deepEqual(rows(grow([["warp", 1], ["a1", 0], ["b1-b2", 2]])), ["1. warp+a1|b1-b2"]);
	const branched = playMove(goTo(grow([["roll 3", 0], ["0-1", 1], ["roll 6", 0], ["0-2", 2]]), 2), "roll 5", 0);
	assert.deepEqual(rows(branched), ["1. roll 3+0-1|roll 6", "[roll 5]", "1. …|0-2"]);
});

test("the tree of a play has the seats and times of its line", () => {
	const line = [{ seat: 2, seconds: 3.25 }, { seat: 1, seconds: null }];
	const { nodes } = treeOfPlay({ game: "chess", start: "start", cursor: 2, line, tree: [{ parent: -1, move: null }, { parent: 0, move: "e5" }, { parent: 1, move: "d4" }] });
	assert.deepEqual(nodes.map((node) => [node?.seat, node?.seconds]), [[-1, null], [2, 3.25], [1, null]]);
	assert.deepEqual(["roll 31", "roll 3 1", "roll 6", "a1"].map(rollName), ["3-1", "3-1", "6", "a1"]);
	assert.deepEqual([0.42, 9.96, 59.4, 65, 3725].map(timeText), ["0.4 s", "10 s", "59 s", "1:05", "1:02:05"]);
});

// ---- Premoves ----

test("any way of an own piece can be entered, and only a drag ends on an own piece", () => {
	const standing: Standing[] = [[0, KING, 1], [1, PAWN, 1], [5, BLACK_KING, 1]];
	const moves = premovesOf(board, { standing, moves: [{ move: "f-e", clicks: [5, 4] }] }, 1);
	assert.equal(moves.length, 2 * 5);
	assert.deepEqual(moves.filter(({ clicks }) => !clicks.length).map(({ touches }) => touches), [[0, 1], [1, 0]]);
	assert.deepEqual(cellsOf(moves.find(({ clicks }) => clicks[1] === 5)?.move ?? ""), [0, 5]);
	assert.equal(cellsOf("a-b"), null);
});

test("any empty cell can be entered where pieces are placed, but no tray", () => {
	const trays: Board = { ...board, cells: [...board.cells, cell("tray", "tray")] };
	const moves = premovesOf(trays, { standing: [[0, KING, 1]], moves: [{ move: "b", clicks: [1] }] }, 1);
	assert.deepEqual(moves.map(({ clicks }) => clicks), [[1], [2], [3], [4], [5]]);
});

test("a premove is played if it is legal, with a queen; one that needs another choice is not", () => {
	const legal: Move[] = [{ move: "ab", clicks: [0, 1] }, { move: "cdn", clicks: [2, 3], piece: BLACK_KNIGHT }, { move: "cdq", clicks: [2, 3], piece: QUEEN }];
	assert.equal(legalPremove(board, legal, [0, 1])?.move, "ab");
	assert.equal(legalPremove(board, legal, [2, 3])?.move, "cdq");
	assert.equal(legalPremove(board, legal, [0, 2]), null);
	assert.equal(legalPremove(board, [{ move: "abxc", clicks: [0, 1, 2], touches: [0, 1] }, { move: "abxd", clicks: [0, 1, 3], touches: [0, 1] }], [0, 1]), null);
	assert.equal(legalPremove(board, [{ move: "a", clicks: [0] }], [0])?.move, "a");
	assert.equal(legalPremove(board, [{ move: "aXe", clicks: [0, 2, 4] }], [0, 4])?.move, "aXe", "the end of several jumps");
});

// ---- Offers, rights and texts ----

test("B7: an offer that only disappears was declined; one that has an effect was not", () => {
	const before = play({ offers: [{ kind: "draw", seat: 1 }, { kind: "undo", seat: 2 }] });
	assert.deepEqual(declinedOffers(before, { ...before, offers: [] }), ["draw"]);
	assert.deepEqual(declinedOffers(before, { ...before, offers: [], result: "draw" }), []);
	assert.deepEqual(declinedOffers(before, { ...before, offers: [], cursor: 1 }), []);
	assert.deepEqual(declinedOffers(before, { ...before, offers: [], rematch: "q" }), []);
	assert.deepEqual(declinedOffers(before, { ...before, offers: [], seats: [seat(1, "person"), seat(2, "person", true)] }), []);
	assert.deepEqual(declinedOffers(before, before), []);
});

test("B10: exact values are offered where they can be found", () => {
	const game = (name: string) => ({ name, exact: true }) as Game;
	const pieces = (count: number) => ({ standing: Array.from({ length: count }, (_, i): Standing => [i, 0, 1]) });
	assert.deepEqual(["noughts", "connect4", "hexapawn", "plugin"].map((name) => isSolvable(game(name))), [true, true, true, true]);
	assert.deepEqual(["chess", "reversi", "morris", "noughts3d", "draughts", "minichess", "gomoku"].filter((name) => isSolvable(game(name))), []);
	assert.deepEqual([canSolve(game("chess"), pieces(32)), canSolve(game("chess"), pieces(4))], [false, true]);
	assert.deepEqual([canSolve(game("reversi"), pieces(4)), canSolve(game("reversi"), pieces(50))], [false, true]);
	assert.equal(canSolve({ ...game("connect4"), exact: false }, pieces(4)), false);
	assert.equal(whyUnsolved(game("chess")), "Exact values need a board with at most 7 pieces.");
	assert.equal(whyUnsolved(game("reversi")), "Exact values need a board with at least 44 pieces.");
	assert.equal(whyUnsolved(game("plugin")), "Too complex to solve exactly here.");
});

test("B12: only a single legal pass is forced", () => {
	const pass: Move = { move: "pass", clicks: [] }, other: Move = { move: "a", clicks: [0] };
	assert.deepEqual([[pass], [pass, other], [other], []].map((moves) => mustPass({ view: view({ moves }) })), [true, false, false, false]);
});

test("B16: nobody gets help in a running game between people, spectators neither", () => {
	const allowed = (seats: Seat[], more: Partial<Play> = {}) => roleOf(play({ seats, ...more })).hintsAllowed;
	const between = [seat(1, "person", true), seat(2, "person")], watched = [seat(1, "person"), seat(2, "person")];
	assert.deepEqual([allowed(between), allowed(watched)], [false, false]);
	assert.deepEqual([allowed(between, { result: "draw" }), allowed(watched, { result: "draw" })], [true, true]);
	assert.ok(allowed([seat(1, "person", true), seat(2, "computer")]));
	assert.ok(!allowed([seat(1, "person", true), seat(2, "open")]), "before the opponent has joined");
	assert.ok(allowed([seat(1, "person"), seat(2, "computer")]), "who watches a game against a computer");
	assert.ok(allowed([seat(1, "person", true), seat(2, "person", true)]), "two at one screen");
});

test("B17: two at one screen are called by their sides", () => {
	const both = [seat(1, "person", true), seat(2, "person", true)];
	const here = play({ seats: both, line: [{ move: "e2e4", short: "e4", seat: 1, seconds: 1 }], view: view({ seat: 2 }) });
	assert.equal(lastMoveText(here, board), "White played e4.");
	assert.equal(statusText(here, board), "Black to move.");
});

test("check is said in words; a pass is explained", () => {
	const standing: Standing[] = [[0, KING, 1], [5, BLACK_KING, 1]];
	assert.equal(statusText(play({ view: view({ standing, marks: [0] }) }), board), "Check! Your turn (white).");
	assert.equal(statusText(play({ view: view({ standing, marks: [5] }) }), board), "Black's king can be captured. Your turn (white).");
	assert.equal(statusText(play({ view: view({ standing }) }), board), "Your turn (white).");
	assert.equal(lastMoveText(play({ line: [{ move: "pass", seat: 1, seconds: 0 }] }), board), "You had no legal move and passed.");
});

test("the lead in material belongs to the side that has more", () => {
	const standing: Standing[] = [[0, KING, 1], [1, QUEEN, 1], [2, PAWN, 1], [4, BLACK_KNIGHT, 1], [5, BLACK_KING, 1]];
	assert.deepEqual([leadOf("chess", board, standing, 1), leadOf("chess", board, standing, 2)], [7, 0]);
	assert.equal(leadOf("noughts", board, standing, 1), 0);
});

test("weak levels take a moment to reply to a person; strong ones and clocks do not wait", () => {
	const levels = [1, 2, 3, 4].map((n) => ({ spec: `level:${n}`, name: `level ${n}`, player: "random" }));
	const game = { name: "chess", ladders: [{ name: "own", title: "", help: "", levels }] } as unknown as Game;
	const against = (spec: string, more: Partial<Play> = {}) => replyTime(play({
		seats: [seat(1, "person", true), seat(2, "computer", false, spec)], view: view({ seat: 2 }), line: [{ move: "e4", seat: 1, seconds: 1 }], ...more,
	}), game, 0.5);
	assert.deepEqual(["level:1", "level:2", "level:3", "level:4", "perfect"].map((spec) => against(spec)), [800, 800, 0, 0, 0]);
	assert.equal(against("level:1", { clocks: { terms: "5m", left: [1, 1], running: 2 } }), 0);
	assert.equal(against("level:1", { line: [{ move: "e4", seat: 2, seconds: 1 }] }), 0, "its own move before");
});

test("after a roll the move of the computer is still told", () => {
	const rolled = (seat: number, other = 2) => play({
		game: "race", seats: [seat === 1 ? me : computer, seat === 1 ? computer : { ...me, seat: 2 }], view: view({ game: "race", seat }),
		line: [{ move: "roll 3", seat: 0, seconds: null }, { move: "a1-a4", seat: other, seconds: 0 }, { move: "roll 4", seat: 0, seconds: null }],
	});
	const me = seat(1, "person", true), computer = { ...seat(2, "computer", false, "level:1"), name: "Novice 1" };
	assert.equal(lastMoveText(rolled(1), board), "Novice 1 (black) played a1-a4. You rolled a 4.");
	assert.equal(lastMoveText(rolled(1, 1), board), "You rolled a 4.", "your own move needs no words");
	assert.equal(lastMoveText(play({ game: "race", seats: [me, computer], line: [{ move: "roll 3", seat: 0, seconds: null }] }), board), "You rolled a 3.");
});

test("undo is offered where there is something of yours to take back", () => {
	const computer = seat(2, "computer", false, "level:1"), alone = [seat(1, "person", true), computer];
	const undo = (more: Partial<Play>) => canUndo(play(more), roleOf(play(more)));
	const roll = { move: "roll 31", seat: 0, seconds: null }, own = { move: "8/5 6/5", seat: 1, seconds: 1 }, other = { ...own, seat: 2 };
	assert.equal(undo({ seats: alone }), false);
	assert.equal(undo({ seats: alone, line: [roll] }), false, "an opening roll");
	assert.equal(undo({ seats: alone, line: [roll, other] }), false, "the computer has begun");
	assert.equal(undo({ seats: alone, line: [roll, own] }), true);
	assert.equal(undo({ seats: alone, line: [roll, own], result: "win 2" }), true);
	assert.equal(undo({ line: [own, other] }), true, "of another person it is asked");
	assert.equal(undo({ line: [own, other], result: "win 2", reason: "resigned" }), false, "a game with others has ended");
});

test("keys lead through a menu", () => {
	const texts = ["Swap", "Share", "Export"];
	assert.deepEqual([["ArrowDown", 0], ["ArrowDown", 2], ["ArrowUp", 0], ["Home", 2], ["End", 0], ["s", 0], ["s", 1], ["e", 0], ["q", 0]]
		.map(([key, at]) => menuPlace(texts, at as number, key as string)), [1, 0, 2, 0, 2, 1, 0, 2, -1]);
});

test("sides are named within a sentence as the rules write them", () => {
	const board = (name: string, seat_names?: string[]) => ({ pieces: [{ name, seat: 1 }], ...(seat_names ? { seat_names } : {}) }) as unknown as Board;
	assert.equal(sideName(board("cross"), 1), "X");
	assert.equal(sideInText(board("cross"), 1), "X");
	assert.equal(sideInText(board("white king"), 1), "white");
	assert.equal(sideInText(board("ship", ["Terra"]), 1), "Terra");
});
