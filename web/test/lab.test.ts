// lab.test.ts - the laboratory: the tree of a log, its steps, layout, rows, specs, chart and claims.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { chartCsv, chartSvg, type Measured } from "../src/lab/chart";
import { confirms, fitsTree, randomTree } from "../src/lab/claims";
import { eventAt, momentOf } from "../src/lab/clock";
import { clampCamera, draw, fitCamera, follow, linesOf, type Paints, type Spot } from "../src/lab/draw";
import { closeBelow, firstPly, isShown, layOut, shownAncestor } from "../src/lab/layout";
import { boundOf, childrenOf, movesTo, nextCut, nodesAt, number, numbersAt, shortCount, treeOf, valueAt, windowText, type SearchLog } from "../src/lab/log";
import { labLink, presetOfQuery } from "../src/lab/presets";
import { keyOf, nameOf, specOf, TECHNIQUES, techniqueOf, withKey } from "../src/lab/specs";
import { rowsOf, rowText } from "../src/lab/textrows";

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
	assert.deepEqual([2 ** 30 - 3, 4 - 2 ** 30, -1.256, null].map(number), ["W3", "L4", "−1.26", "?"]);
	assert.deepEqual([950, 1250, 34567, 2e6].map(shortCount), ["950", "1.2k", "34k", "2M"]);
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
	assert.match(rowText(tree, 3, 3, 0.7), /^a: 1 visits, mean 0.5, UCB term /);
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
	assert.equal(firstPly(large), 2, "100 columns at first, not 1000");
	assert.equal(firstPly(tree), 3);
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
});

test("a claim is confirmed by what the search did", () => {
	assert.ok(confirms(small, { move: "A", value: 3, evaluations: 3, line: ["A"], unseen: ["B2"], seen: ["B1"] }));
	assert.ok(!confirms(small, { unseen: ["B1"] }) && !confirms(small, { value: 2 }) && !confirms(small, { seen: ["B2"] }));
	assert.equal(randomTree(7, 2, 2), randomTree(7, 2, 2));
	assert.match(randomTree(7, 2, 2), /^A\(-?\d,-?\d\) B\(-?\d,-?\d\)$/);
	assert.ok(fitsTree(3, 4) && !fitsTree(4, 5));
});
