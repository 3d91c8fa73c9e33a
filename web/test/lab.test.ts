// lab.test.ts - the laboratory: the tree of a log, its steps, layout, rows, specs, chart and claims.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { chartCsv, chartSvg, type Measured } from "../src/lab/chart";
import { confirms, fitsTree, randomTree } from "../src/lab/claims";
import { eventAt, momentOf } from "../src/lab/clock";
import { clampCamera, draw, fitCamera, follow, linesOf, type Paints, type Spot } from "../src/lab/draw";
import { closeBelow, closeBeside, isShown, isWide, layOut, shownAncestor } from "../src/lab/layout";
import {
	boundOf, childrenOf, cutKind, eventToShow, movesTo, nextCut, nodesAt, nodesToOpen, number, numbersAt, ownValueAt, worthAt, REASONS, shortCount, treeOf, valueAt, windowText, type Reason,
	type SearchLog,
} from "../src/lab/log";
import { labLink, presetOfQuery } from "../src/lab/presets";
import { keyOf, nameOf, specOf, TECHNIQUES, techniqueOf, withKey } from "../src/lab/specs";
import { guideText, rowsOf, rowText } from "../src/lab/textrows";

const LEAF = 1, CUT = 1 << 16;

/** Visits as [parent, move, best, alpha, beta, value, reasons]. */
function logOf(rows: [number, string, string, number | null, number | null, number | null, number][], more: Partial<SearchLog> = {}): SearchLog {
	const names = ["", ...new Set(rows.flatMap(([, move, best]) => [move, best]).filter(Boolean))];
	const plies: number[] = [];
	rows.forEach(([parent], i) => plies[i] = parent < 0 ? 0 : plies[parent]! + 1);
	return {
		game: "diagram", position: "start", player: "alphabeta:depth=2", seat: 1, seats: 2, move: "A", value: 3, line: ["A", "A1"], depth: 2,
		nodes: rows.length - 1, evaluations: rows.filter((row) => row[6] & LEAF).length, cuts: rows.filter((row) => row[6] & CUT).length,
		seen: rows.length, kept: rows.length, id: 1, names,
		visits: {
			parent: rows.map((row) => row[0]), move: rows.map((row) => names.indexOf(row[1])), best: rows.map((row) => names.indexOf(row[2])),
			ply: plies, depth: plies.map((ply) => 2 - ply), seat: plies.map((ply) => ply === 2 ? null : ply % 2 + 1),
			alpha: rows.map((row) => row[3]), beta: rows.map((row) => row[4]), value: rows.map((row) => row[5]),
			number: rows.map(() => 0), flags: rows.map(() => 0), reasons: rows.map((row) => row[6]), why: rows.map((row) => row[6] & CUT ? 16 : row[6] & LEAF ? 0 : -1),
			untried: rows.map((row) => row[6] & CUT ? 1 : 0),
		},
		...more,
	};
}

/** A(3,5) B(2,9): B2 is cut off. */
const small = logOf([
	[-1, "", "A", null, null, 3, 0],
	[0, "A", "A1", null, null, 3, 0],
	[1, "A1", "", null, null, 3, LEAF],
	[1, "A2", "", null, 3, 5, LEAF],
	[0, "B", "B1", 3, null, 2, CUT],
	[4, "B1", "", 3, null, 2, LEAF],
]);

/** A tree with so many moves at each node. */
function wide(moves: number, plies: number): SearchLog {
	const rows: Parameters<typeof logOf>[0] = [[-1, "", "m0", null, null, 0, 0]];
	const add = (parent: number, left: number) => {
		for (let i = 0; i < moves; i++) {
			const at = rows.length;
			rows.push([parent, `m${i}`, left > 1 ? "m0" : "", 0, 1, 0, left > 1 ? 0 : LEAF]);
			if (left > 1)
				add(at, left - 1);
		}
	};
	add(0, plies);
	return logOf(rows);
}

test("the events of a log enter and leave its nodes in turn", () => {
	const tree = treeOf(small);
	assert.deepEqual([...tree.focus], [0, 1, 2, 3, 1, 4, 5, 4, 0], "a leaf takes one event, other nodes two");
	assert.deepEqual([...tree.born], [0, 1, 2, 3, 5, 6]);
	assert.deepEqual([...tree.done], [8, 4, 2, 3, 7, 6]);
	assert.deepEqual([...tree.evaluations], [0, 0, 1, 2, 2, 2, 3, 3, 3]);
	assert.deepEqual([...tree.cuts], [0, 0, 0, 0, 0, 0, 0, 1, 1]);
	assert.deepEqual([...tree.nodes], [0, 1, 2, 3, 3, 4, 5, 5, 5], "the root is no node of the count");
	assert.equal(tree.nodes[tree.events - 1], small.nodes);
	assert.deepEqual(tree.choosing, { nodes: 0, evaluations: 0 });
	assert.deepEqual([nextCut(tree, -1), nextCut(tree, 7)], [7, -1]);
	assert.deepEqual([0, 4, 5, 8].map((event) => nodesAt(tree, event)), [1, 4, 5, 6]);
	assert.deepEqual([...tree.size], [6, 3, 1, 1, 2, 1]);
	assert.deepEqual([...tree.onLine], [1, 1, 1, 0, 0, 0]);
});

test("a node shows the best of its moves so far, then its own value", () => {
	const tree = treeOf(small);
	assert.deepEqual(valueAt(tree, 1, 2), { value: 3, final: false, bound: "" });
	assert.deepEqual(valueAt(tree, 1, 3).value, 3, "the opponent takes the minimum");
	assert.deepEqual(valueAt(tree, 0, 3).value, null);
	assert.deepEqual(valueAt(tree, 0, 5).value, 3);
	assert.deepEqual(valueAt(tree, 4, 8), { value: 2, final: true, bound: "≤" });
	assert.deepEqual(valueAt(tree, 3, 8), { value: 5, final: true, bound: "" }, "a leaf is exact");
	assert.deepEqual([boundOf(2, 3, null), boundOf(4, 1, 4), boundOf(3, 1, 4)], ["≤", "≥", ""]);
	assert.deepEqual(movesTo(tree, 5), ["B", "B1"]);
	assert.deepEqual(childrenOf(tree, 0, 4), [1]);
	assert.equal(windowText(null, -3), "−∞ … −3");
	assert.deepEqual([2 ** 30 - 3, 4 - 2 ** 30, -1.256, null].map(number), ["W2", "L2", "−1.26", "?"]);
	assert.deepEqual([950, 1250, 34567, 2e6].map(shortCount), ["950", "1.2k", "34k", "2M"]);
});

test("negamax shows a node's value for the player who moves there", () => {
	const tree = treeOf({ ...small, player: "negamax:depth=2" }), before = treeOf(small);
	assert.deepEqual([0, 1, 2, 4].map((node) => worthAt(before, node, 8)[0]?.text), ["3", "3", "3", "≤2"]);
	assert.deepEqual([0, 1, 2, 4].map((node) => worthAt(tree, node, 8)[0]?.text), ["3", "−3", "3", "≥−2"]);
	assert.equal(ownValueAt(tree, 1, 2).value, -3, "the best so far, too");
	assert.equal(valueAt(tree, 1, 8).value, 3, "the log's own is that of the side that searches");
});

test("every reason that leaves out moves is a stop of the next cut-off, and the counter keeps to alpha and beta", () => {
	const bit = (name: Reason) => 1 << REASONS.indexOf(name);
	const rows = (["null-move", "star1", "star2", "won", "hard", "top", "futile", "late", "mate", "razor"] as const).map((name): Parameters<typeof logOf>[0][number] =>
		[0, name, "", null, null, 1, bit(name)]);
	const log = logOf([[-1, "", "A", null, null, 3, 0], ...rows, [0, "cut", "", null, null, 1, CUT], [0, "table", "", null, null, 1, bit("table")], [0, "leaf", "", null, null, 1, LEAF]]);
	const tree = treeOf(log), end = tree.events - 1;
	assert.deepEqual(tree.cutEvents, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
	assert.deepEqual([tree.cuts[end], tree.prunes[end]], [log.cuts, 10]);
	assert.deepEqual([11, 10, 12].map((node) => cutKind(tree, node)), ["cut", "pruned", null]);
	const floor = treeOf(logOf([[-1, "", "A", null, null, 3, bit("razor")], [0, "A", "", null, null, 3, LEAF]]));
	assert.deepEqual(floor.cutEvents, [], "a floor below which nothing is left out");
});

test("evaluations that only choose moves stand apart, so that no counter jumps", () => {
	const tree = treeOf({ ...small, nodes: 7, evaluations: 8 });
	assert.deepEqual(tree.choosing, { nodes: 2, evaluations: 5 });
	assert.deepEqual(treeOf({ ...small, nodes: 90, evaluations: 80, seen: 99 }).choosing, { nodes: 0, evaluations: 0 }, "of a part of a search nothing is known");
});

test("the first look is the first cut-off, and says so", () => {
	const tree = treeOf(small), plain = treeOf(logOf([[-1, "", "A", null, null, 3, 0], [0, "A", "", null, null, 3, LEAF], [0, "B", "", null, null, 2, LEAF]]));
	assert.deepEqual([eventToShow(tree), eventToShow(plain)], [7, 1]);
	assert.match(guideText([{ tree: plain, name: "Minimax" }, { tree, name: "Alpha-beta" }], 1, 7), /^One position, searched in two ways\. .*Alpha-beta made a cut-off .*: Player 1 already has as good a move elsewhere, so the other replies to B cannot matter\.$/);
	assert.equal(guideText([{ tree: plain, name: "Minimax" }], 0, 1), "Each box is a move with its value so far.");
});

test("with three seats every number has its seat", () => {
	const each = treeOf({ ...small, seats: 3, values: [[0, 3, 1, 2], [1, 3, 1, 2], [2, 3, 1, 2], [3, 5, 0, 0], [4, 2, 2, 2], [5, 2, 2, 2]] });
	const scene = { tree: each, event: each.events - 1, windows: true, explore: 0 };
	assert.deepEqual(linesOf(scene, 3), ["A2", "1 5 2 0 3 0"]);
	assert.equal(rowText(each, 3, scene.event, 0), "A2: value 5 for Player 1, 0 for Player 2, 0 for Player 3, evaluated");
	const four = treeOf({ ...small, seats: 4, values: [[0, 3, 1, 2, 0]] });
	four.seats = ["Red", "Yellow", "Green", "Blue"].map((name) => ({ name, letter: name[0]! }));
	assert.deepEqual(linesOf({ ...scene, tree: four }, 0), ["start", "R 3 Y 1", "G 2 B 0"]);
	assert.deepEqual(linesOf({ ...scene, tree: four }, 0, 0), ["start", "R 3"], "a narrow box has the side that searches, and nobody else");
	/* Paranoid and best-reply: all numbers are those of the side that searches. */
	const against = treeOf({ ...small, seats: 3, seat: 2 });
	assert.deepEqual(linesOf({ ...scene, tree: against }, 4).slice(0, 2), ["B", "2 ≤2"]);
	assert.match(rowText(against, 4, scene.event, 0), /^B: value at most 2 for Player 2, window/);
	assert.deepEqual(linesOf({ ...scene, tree: treeOf(small) }, 4).slice(0, 2), ["B", "≤2"], "two seats need no letters");
});

test("a growing tree shows the numbers of each step", () => {
	const tree = treeOf(logOf([], { growth: {
		nodes: { parent: [-1, 0, 0, 1], move: [0, 1, 2, 1], seat: [1, 2, 2, 1] }, kind: "mcts",
		steps: [[0, 0, 1, 0.5], [1, 1, 2, 0.5, 1, 1], [2, 1, 3, 0.25, 1, 0], [3, 1, 4, 0.4, 2, 0.75, 1, 0.5]],
	}, names: ["", "a", "b"] }));
	assert.equal(tree.kind, "mcts");
	assert.deepEqual([...tree.born], [0, 1, 2, 3]);
	assert.deepEqual(numbersAt(tree, 0, 2), [3, 0.25]);
	assert.deepEqual(numbersAt(tree, 1, 2), [1, 1]);
	assert.deepEqual(numbersAt(tree, 1, 3), [2, 0.75]);
	assert.equal(numbersAt(tree, 3, 2), null);
	assert.deepEqual(linesOf({ tree, event: 3, windows: true, explore: 0.7 }, 1).slice(0, 2), ["a", "2 × 0.75"]);
	assert.match(rowText(tree, 3, 3, 0.7), /^a: 1 visit, mean 0.5, UCB term /);
});

test("the layout gives every subtree columns of its own", () => {
	const tree = treeOf(small), open = layOut(tree, new Uint8Array(tree.count));
	assert.deepEqual([open.columns, open.rows], [3, 3]);
	assert.deepEqual([...open.left], [0, 0, 0, 1, 2, 2]);
	assert.deepEqual([...open.right], [3, 2, 1, 2, 3, 3]);
	const closed = layOut(tree, closeBelow(tree, 1));
	assert.deepEqual([closed.columns, closed.rows], [2, 2]);
	assert.deepEqual([isShown(closed, 2), isShown(closed, 4), shownAncestor(tree, closed, 5)], [false, true, 4]);
	const large = treeOf(wide(10, 4));
	assert.equal(layOut(large, new Uint8Array(large.count)).columns, 10000);
	assert.deepEqual([isWide(large), isWide(tree)], [true, false]);
	const line = layOut(large, closeBeside(large, nodesToOpen(large, large.events - 1)));
	assert.deepEqual([line.columns, line.rows], [37, 5], "of a wide tree, the best line with the moves beside it");
});

const PAINTS = new Proxy({}, { get: () => "#000" }) as Paints;

/** Counts what is drawn. */
function canvas(): { context: CanvasRenderingContext2D; calls: Record<string, number> } {
	const calls: Record<string, number> = {};
	const context = new Proxy({}, {
		get: (_, name: string) => () => {
			calls[name] = (calls[name] ?? 0) + 1;
			return { width: 30 }; // of a text
		},
		set: () => true,
	});
	return { context: context as CanvasRenderingContext2D, calls };
}

test("only what the window shows is drawn", () => {
	const tree = treeOf(wide(10, 4)), closed = new Uint8Array(tree.count), layout = layOut(tree, closed);
	const scene = { tree, layout, closed, event: tree.events - 1, chosen: -1, current: 0, windows: true, explore: 0.7 };
	const at = (camera: Parameters<typeof draw>[2]): { spots: Spot[]; calls: Record<string, number> } => {
		const { context, calls } = canvas();
		return { spots: draw(context, scene, camera, PAINTS, 1000, 400), calls };
	};
	const far = at(fitCamera(layout, 1000));
	assert.ok(far.spots.length < 2000, `${far.spots.length} of ${tree.count} nodes`);
	assert.ok((far.calls["fillRect"] ?? 0) < 4000);
	/* Closed branches tell how many nodes they hide, also if they are too small for a text themselves. */
	const written: string[] = [], { context } = canvas();
	const noting = new Proxy(context, { get: (target, name: string) => name === "fillText" ? (text: string) => void written.push(text) : (target as never)[name], set: () => true });
	const folded = closeBelow(tree, 2), small = layOut(tree, folded);
	draw(noting, { ...scene, closed: folded, layout: small }, fitCamera(small, 1000), PAINTS, 1000, 400);
	assert.equal(written.filter((text) => text === "+1.1k").length, 10, "each first move");
	assert.ok(written.includes("+11k"), "the root");
	const near = at({ scale: 84, x: 5000, y: 0 });
	assert.ok(near.spots.length < 40, `${near.spots.length} nodes`);
	assert.ok(near.spots.some(({ node }) => tree.ply[node] === 4));
	assert.ok((near.calls["fillText"] ?? 0) >= 30);
	/* Before the search has come so far, there is nothing. */
	scene.event = 0;
	assert.deepEqual(at(fitCamera(layout, 1000)).spots.map(({ node }) => node), [0]);
	const kept = follow(fitCamera(layout, 1000), layout, tree, tree.count - 1, 1000, 400);
	assert.deepEqual(kept, clampCamera(kept, layout, 1000, 400));
	const moved = follow({ scale: 84, x: 5, y: 0 }, layout, tree, tree.count - 1, 1000, 400);
	assert.ok(moved.x > 9990);
});

test("the text tree opens node by node", () => {
	const tree = treeOf(small), end = tree.events - 1;
	assert.deepEqual(rowsOf(tree, new Set(), end).map(({ node }) => node), [0]);
	assert.deepEqual(rowsOf(tree, new Set([0, 4]), end).map(({ node, level, place, siblings, below }) => [node, level, place, siblings, below]),
		[[0, 1, 1, 1, 2], [1, 2, 1, 2, 2], [4, 2, 2, 2, 1], [5, 3, 1, 1, 0]]);
	assert.deepEqual(rowsOf(tree, new Set([0, 1]), 2).map(({ node }) => node), [0, 1, 2]);
	assert.equal(rowText(tree, 4, end, 0), "B: value at most 2, window 3 … ∞, cut-off");
	assert.equal(rowText(tree, 4, 5, 0), "B: no value yet, window 3 … ∞");
});

test("searches race or end together", () => {
	const all = [9, 5];
	assert.deepEqual([0, 4, 8].map((moment) => eventAt(moment, 5, all, "race")), [0, 4, 4]);
	assert.deepEqual([0, 4, 8].map((moment) => eventAt(moment, 5, all, "together")), [0, 2, 4]);
	for (let event = 0; event < 5; event++)
		assert.equal(eventAt(momentOf(event, 5, all, "together"), 5, all, "together"), event);
});

test("specs keep what they have and get what a technique adds", () => {
	assert.equal(withKey("alphabeta:depth=2,tt=0", "depth", 5), "alphabeta:depth=5,tt=0");
	assert.equal(withKey("mcts", "playouts", 100), "mcts:playouts=100");
	assert.equal(keyOf("alphabeta:depth=2,tt=0", "tt"), "0");
	for (const technique of TECHNIQUES)
		assert.equal(techniqueOf(specOf(technique, 7)), technique, technique.name);
	assert.equal(nameOf("minimax:depth=3"), "Minimax, depth 3");
	assert.equal(nameOf("perfect"), "perfect");
});

test("a link holds the setup of a bench", () => {
	const preset = { game: "connect4:width=5", position: "x y", moves: ["a", "b"], players: ["minimax:depth=2", "mcts:playouts=40"] };
	assert.deepEqual(presetOfQuery(new URL(labLink(preset), "http://x").searchParams), preset);
	assert.equal(presetOfQuery(new URLSearchParams()), null);
});

test("a chart has a curve for each player, N and 2√N", () => {
	const point = (depth: number, nodes: number) => ({ depth, nodes, evaluations: nodes, cuts: 0, value: 1, move: "a,b" });
	const measured: Measured = {
		game: "noughts", position: "start", moves: [], all: [{ depth: 1, nodes: 9 }, { depth: 2, nodes: 72 }],
		series: [{ name: "Minimax <1>", spec: "minimax", points: [point(1, 9), point(2, 72)], end: "" }],
	};
	const svg = chartSvg(measured, "nodes", "black", "white");
	assert.equal(svg.match(/<circle/g)?.length, 2);
	assert.equal(svg.match(/fill="none"/g)?.length, 3);
	assert.ok(svg.includes("2√N") && svg.includes("Minimax &lt;1>"));
	assert.equal(chartCsv(measured).split("\n")[3], 'minimax,1,9,9,0,1,"a,b"');
	assert.ok(!/>0<\/text>/.test(svg), "no zero without need");
	measured.series[0]!.points[1]!.nodes = 0;
	const zero = chartSvg(measured, "nodes", "black", "white");
	assert.ok(/>0<\/text>/.test(zero) && zero.match(/<circle[^>]*fill="none"/g)?.length === 1, "a zero has a line of its own, and a ring instead of a dot");
});

test("a claim is confirmed by what the search did", () => {
	assert.ok(confirms(small, { move: "A", value: 3, evaluations: 3, line: ["A"], unseen: ["B2"], seen: ["B1"] }));
	assert.ok(!confirms(small, { unseen: ["B1"] }) && !confirms(small, { value: 2 }) && !confirms(small, { seen: ["B2"] }));
	assert.equal(randomTree(7, 2, 2), randomTree(7, 2, 2));
	assert.match(randomTree(7, 2, 2), /^A\(-?\d,-?\d\) B\(-?\d,-?\d\)$/);
	assert.ok(fitsTree(3, 4) && !fitsTree(4, 5));
});
