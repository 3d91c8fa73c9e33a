// board_logic.test.mjs - the thinking parts of the board, without a browser: clicks, motion, walking, words, dice.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { messages } from "../../web/messages.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const modules = resolve(process.env.QUEVEDO_MODULES ?? join(root, "web/node_modules"));
const esbuild = createRequire(join(modules, "any.js"))("esbuild");
const folder = mkdtempSync(join(tmpdir(), "quevedo-logic-"));
after(() => rmSync(folder, { recursive: true }));

async function load(path) {
	const outfile = join(folder, path.replace(/\W/g, "_") + ".mjs");
	await esbuild.build({ entryPoints: [join(root, "web/src", path)], bundle: true, format: "esm", outfile, plugins: [messages("en")] });
	return import(pathToFileURL(outfile).href);
}

const entry = await load("board/entry.ts");
const { placeBadges } = await load("board/badges.ts");
const { halfway, captureText, jumped } = await load("board/halfway.ts");
const { motionOf } = await load("board/motion.ts");
const geometry = await load("board/geometry.ts");
const text = await load("board/text.ts");
const { sha256 } = await load("play/sha256.ts");
const { prove } = await load("play/dice.ts");

/** Cells in a square, named a1 to c3 from the bottom left; groups by column if asked for. */
function grid(side, grouped = false) {
	const cells = [];
	for (let i = 0; i < side * side; i++) {
		const column = i % side, row = Math.floor(i / side);
		cells.push({ name: "abcdefgh"[column] + (side - row), x: 50 + 100 * column, y: 50 + 100 * row, width: 100, height: 100,
			slant: 0, row, column, group: grouped ? column + 1 : 0, shape: "rectangle", tone: "light" });
	}
	const pieces = [{ name: "white pawn", seat: 1 }, { name: "black pawn", seat: 2 }];
	return { game: "toy", title: "Toy", width: 100 * side, height: 100 * side, turnable: true, cells, lines: [], labels: [], pieces };
}

const move = (name, clicks, touches) => ({ move: name, clicks, ...(touches ? { touches } : {}) });

test("a click narrows the moves and the last one plays", () => {
	const board = grid(3), moves = [move("a1a2", [6, 3]), move("a1b2", [6, 4]), move("b1b2", [7, 4])];
	assert.deepEqual([...entry.targets(moves, [])], [6, 7]);
	assert.deepEqual(entry.click(board, moves, [], 6), { clicks: [6], play: [] });
	assert.deepEqual([...entry.targets(moves, [6])], [3, 4]);
	assert.deepEqual(entry.click(board, moves, [6], 4).play.map((one) => one.move), ["a1b2"]);
});

test("a piece that jumps several times goes on from where it landed, or straight to the end of its path", () => {
	const board = grid(5), moves = [move("short", [20, 12]), move("left", [24, 12, 0]), move("right", [24, 16, 0])];
	assert.deepEqual(entry.click(board, moves, [24], 12), { clicks: [24, 12], play: [] });
	assert.deepEqual(entry.click(board, moves, [24, 12], 0).play.map((one) => one.move), ["left"]);
	assert.deepEqual(entry.click(board, moves, [24], 0).play.map((one) => one.move), ["left", "right"], "two paths: the user chooses");
	assert.ok(entry.canDrag(moves, 24));
	assert.deepEqual(halfway({ standing: [[24, 0, 1], [18, 1, 1]] }, moves, [24, 12]), [[18, 1, 1], [12, 0, 1]]);
	assert.deepEqual([...jumped(board, moves, [24, 12])], [18]);
});

test("a click on the selected cell unselects, on another piece selects that", () => {
	const board = grid(3), moves = [move("a", [6, 3]), move("b", [7, 4])];
	assert.deepEqual(entry.click(board, moves, [6], 6), { clicks: [], play: [] });
	assert.deepEqual(entry.click(board, moves, [6], 7), { clicks: [7], play: [] });
	assert.deepEqual(entry.click(board, moves, [6], 8), { clicks: [], play: [] });
});

test("moves with the same clicks are a choice", () => {
	const moves = [move("a8=Q", [3, 0]), move("a8=N", [3, 0])];
	assert.deepEqual(entry.click(grid(3), moves, [3], 0).play.map((one) => one.move), ["a8=Q", "a8=N"]);
});

test("a move that begins a longer one waits for more clicks", () => {
	const moves = [move("short", [0, 1]), move("long", [0, 1, 2])];
	assert.deepEqual(entry.click(grid(3), moves, [0], 1), { clicks: [0, 1], play: [] });
});

test("cells of a group stand for the one that plays, unless they play themselves", () => {
	const board = grid(3, true), moves = [move("1", [6]), move("2", [1]), move("2b", [4])];
	assert.deepEqual(entry.click(board, moves, [], 0).play.map((one) => one.move), ["1"]);
	assert.deepEqual(entry.click(board, moves, [], 4).play.map((one) => one.move), ["2b"]);
	assert.deepEqual(entry.click(board, moves, [], 2).play, []);
});

test("a drag means the move by its clicks, or by where it shows", () => {
	const board = grid(3), moves = [move("two", [6, 3]), move("one", [7], [7, 1]), move("none", [])];
	assert.deepEqual(entry.dragged(board, moves, 6, 3).map((one) => one.move), ["two"]);
	assert.deepEqual(entry.dragged(board, moves, 7, 1).map((one) => one.move), ["one"]);
	assert.deepEqual(entry.dragged(board, moves, 7, 4), []);
	assert.equal(entry.canDrag(moves, 8), false);
	assert.deepEqual(entry.unclicked(moves).map((one) => one.move), ["none"]);
});

test("moves that a drag leaves open go on by clicks, unless the clicks are the same", () => {
	const takes = [move("a1-a2xb1", [6, 3, 7], [6, 3]), move("a1-a2xc1", [6, 3, 8], [6, 3])];
	assert.deepEqual(entry.dragged(grid(3), takes, 6, 3), takes);
	assert.deepEqual(entry.sharedClicks(takes), [6, 3]);
	assert.equal(entry.sharedClicks(takes.slice(1)), null);
	assert.equal(entry.sharedClicks([]), null);
	assert.equal(entry.sharedClicks([move("a8=Q", [3, 0]), move("a8=N", [3, 0])]), null);
	assert.equal(entry.sharedClicks([move("short", [0, 1]), move("long", [0, 1, 2])]), null);
});

test("the value of a move stands where its next click goes; of several the best does", () => {
	const badge = (name, worth) => ({ move: name, worth });
	const shown = (moves, badges, clicks) => [...placeBadges(moves, badges, clicks)].map(([cell, { move }]) => [cell, move]).sort();
	const slides = [move("a1-a2", [6, 3]), move("a1-b1", [6, 7]), move("c1-c2xa3", [8, 5, 0]), move("c1-c2xb3", [8, 5, 1])];
	const worth = [badge("a1-a2", 0), badge("a1-b1", -5), badge("c1-c2xa3", -7), badge("c1-c2xb3", 9)];
	assert.deepEqual(shown(slides, worth, []), [[6, "a1-a2"], [8, "c1-c2xb3"]]);
	assert.deepEqual(shown(slides, worth, [6]), [[3, "a1-a2"], [7, "a1-b1"]]);
	assert.deepEqual(shown(slides, worth, [8]), [[5, "c1-c2xb3"]]);
	assert.deepEqual(shown(slides, worth, [8, 5]), [[0, "c1-c2xa3"], [1, "c1-c2xb3"]]);
	assert.deepEqual(shown([move("4", [0], [6]), move("pass", [])], [badge("4", 1), badge("pass", 2), badge("gone", 3)], []), [[6, "4"]]);
});

test("a piece stands where it goes while what it takes is still to be clicked", () => {
	const view = { standing: [[6, 0, 1], [7, 1, 1], [8, 1, 1], [2, 0, 3]] };
	const moves = [move("a1-a2xb1", [6, 3, 7], [6, 3]), move("a1-a2xc1", [6, 3, 8], [6, 3]), move("a1-b2", [6, 4]),
		move("b3xb1", [1, 7], [2, 1]), move("b3xc1", [1, 8], [2, 1])];
	for (const clicks of [[], [6], [0]])
		assert.equal(halfway(view, moves, clicks), null);
	assert.deepEqual(halfway(view, moves, [6, 3]), [[7, 1, 1], [8, 1, 1], [2, 0, 3], [3, 0, 1]]);
	assert.deepEqual(halfway(view, moves, [1]), [[6, 0, 1], [7, 1, 1], [8, 1, 1], [2, 0, 2], [1, 0, 1]]);
	assert.equal(captureText(grid(3), view, moves, [6, 3]), "Take a black pawn");
	assert.equal(captureText(grid(3), view, moves, [6]), null);
});

test("a piece that vanishes here and appears there has slid; a captured one has gone", () => {
	const motion = motionOf([[6, 0, 1], [4, 1, 1], [2, 1, 1]], [[4, 0, 1], [2, 1, 1]], [6, 4]);
	assert.deepEqual(motion.slides, [{ from: 6, to: 4 }]);
	assert.deepEqual(motion.goes, [[4, 1, 1]]);
	assert.equal(motion.comes.size + motion.turns.size, 0);
});

test("discs turn over, new ones come, counts move one by one", () => {
	const flipped = motionOf([[0, 0, 1], [1, 1, 1]], [[0, 0, 1], [1, 0, 1], [2, 0, 1]], [2]);
	assert.deepEqual([[...flipped.turns], [...flipped.comes], flipped.slides, flipped.goes], [[1], [2], [], []]);
	const counted = motionOf([[0, 0, 4]], [[0, 0, 3], [5, 0, 1]], [0, 5]);
	assert.deepEqual([counted.slides, counted.goes], [[{ from: 0, to: 5 }], []]);
});

test("arrow keys walk rows and columns, also on a turned board", () => {
	const board = grid(3), rows = geometry.rowsOf(board, false), turned = geometry.rowsOf(board, true);
	assert.deepEqual(rows, [[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
	assert.deepEqual(turned, [[8, 7, 6], [5, 4, 3], [2, 1, 0]]);
	assert.equal(geometry.walk(rows, board, 4, "ArrowUp"), 1);
	assert.equal(geometry.walk(rows, board, 2, "ArrowRight"), 2);
	assert.equal(geometry.walk(rows, board, 4, "Home"), 3);
	assert.equal(geometry.walk(turned, board, 8, "ArrowRight"), 7);
	assert.equal(geometry.walk(turned, board, 8, "ArrowDown"), 5);
});

test("the position in words", () => {
	const board = grid(3), view = { standing: [[6, 0, 1], [7, 0, 3], [0, 1, 1]] };
	assert.equal(text.cellText(board, view, 6), "a1, white pawn");
	assert.equal(text.cellText(board, view, 4), "b2, empty");
	assert.equal(text.positionText(board, view), "white pawn: a1, b1 (3); black pawn: a3.");
	assert.equal(text.resultText("win 2", board), "Black wins");
	assert.equal(text.resultText("none", board), "Game abandoned");
	assert.equal(text.playerName({ kind: "person", name: "ann" }), "ann");
	assert.equal(text.playerName({ kind: "computer", name: "level 3" }), "Level 3");
});

test("SHA-256 agrees with node's on every length to 200", () => {
	for (let size = 0; size <= 200; size++) {
		const bytes = randomBytes(size);
		assert.equal(Buffer.from(sha256(bytes)).toString("hex"), createHash("sha256").update(bytes).digest("hex"));
	}
});

/** The throw by the words of docs/api.md, with node's own hash. */
function thrown(secret, seed, play, ply, weights) {
	const hash = createHash("sha256").update(Buffer.concat([secret, Buffer.from(seed + play + ply)])).digest();
	return Number(hash.readBigUInt64BE(0) % BigInt(weights));
}

test("an honest throw is proven, a changed one is not", () => {
	for (let ply = 0; ply < 50; ply++) {
		const secret = randomBytes(32), seed = randomBytes(6).toString("hex");
		const last = { commit: createHash("sha256").update(secret).digest("hex"), secret: secret.toString("hex"), seed, ply, weights: 36,
			number: thrown(secret, seed, "abc", ply, 36), move: "" };
		assert.equal(prove(last, "abc", null), "proven");
		assert.equal(prove(last, "abc", last.commit), "proven");
		assert.equal(prove(last, "abc", "00" + last.commit.slice(2, -2) + "xx"), "wrong");
		assert.equal(prove({ ...last, number: (last.number + 1) % 36 }, "abc", null), "wrong");
		assert.equal(prove({ ...last, secret: randomBytes(32).toString("hex") }, "abc", null), "wrong");
	}
});
