// pages.test.ts - unit tests of the new-game form, the editor's tools and other page logic.
// SPDX-License-Identifier: MIT

import { test } from "node:test";
import assert from "node:assert/strict";
import { pageWords, RequestError } from "../src/api";
import { missingRights, possibleRights, rightsOf, withoutRights, withRights } from "../src/pages/castling";
import { editCell, toMove } from "../src/pages/editing";
import { classicOf, easyLevel, firstOpponent, hasPerfect, ladderOf, opponentsOf, settingsOf, withSettings } from "../src/pages/opponents";
import { countsOf, ratingOf, strengthOf } from "../src/pages/levelfacts";
import { levelResults, suggestLevel, type LevelResult, type Outcome } from "../src/play/suggest";
import { asRecord, splitTranscript, treeOfRecord } from "../src/pages/records";
import { scoreText } from "../src/pages/score";
import { cellNames, notionTitle, rowsOfNotions } from "../src/pages/notionrows";
import { chooseComputer, clockWords, customClock, defaultChoices, gameText, isPrivate, optionsOf, playRequest, type NewGameChoices } from "../src/pages/newplay";
import { addLearned, learnedMoves } from "../src/store/learned";
import { ruleParts, rulesAndNotation } from "../src/pages/rules";
import { DOORS, gameToPlay, offered, quickPlay, shelvesOf } from "../src/pages/showcase";
import { largestErrors, plyText } from "../src/pages/lineluck";
import { clockText } from "../src/play/clocks";
import { lossName, luckName, luckRows, rollText, signed, splitText, tutorText } from "../src/play/luck";
import type { Board, Game, LineMove, Notion, Play, Standing } from "../src/types";

const level = (spec: string, name: string) => ({ spec, name, player: "random" });
const game = {
	name: "hexapawn", title: "Hexapawn", seats: 2, chance: false, levels: 4, perfect: true, solved: "loss", help: "",
	ladders: [
		{ name: "own", title: "Own levels", help: "", levels: [1, 2, 3, 4].map((n) => level(`level:${n}`, `level ${n}`)) },
		{ name: "lurgee", title: "Lurgee, a Java program of 2006", help: "", levels: [1, 2, 3].map((n) => level(`level:${n},ladder=lurgee`, `Lurgee level ${n}`)) },
	],
	classics: [],
	options: [
		{ name: "blocked", help: "", choices: ["loss", "draw"], min: 0, max: 1, preset: "loss" },
		{ name: "size", help: "", choices: null, min: 3, max: 9, preset: 3 },
	],
	board: true, editor: true, exact: true, book: true, notions: false, pgn: true,
} satisfies Game;

const choices: NewGameChoices = {
	opponent: "level", computer: "level:2", computers: ["level:1,ladder=lurgee", "perfect"], mix: ["open", "human"], seat: 2, clock: "", typedDice: false,
	from: "start", position: "", opening: null, isPrivate: null, options: {},
};
const never = () => assert.fail("nothing random is needed");

test("default options are left out, others are written and read back", () => {
	assert.equal(gameText(game, { blocked: "loss", size: "3" }), "hexapawn");
	assert.equal(gameText(game, { blocked: "draw", size: "4" }), "hexapawn:blocked=draw,size=4");
	assert.deepEqual(optionsOf("hexapawn:blocked=draw,size=4"), { blocked: "draw", size: "4" });
	assert.deepEqual(optionsOf("hexapawn"), {});
});

test("castling rights are read from a FEN and written into it", () => {
	const fen = "r3k2r/8/8/8/8/8/8/R3K3 w Qkq - 0 1";
	assert.equal(possibleRights(fen), "Qkq");
	assert.equal(rightsOf(fen), "Qkq");
	assert.equal(withRights(fen, "kK"), "r3k2r/8/8/8/8/8/8/R3K3 w k - 0 1");
	assert.equal(withRights(fen, ""), "r3k2r/8/8/8/8/8/8/R3K3 w - - 0 1");
	assert.equal(withoutRights(fen, "Kq"), "r3k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1");
	assert.equal(missingRights("r3k2r/8/8/8/8/8/8/R3K3 w k - 0 1"), "Qq");
	assert.equal(possibleRights("4k3/8/8/8/8/8/8/K6R w - - 0 1"), "");
	assert.equal(possibleRights(""), "");
});

test("who plays becomes seats", () => {
	assert.deepEqual(playRequest(game, choices, never), { game: "hexapawn", seats: ["level:2", "human"] });
	assert.deepEqual(playRequest(game, { ...choices, seat: 0 }, () => 0).seats, ["human", "level:2"]);
	assert.deepEqual(playRequest(game, { ...choices, opponent: "lobby", seat: 1 }, never).seats, ["human", "open"]);
	assert.deepEqual(playRequest(game, { ...choices, opponent: "screen" }, never).seats, ["human", "human"]);
	assert.deepEqual(playRequest(game, { ...choices, opponent: "levels" }, never).seats, ["level:1,ladder=lurgee", "perfect"]);
	assert.deepEqual(playRequest(game, { ...choices, opponent: "mix" }, never).seats, ["open", "human"]);
	assert.deepEqual(defaultChoices({ ...game, seats: 4 }, "", null).mix, ["human", "level:2", "level:2", "level:2"]);
});

test("computers are found on their ladders, and one begins at an easy one", () => {
	assert.equal(ladderOf(game, "level:3")?.name, "own");
	assert.equal(ladderOf(game, "level:3,ladder=lurgee")?.name, "lurgee");
	assert.equal(ladderOf(game, "level:4,ladder=lurgee"), null);
	assert.equal(ladderOf(game, "perfect"), null);
	assert.equal(firstOpponent(game), "level:2");
	assert.equal(easyLevel(game.ladders[1]!), "level:2,ladder=lurgee");
	const ladder = (count: number) => ({ ...game.ladders[0]!, levels: Array.from({ length: count }, (_, i) => level(`level:${i + 1}`, "")) });
	assert.deepEqual([1, 2, 3, 7, 8, 23].map((count) => easyLevel(ladder(count))), ["level:1", "level:1", "level:2", "level:2", "level:3", "level:3"]);
	assert.ok(hasPerfect(game) && !hasPerfect({ ...game, ladders: [{ ...game.ladders[0]!, levels: [level("level:1", "Perfect")] }] }));
	assert.equal(firstOpponent(game, "level:1,ladder=lurgee"), "level:1,ladder=lurgee");
	assert.equal(firstOpponent(game, "perfect"), "perfect");
	assert.equal(firstOpponent(game, "level:9"), "level:2");
	assert.equal(firstOpponent({ ...game, ladders: [] }), "perfect");
	assert.equal(firstOpponent({ ...game, ladders: [], perfect: false }), "");
	assert.deepEqual(opponentsOf(game).map(({ spec }) => spec).slice(3), ["level:4", ...[1, 2, 3].map((n) => `level:${n},ladder=lurgee`), "perfect"]);
	assert.equal(opponentsOf({ ...game, perfect: false }).length, 7);
});

const about = { by: "Somebody, 1983", about: "", ladder: null, position: null, seat: null, settings: [], memory: false };
const turns = { name: "turns", help: "", choices: ["0", "2", "3"], min: 0, max: 9, preset: "2" };
const masks = { name: "all-masks", help: "", choices: null, min: 0, max: 1, preset: 0 };
const mask = { ...about, spec: "mask", title: "Mask", settings: [turns, masks] };
const machine = { ...about, spec: "machine", title: "Machine", position: "KRK w", seat: 1 };
const old = { ...about, spec: "level:2,ladder=lurgee", title: "Lurgee", ladder: "lurgee" };
const classic = { ...game, classics: [mask, machine, old] };

test("a classic opponent is found by its kind or ladder, and its settings are part of its spec", () => {
	assert.equal(classicOf(classic, "mask:turns=3"), mask);
	assert.equal(classicOf(classic, "level:3,ladder=lurgee"), old);
	assert.equal(classicOf(classic, "level:3"), null);
	const twins = { ...game, classics: [mask, { ...mask, spec: "mask:turns=3", title: "Other" }] };
	assert.equal(classicOf(twins, "mask:turns=3"), twins.classics[1], "several of a kind are told apart by their whole specs");
	assert.equal(classicOf(twins, "mask:turns=0"), null);
	assert.deepEqual(settingsOf(mask, "mask:all-masks=1"), { turns: "2", "all-masks": "1" });
	assert.equal(withSettings(mask, { turns: "3", "all-masks": "1" }), "mask:turns=3,all-masks=1");
	assert.equal(withSettings(mask, { turns: "2", "all-masks": "0" }), "mask");
	assert.equal(withSettings({ ...mask, spec: "mask:masks=0" }, { turns: "0" }), "mask:masks=0,turns=0");
	assert.equal(firstOpponent(classic, "mask:turns=0"), "mask:turns=0");
	assert.equal(firstOpponent(classic, "machine"), "level:2", "it needs a position of its own");
	assert.deepEqual(opponentsOf(classic).slice(-2).map(({ spec }) => spec), ["perfect", "mask"]);
});

test("a classic opponent that needs a position gets it, with the other side for you", () => {
	const chosen = chooseComputer(classic, { ...choices, seat: 1 }, "machine", null);
	assert.deepEqual(chosen, { computer: "machine", from: "text", position: "KRK w", seat: 2 });
	const now = { ...choices, ...chosen };
	assert.deepEqual(playRequest(classic, now, never), { game: "hexapawn", seats: ["machine", "human"], position: "KRK w" });
	assert.deepEqual(chooseComputer(classic, now, "level:1", null), { computer: "level:1", from: "start", position: "" });
	assert.deepEqual(chooseComputer(classic, { ...now, position: "my own" }, "level:1", null), { computer: "level:1" });
	assert.deepEqual(chooseComputer(classic, choices, "mask", 2), { computers: ["level:1,ladder=lurgee", "mask"] });
});

test("the losing moves of a learner's file", () => {
	assert.deepEqual(learnedMoves(""), []);
	assert.deepEqual(learnedMoves("quevedo-learned 1 noughts\nx.x.o.x.o o\t2\n"), [{ position: "x.x.o.x.o o", move: "2" }]);
	/* Adds only what the game has learned: nothing that was forgotten since, and nothing twice. */
	assert.equal(addLearned("", "", "head\na\t1\n"), "head\na\t1\n");
	assert.equal(addLearned("", "head\na\t1\n", "head\na\t1\nb\t2\n"), "head\nb\t2\n");
	assert.equal(addLearned("head\nc\t3\nb\t2\n", "", "head\na\t1\nb\t2\n"), "head\nc\t3\nb\t2\na\t1\n");
	const full = `head\n${"a\t1\n".repeat(8190)}`;
	assert.equal(addLearned(full, "", "head\nb\t22222222\n"), full);
});

test("any time control is written for the server and read in words", () => {
	assert.deepEqual([customClock(20, 5), customClock(0.25, 0), customClock(90, 30)], ["1200+5", "15", "5400+30"]);
	assert.deepEqual(["5m", "1m", "15s", "5m+3s", "1s+2s", "3d/move", "1d/move", "5m+1500ms"].map(clockWords), [
		"5 minutes each", "1 minute each", "15 seconds each", "5 minutes + 3 s per move", "1 second + 2 s per move",
		"3 days for each move", "1 day for each move", "clock 5m+1500ms",
	]);
	assert.deepEqual([9950, 61000, 3600000, 86400000, 266400000].map(clockText), ["9.9", "1:01", "1:00:00", "1 d 0 h", "3 d 2 h"]);
});

test("a request contains only what differs from the defaults", () => {
	assert.equal(playRequest(game, { ...choices, opponent: "link" }, never).private, true);
	assert.deepEqual((["level", "levels", "screen", "lobby", "mix"] as const).map((opponent) => isPrivate({ opponent, isPrivate: null })), [true, true, false, false, false]);
	assert.deepEqual([true, false].map((chosen) => playRequest(game, { ...choices, isPrivate: chosen }, never).private), [true, false]);
	assert.equal(playRequest(game, { ...choices, clock: "5m" }, never).clock, "5m");
	assert.equal(playRequest(game, { ...choices, from: "text", position: " .../.../... w " }, never).position, ".../.../... w");
	assert.equal(playRequest(game, { ...choices, position: "left over" }, never).position, undefined);
	assert.equal(playRequest({ ...game, chance: true }, { ...choices, typedDice: true }, never).dice, "typed");
	assert.equal(playRequest(game, { ...choices, typedDice: true }, never).dice, undefined);
});

const board = { pieces: [{ most: 0 }, { most: 4 }] } as unknown as Board;
const pawn = { kind: "piece", piece: 0, count: 1 } as const;
const men = { kind: "piece", piece: 1, count: 3 } as const;

test("a piece is put, replaced, and taken away by the second press", () => {
	const one = editCell(board, [], 5, pawn);
	assert.deepEqual(one, [[5, 0, 1]]);
	assert.deepEqual(editCell(board, one, 5, pawn), []);
	assert.deepEqual(editCell(board, one, 5, men), [[5, 1, 3]]);
	assert.deepEqual(editCell(board, one, 5, { ...pawn, over: true }), one);
});

test("pieces that may stand together are counted up to the most", () => {
	const three = editCell(board, [], 2, men);
	assert.deepEqual(editCell(board, three, 2, { ...men, count: 1 }), [[2, 1, 4]]);
	assert.deepEqual(editCell(board, three, 2, men), []);
	assert.deepEqual(editCell(board, [], 2, { ...men, count: 9 }), [[2, 1, 4]]);
});

test("the eraser and the hand leave the rest alone", () => {
	const some: Standing[] = [[1, 0, 1], [2, 1, 3]];
	assert.deepEqual(editCell(board, some, 2, { kind: "eraser" }), [[1, 0, 1]]);
	assert.equal(editCell(board, some, 7, { kind: "eraser" }), some);
	assert.equal(editCell(board, some, 1, { kind: "hand" }), some);
	assert.deepEqual(toMove(some, 2, 1), [[1, 1, 3]]);
	assert.equal(toMove(some, 7, 1), some);
	assert.equal(toMove(some, 1, 1), some);
});

test("rules are cut where a part has a name", () => {
	const help = "Two sides play.\nThey take turns: always.\nBearing off: at home.\nCube (cube=1): doubles.\nMoves: the squares\n1 to 9.\nPosition: nine characters: x\n";
	assert.deepEqual(ruleParts(help), [
		{ head: null, text: "Two sides play. They take turns: always." },
		{ head: "Bearing off", text: "at home." },
		{ head: "Cube", text: "doubles." },
		{ head: "Moves", text: "the squares 1 to 9." },
		{ head: "Position", text: "nine characters: x" },
	]);
});

test("the notation is kept apart from the rules", () => {
	const { rules, notation } = rulesAndNotation("Two sides play.\nEnd: three in a row wins.\nMoves: 1 to 9.\nPosition: nine characters\n");
	assert.deepEqual(rules.map(({ head }) => head), [null, "End"]);
	assert.deepEqual(notation.map(({ head }) => head), ["Moves", "Position"]);
	assert.deepEqual(rulesAndNotation(""), { rules: [], notation: [] });
});

test("the best games come first, games of plug-ins last, and the tree diagram is not a game", () => {
	const games = ["nim", "diagram", "race", "noughts", "starchess", "chess"].map((name) => ({ ...game, name }));
	const { best, others } = shelvesOf(games);
	const names = (list: Game[]) => list.map(({ name }) => name);
	assert.deepEqual(names(best), ["chess", "starchess"]);
	assert.deepEqual(names(offered(games)), ["chess", "starchess", "noughts", "race", "nim"], "the same order in menus");
	assert.ok(!names(offered(games, "chess")).includes("diagram") && names(offered(games, "diagram:size=2")).includes("diagram"));
	assert.deepEqual(others.map(({ title, games: list }) => [title, ...names(list)]), [["Classics", "noughts"], ["Curiosities", "race"], ["More games", "nim"]]);
	assert.deepEqual(names(shelvesOf([game]).others.flatMap((shelf) => shelf.games)), ["hexapawn"], "empty sections are left out");
});

test("Play now continues with the last game and level, else with an easy one", () => {
	assert.deepEqual(quickPlay(game, {}), { game: "hexapawn", seats: ["human", "level:2"] });
	assert.deepEqual(quickPlay(game, { hexapawn: "level:3" }).seats, ["human", "level:3"]);
	assert.deepEqual(quickPlay(game, { hexapawn: "book" }).seats, ["human", "level:2"], "an opponent that needs more than a press");
	assert.deepEqual(quickPlay({ ...game, seats: 4 }, {}).seats, ["human", "level:2", "level:2", "level:2"]);
	assert.deepEqual(quickPlay({ ...game, ladders: [], perfect: false }, {}).seats, ["human", "human"]);
	const chess = { ...game, name: "chess" };
	assert.equal(gameToPlay([game, chess], ""), chess);
	assert.equal(gameToPlay([game, chess], "hexapawn"), game);
	assert.equal(gameToPlay([game], "gone"), game);
	assert.equal(gameToPlay([], ""), undefined);
});

test("puzzles, first steps, the laboratory and the lessons have a door", () => {
	assert.deepEqual(DOORS.map(({ to }) => to), ["/puzzles", "/learn", "/lab", "/lessons"]);
});

test("an opening becomes moves, from where it begins", () => {
	const opening = { name: "Centre", position: "start", moves: ["b1-b2", "a3-b2"], note: null };
	const from = { ...choices, from: "opening" as const, opening };
	assert.deepEqual(playRequest(game, from, never), { game: "hexapawn", seats: ["level:2", "human"], moves: ["b1-b2", "a3-b2"] });
	const elsewhere = { ...opening, position: "ppp/.P./P.P b" };
	assert.deepEqual(playRequest(game, { ...from, opening: elsewhere }, never),
		{ game: "hexapawn", seats: ["level:2", "human"], moves: ["b1-b2", "a3-b2"], position: "ppp/.P./P.P b" });
	assert.deepEqual(playRequest(game, { ...from, from: "start" }, never), { game: "hexapawn", seats: ["level:2", "human"] });
});

test("notions become table rows in order of appearance, and text", () => {
	const notion = (name: string, seat: number | null, cells: number[]): Notion => ({ name, seat, value: cells.length, cells, mark: "", text: "" });
	const list = [notion("mobility", 1, [0, 2]), notion("corners", 1, []), notion("mobility", 2, [1]), notion("shared", null, [1])];
	assert.deepEqual(rowsOfNotions(list).map(({ name, of }) => [name, of.map((one) => one.seat)]),
		[["mobility", [1, 2]], ["corners", [1]], ["shared", [null]]]);
	const board = { cells: ["a1", "b1", "c1"].map((name) => ({ name })), pieces: [{ name: "black disc", seat: 1 }] } as Board;
	assert.equal(cellNames(board, list[0]!), "On a1, c1.");
	assert.equal(cellNames(board, list[1]!), "");
	assert.equal(cellNames(board, notion("all", 1, Array(13).fill(0))), "On 13 squares.");
	assert.equal(notionTitle(board, list[0]!), "mobility of Black");
	assert.equal(notionTitle(board, list[3]!), "shared");
});

const roll = (luck: number, roller: number): LineMove => ({ move: "roll 3", seat: 0, seconds: null, luck, roller });
const played = (move: string, loss: number, best?: string): LineMove => ({ move, seat: 1, seconds: null, loss, ...(best ? { best } : {}) });

test("luck is summed by seat, and the result is split into luck and skill", () => {
	const luck = { seats: [0.35, -0.12], result: null, skill: null }, name = (seat: number) => `level ${seat}`;
	assert.deepEqual(luckRows(luck, [played("8/5", 0.25), roll(0.1, 2), played("6/5", 0.5)], name),
		[{ name: "level 1", luck: 0.35, errors: 0.75 }, { name: "level 2", luck: -0.12, errors: null }]);
	assert.equal(splitText(luck, "level 1"), null);
	assert.equal(splitText({ ...luck, result: 1, skill: 0.53 }, "level 1"), "level 1: result +1.00, of which luck +0.47 and skill +0.53.");
	assert.equal(splitText(null, "level 1"), null);
	assert.deepEqual([0.29, 0.3, -0.59, -0.6].map(luckName), [null, "lucky", "unlucky", "very unlucky"]);
	assert.equal(rollText([roll(0.7, 2), played("8/5", 0)], name), "level 2: roll 3 was very lucky (+0.70).");
	assert.equal(rollText([roll(0.7, 2), roll(0.1, 1)], name), null);
	assert.deepEqual([0, -0.004, -0.12, 2].map(signed), ["+0.00", "+0.00", "−0.12", "+2.00"]);
});

test("the largest errors of a line, and what is said of a ply", () => {
	const line = [played("a", 0.05), roll(0.2, 2), played("b", 0.5, "c"), played("d", 0.01), played("e", 0.05)];
	assert.deepEqual(largestErrors(line), [3, 1, 5]);
	assert.equal(plyText(line[1]!, String), "2: roll 3, luck +0.20.");
	assert.equal(plyText(line[2]!, String), "b is very bad (??): it loses 0.50. Better: c.");
});

test("the tutor names the last move of a person", () => {
	assert.deepEqual([0.039, 0.04, 0.08, 0.16].map((loss) => lossName(loss)?.[1] ?? ""), ["", "?!", "?", "??"]);
	assert.equal(tutorText([]), null);
	assert.equal(tutorText([roll(0.1, 1)]), null);
	assert.equal(tutorText([played("8/5 6/5", 0.05, "13/10"), roll(0.1, 2)]), "8/5 6/5 is doubtful (?!): it loses 0.05. Better: 13/10.");
	assert.equal(tutorText([played("8/5", 0.3, "13/10"), roll(0, 2), played("6/5", 0.01)]), "6/5 is a good move.");
});

test("scores in words and numbers", () => {
	assert.equal(scoreText({ score: 12, proven: false }), "+12");
	assert.equal(scoreText({ score: -12, proven: false }), "−12");
	assert.equal(scoreText({ score: 2 ** 30 - 3, proven: true, in: 3 }), "wins in 2 moves");
	assert.equal(scoreText({ score: 2 ** 30 - 13, proven: false }), "winning");
	assert.equal(scoreText({ score: 14 - 2 ** 30, proven: false }), "losing");
});

test("the strength of a level is told only for the players that were measured", () => {
	const players = ["a", "b", "c"].map((player, i) => ({ spec: `level:${i + 1}`, name: ["Beginner", "Casual", "Master"][i]!, player }));
	const one = { ...game, ladders: [{ ...game.ladders[0]!, levels: players }] };
	const data = { hexapawn: [{ player: "a" }, { player: "b", result: [141, 4, 55], elo: 1420 }, { player: "c", result: [30, 40, 30] }] };
	assert.equal(strengthOf(one, 0, data), null);
	assert.equal(strengthOf(one, 1, data), "beats Beginner in about 7 of 10 games");
	assert.equal(countsOf(one, 1, data), "Measured: 141 won, 4 drawn, 55 lost against Beginner");
	assert.equal(strengthOf(one, 2, data), "beats Casual in about 3 of 10 games, draws 4");
	assert.equal(strengthOf({ ...one, seats: 4 }, 1, data), "alone against 3 at Beginner, wins about 7 of 10 games (even: 1 in 4)");
	assert.equal(strengthOf(one, 1, { hexapawn: [{ player: "older" }, ...data.hexapawn.slice(1)] }), null);
	assert.equal(ratingOf(one, 1, data), "rating 1420 (engine scale)");
	assert.equal(ratingOf(one, 1, { hexapawn: [{ player: "a" }, { player: "older", elo: 1420 }] }), null);
	assert.equal(ratingOf(one, 2, data), null);
});

test("three wins suggest the next level, three losses the one before", () => {
	const three = (level: string, outcome: Outcome) => [1, 2, 3].map(() => ({ level, outcome }));
	const draw: LevelResult = { level: "level 2", outcome: "draw" };
	assert.equal(suggestLevel(game, three("level 2", "won"))?.text, "You won three in a row: try level 3.");
	assert.equal(suggestLevel(game, three("level 2", "lost"))?.to.spec, "level:1");
	assert.equal(suggestLevel(game, three("level 2", "won").slice(1)), null);
	assert.equal(suggestLevel(game, [...three("level 2", "won"), draw]), null);
	assert.equal(suggestLevel(game, [draw, ...three("level 2", "lost")])?.from.spec, "level:2");
	assert.equal(suggestLevel(game, [...three("level 1", "won").slice(1), { level: "level 2", outcome: "won" }]), null);
	assert.equal(suggestLevel(game, three("level 4", "won")), null, "there is none above the last");
	assert.equal(suggestLevel(game, three("level 1", "lost")), null, "there is none below the first");
	assert.equal(suggestLevel(game, three("mask", "won")), null);
});

test("results against levels are those of one person and computers of one level", () => {
	const me = { kind: "person", name: "" }, computer = { kind: "computer", name: "level 2" };
	const stored = (result: string | null, seats = [me, computer], name = "hexapawn:blocked=draw") => ({ game: name, result, seats });
	assert.deepEqual(levelResults(game, [stored("win 1"), stored("win 1", [computer, me]), stored("draw"), stored(null), stored("win 1", [me, me]),
		stored("win 1", [me, computer], "chess"), stored("win 2", [me, computer, { kind: "computer", name: "level 1" }])]),
	[{ level: "level 2", outcome: "draw" }, { level: "level 2", outcome: "lost" }, { level: "level 2", outcome: "won" }]);
});

test("errors of the server and the engine become sentences of the page", () => {
	assert.equal(pageWords("game 'golf': no such game; 'quevedo games' lists them"), "There is no game called golf.");
	assert.equal(pageWords("game 'ches': no such game; did you mean 'chess'?"), "There is no game called ches; did you mean 'chess'?");
	assert.equal(pageWords("record: line 1: move 3, 'Bc9': not a legal move here"), "Move 3: Bc9 isn't a legal move here.");
	assert.equal(pageWords("move 'Ke3': not a legal move here"), "Ke3 isn't a legal move here.");
	assert.equal(pageWords("login: wrong name or password"), "Wrong name or password.");
});

test("transcripts without separators are moves", () => {
	assert.equal(splitTranscript("f5d6c3d3c4"), "f5 d6 c3 d3 c4");
	assert.equal(splitTranscript(" F5D6\nc3\n"), "F5 D6 c3");
	assert.equal(splitTranscript("h8h10"), "h8 h10");
	assert.equal(splitTranscript("444355"), "4 4 4 3 5 5");
	for (const other of ["", "f5", "4", "e4 Nf3", "8/8/8/8/8/8/8/8 w - - 0 1", "f5d", "x1y"])
		assert.equal(splitTranscript(other), null, other);
});

test("the import takes moves, transcripts and positions, and the first error is shown if a text is none", async (t) => {
	const position = "8/8/8/4k3/8/8/4K2R/8 w - - 0 1";
	const record = (game: string, moves: string[]) => [{ quevedo: 1, game, position: "start" }, ...moves.map((move, i) => ({ move, seat: 1 + i % 2 }))].map((line) => JSON.stringify(line)).join("\n");
	t.mock.method(globalThis, "fetch", async (path: string, { body }: { body: string }) => {
		const sent = JSON.parse(body) as { record?: string; position?: string };
		const refuse = (message: string) => new Response(JSON.stringify({ error: { code: "illegal", message } }), { status: 400 });
		if (path.includes("positions"))
			return sent.position === position ? new Response(JSON.stringify({ position })) : refuse("position: bad");
		const [, game = "", text = ""] = /^\[Variant "(.*?)"\] (.*)$/.exec(sent.record ?? "") ?? [];
		const moves = text.split(" "), wrong = moves.findIndex((move) => !/^([a-h][1-8]|[1-7])$/.test(move));
		return wrong < 0 ? new Response(JSON.stringify({ record: record(game, moves), tree: [], pgn: null }))
			: refuse(`record: line 1: move ${1 + Math.floor(wrong / 2)}, '${moves[wrong]}': not a legal move here`);
	});
	const moves = async (game: string, text: string) => (await treeOfRecord(game, text)).nodes.slice(1).map((node) => node?.move).join(" ");
	assert.equal(await moves("reversi", "f5 d6 c3"), "f5 d6 c3");
	assert.equal(await moves("reversi", "f5d6c3d3c4"), "f5 d6 c3 d3 c4");
	assert.equal(await moves("connect4", "444355"), "4 4 4 3 5 5");
	const tree = await treeOfRecord("chess", `${position}\n`);
	assert.deepEqual([tree.start, tree.nodes.length], [position, 1]);
	assert.match(await asRecord("reversi", "f5d6"), /"move":"d6"/, "the server gets a record");
	assert.equal(await asRecord("chess", '[Event "x"] 1. e4'), '[Event "x"] 1. e4');
	await assert.rejects(treeOfRecord("chess", "e4 e5 Bc9"), (error) => error instanceof RequestError && error.message === "Move 2: Bc9 isn't a legal move here.");
});
