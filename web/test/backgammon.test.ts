// backgammon.test.ts - unit tests of turns that are entered step by step, of dice, pips and texts.
// SPDX-License-Identifier: MIT

import { test } from "node:test";
import assert from "node:assert/strict";
import { cubeAndMatch, facing, hasPlace, pipsOf, usedDice } from "../src/board/backgammon";
import { middle, outline, rowsOf, stackOf, topOf } from "../src/board/geometry";
import { afterSteps, clickStep, stepBack, stepTargets } from "../src/board/steps";
import { cellText } from "../src/board/text";
import { uprightBoard } from "../src/board/upright";
import { formatOf, formatOptions } from "../src/pages/newplay";
import { outcomeOf } from "../src/play/dice";
import { wordsOf } from "../src/play/words";
import type { Board, Cell, Game, Move, Piece, Play, Standing } from "../src/types";

const cell = (name: string): Cell =>
	({ name, x: 0, y: 0, width: 100, height: 460, slant: 0, row: 0, column: 0, group: 0, shape: "triangle", stack: "up", tone: "light" });
const piece = (name: string, seat: number | null): Piece => ({ name, body: "M0 0Z", detail: null, paint: "light", seat, most: 15 });
const names = [...Array.from({ length: 24 }, (_, i) => String(i + 1)), "White's bar", "Black's bar", "White's tray", "Black's tray", "White's die 1", "White's die 2"];
const board: Board = {
	game: "backgammon", title: "Backgammon", width: 100, height: 100, ground: "felt", turnable: true, lines: [],
	labels: [{ text: "24", x: 0, y: 0 }], cells: names.map(cell),
	pieces: [piece("white man", 1), piece("black man", 2), ...[1, 2, 3, 4, 5, 6].map((face) => piece(`die ${face}`, null))],
};
const at = (name: string | number) => names.indexOf(String(name));
const cells = (...list: (string | number)[]) => list.map(at);
const men = (list: Record<string, number>, kind: number): Standing[] =>
	Object.entries(list).map(([name, count]) => [at(name), kind, count]);
const move = (text: string, clicks: number[], ...ways: number[][]): Move => ({ move: text, clicks, ways });
const sorted = (set: Set<number>) => [...set].sort((a, b) => a - b);

test("steps are entered in any order, joined ones at once", () => {
	const view = { seat: 1, standing: men({ 13: 2, 8: 1 }, 0) };
	const moves = [
		move("13/5", cells(13, 8, 8, 5), cells(13, 10, 10, 5)), move("13/8 13/10", cells(13, 10, 13, 8)),
		move("13/8 8/5", cells(13, 8, 8, 5)), move("13/10 8/3", cells(13, 10, 8, 3)),
	];
	assert.deepEqual(sorted(stepTargets(board, view, moves, [])), cells(8, 13));
	assert.deepEqual(sorted(stepTargets(board, view, moves, cells(13))), cells(5, 8, 10));
	assert.deepEqual(clickStep(board, view, moves, cells(13), at(5)), { clicks: [], play: [moves[0]] });
	const one = clickStep(board, view, moves, cells(8), at(3));
	assert.deepEqual(one, { clicks: cells(8, 3), play: [] });
	assert.deepEqual(sorted(stepTargets(board, view, moves, one.clicks)), cells(13));
	assert.deepEqual(clickStep(board, view, moves, [...one.clicks, at(13)], at(10)).play, [moves[3]]);
	assert.deepEqual(clickStep(board, view, moves, [...one.clicks, at(13)], at(1)).clicks, one.clicks, "a wrong click keeps the steps");
	assert.deepEqual(stepBack(one.clicks), []);
	assert.deepEqual(stepBack([...one.clicks, at(13)]), one.clicks);
});

test("a joined step is not offered if one of its ways hits and the other does not", () => {
	const view = { seat: 1, standing: [...men({ 13: 1 }, 0), ...men({ 8: 1 }, 1)] };
	const moves = [move("13/8*/5", cells(13, 8, 8, 5)), move("13/5", cells(13, 10, 10, 5))];
	assert.deepEqual(sorted(stepTargets(board, view, moves, cells(13))), cells(8, 10));
});

test("a man is taken off only when the turn allows it at that step", () => {
	const roll = (one: number, two: number): Standing[] => [[at("White's die 1"), one + 1, 1], [at("White's die 2"), two + 1, 1]];
	const off = "White's tray";
	/* The man on 8 must come home first. */
	const outside = { seat: 1, standing: [...men({ 8: 1, 4: 1 }, 0), ...roll(4, 2)] };
	const home = [move("8/6 4/off", cells(8, 6, 4, off))];
	assert.deepEqual(sorted(stepTargets(board, outside, home, [])), cells(8));
	assert.deepEqual(clickStep(board, outside, home, [], at(4)).clicks, []);
	assert.deepEqual(sorted(stepTargets(board, outside, home, cells(8, 6))), cells(4));
	assert.deepEqual(sorted(stepTargets(board, outside, home, cells(8, 6, 4))), cells(off));
	/* A 6 takes a man off 5 only after the one on 6 has left. */
	const behind = { seat: 1, standing: [...men({ 6: 1, 5: 1 }, 0), ...roll(6, 1)] };
	const larger = [move("6/5 5/off", cells(6, 5, 5, off)), move("6/off 5/4", cells(6, off, 5, 4))];
	assert.deepEqual(sorted(stepTargets(board, behind, larger, cells(5))), cells(4));
	assert.deepEqual(sorted(stepTargets(board, behind, larger, cells(6))), cells(5, off));
	assert.deepEqual(sorted(stepTargets(board, behind, larger, cells(6, 5, 5))), cells(off));
	/* The die for this point is used already. */
	const used = { seat: 1, standing: [...men({ 6: 1, 2: 2 }, 0), ...roll(4, 2)] };
	const twice = [move("6/2 2/off", cells(6, 2, 2, off))];
	assert.deepEqual(sorted(stepTargets(board, used, twice, [])), cells(2, 6));
	assert.deepEqual(sorted(stepTargets(board, used, twice, cells(2, off))), cells(6));
});

test("men on the bar come first, and hit men go there", () => {
	const view = { seat: 1, standing: [...men({ "White's bar": 1, 13: 3 }, 0), ...men({ 22: 1, 1: 2 }, 1)] };
	const moves = [move("bar/22* 13/11", cells("White's bar", 22, 13, 11))];
	assert.deepEqual(sorted(stepTargets(board, view, moves, [])), cells("White's bar"));
	const after = afterSteps(board, view.standing, cells("White's bar", 22));
	assert.deepEqual(after.find(([on]) => on === at(22)), [at(22), 0, 1]);
	assert.deepEqual(after.find(([on]) => on === at("Black's bar")), [at("Black's bar"), 1, 1]);
	assert.equal(after.find(([on]) => on === at("White's bar")), undefined);
	assert.deepEqual(sorted(stepTargets(board, view, moves, cells("White's bar", 22))), cells(13));
});

test("used dice, pips, and points as each side counts them", () => {
	const dice: Standing[] = [[at("White's die 1"), 7, 1], [at("White's die 2"), 5, 1]]; // 6 and 4
	assert.deepEqual([...usedDice(board, dice, 1, cells(13, 9))], cells("White's die 2"));
	assert.deepEqual([...usedDice(board, dice, 1, cells(5, "White's tray"))], cells("White's die 1"));
	assert.deepEqual([...usedDice(board, dice, 2, cells(1, 7, 7, 11))], cells("White's die 1", "White's die 2"));
	const standing = [...men({ 6: 5, "White's bar": 1, "White's tray": 3 }, 0), ...men({ 1: 2 }, 1)];
	assert.deepEqual([pipsOf(board, standing, 1), pipsOf(board, standing, 2)], [55, 48]);
	assert.equal(facing(board, false), board);
	assert.deepEqual([facing(board, true).labels[0]?.text, facing(board, true).cells[0]?.name], ["1", "24"]);
});

test("a stack grows from the edge and shows as many pieces as fit", () => {
	const point = cell("1");
	assert.deepEqual(stackOf(point, 2, false), [180, 92]);
	assert.deepEqual(stackOf(point, 2, true), [-180, -92]);
	assert.equal(stackOf(point, 15, false).length, 5);
	assert.deepEqual(stackOf({ ...point, stack: undefined } as unknown as Cell, 15, false), [0]);
});

test("on a phone the board is upright: points lie, and the other side sees the mirror image", () => {
	const wide: Board = { ...board, width: 1450, height: 1150, labels: [{ text: "24", x: 1260, y: 25 }],
		cells: board.cells.map((one, i) => ({ ...one, x: 70 + 100 * i, y: i < 12 ? 870 : 280, row: i < 12 ? 2 : 0, column: i, shape: i < 12 ? "triangle" : "triangle-down", stack: i < 12 ? "up" : "down" })) };
	const upright = uprightBoard(wide), [point] = upright.cells;
	assert.ok(point);
	assert.deepEqual([upright.width, upright.height], [936, 1450]);
	assert.deepEqual([point.width, point.height, point.row, point.column, point.shape, point.stack], [368, 100, 0, 2, "triangle-left", "left"]);
	assert.equal(outline(point), "M184 -50V50L-184 0Z");
	assert.equal(outline(point, true), "M-184 -50V50L184 0Z");
	assert.equal(stackOf(point, 15, false).length, 5);
	assert.deepEqual(middle(upright, point, false), { x: 704, y: 70 });
	assert.deepEqual(middle(upright, point, true), { x: 232, y: 70 });
	assert.deepEqual(topOf(upright, point, 1, false), { x: 838, y: 70 });
	assert.deepEqual(rowsOf(upright, true)[0], [0]);
	const other = { ...wide, game: "reversi" };
	assert.equal(uprightBoard(other), other);
});

test("points and men are named in words, and cubes are only for games with the cube", () => {
	const standing = [...men({ 8: 3, 6: 1 }, 0), ...men({ 1: 2 }, 1)];
	assert.deepEqual([8, 6, 1, 2].map((point) => cellText(board, { standing }, at(point))),
		["point 8, 3 white men", "point 6, white man", "point 1, 2 black men", "point 2, empty"]);
	assert.equal(cellText(board, { standing: men({ "White's bar": 2 }, 0) }, at("White's bar")), "White's bar, 2 white men");
	assert.equal(hasPlace(board, piece("cube 2", null)), false);
	assert.equal(hasPlace({ ...board, cells: [...board.cells, cell("cube")] }, piece("cube 2", null)), true);
	assert.equal(hasPlace(board, piece("die 2", null)), true);
});

test("texts: rolls, the cube, results", () => {
	const words = wordsOf("backgammon:match=5");
	const play = (position: string, ...line: string[]) => ({
		game: "backgammon", start: "24:2 24:2 1 -", line: line.map((text) => ({ move: text, seat: 0 })),
		seats: [{ seat: 1, you: true }, { seat: 2, you: false }], view: { position, seat: 1, standing: [], points: [4, 0], moves: [] },
	}) as unknown as Play;
	assert.equal(words?.happened(play("", "roll 56"), board), "You rolled 6-5.");
	assert.equal(words?.happened({ ...play("", "roll 31"), start: "24:2 24:2 - -" }, board), "White rolled 3, Black 1: you begin.");
	assert.equal(words?.due({ ...play("a b - - cube 1 - match 5 2 1", "1/off"), view: { turn: null, position: "a b - - cube 1 - match 5 2 1" } } as unknown as Play, board),
		"White has 2 points, Black 1. Each player rolls one die; the larger one begins.");
	assert.equal(words?.turn?.(play("a b 2 double cube 2 2"), board), "You are doubled to 4. Take or drop?");
	assert.equal(words?.won?.(play("a b 2 won cube 2 2"), 1), "a gammon, 4 points");
	assert.equal(words?.won?.(play("a b 2 won cube 2 2 match 5 5 3"), 1), "the match 5 to 3");
	assert.deepEqual(cubeAndMatch("a b 1 - cube 1 - match 7 6 1 crawford"), { cube: 1, length: 7, score: [6, 1], crawford: true, phase: "-" });
	assert.deepEqual(cubeAndMatch("a b 1 31"), { cube: null, length: 0, score: [0, 0], crawford: false, phase: "31" });
});

test("a number stands for a roll: each takes as many numbers as it weighs", () => {
	const rolls = [["roll 11", 1], ["roll 21", 2], ["roll 22", 1]].map(([text, weight]) => ({ move: String(text), clicks: [], weight: Number(weight) }));
	assert.deepEqual([0, 1, 2, 3, 4].map((number) => outcomeOf(rolls, number)), ["roll 11", "roll 21", "roll 21", "roll 22", null]);
	assert.deepEqual([0, 1].map((number) => outcomeOf([{ move: "roll 1", clicks: [] }], number)), ["roll 1", null]);
});

test("formats of a new game", () => {
	const option = (name: string, preset: number) => ({ name, preset, help: "", choices: null, min: 0, max: 64 });
	const game = { name: "backgammon", options: [option("match", 0), option("cube", 0), option("crawford", 1)] } as unknown as Game;
	assert.equal(formatOf(game, {})?.text, "Single game");
	assert.equal(formatOf(game, { match: "5" })?.text, "Match to 5 points");
	assert.equal(formatOf(game, { match: "9" }), undefined);
	const chess = { name: "chess", options: [option("number", 7)] } as unknown as Game;
	const format = formatOf(chess, { start: "960" })!;
	assert.deepEqual(formatOptions(chess, format, (below) => below - 1), { start: "960", number: "64" });
	assert.deepEqual(formatOptions(game, formatOf(game, {})!, () => 1), { match: "0", cube: "0" });
});
