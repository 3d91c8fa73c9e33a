// tree.test.ts - unit tests of the tree of variations and of records.
// SPDX-License-Identifier: MIT

import { test } from "node:test";
import assert from "node:assert/strict";
import * as t from "../src/tree";
import { readJournal, treeOfPlay, writeJournal } from "../src/journal";

function sample(): t.GameTree {
	let tree = t.playAll(t.newTree("noughts", "start"), ["5", "1", "9"]);
	tree = t.playAll(t.goTo(tree, 1), ["2", "3"]);
	return t.playMove(t.goTo(tree, 1), "1");
}

test("playing an existing move enters it instead of adding it", () => {
	const tree = sample();
	assert.equal(tree.nodes.length, 6);
	assert.equal(tree.cursor, 2);
	assert.deepEqual(t.nodeAt(tree, 1).children, [2, 4]);
});

test("forward follows the way last walked, end goes to its end", () => {
	let tree = t.goTo(sample(), 5);
	tree = t.toStart(tree);
	assert.deepEqual(t.movesTo(t.toEnd(tree), t.toEnd(tree).cursor), ["5", "2", "3"]);
	assert.equal(t.back(tree).cursor, 0);
	assert.equal(t.forward(t.toEnd(tree)).cursor, 5);
});

test("sideways goes round the variations of one place", () => {
	const tree = t.goTo(sample(), 2);
	assert.equal(t.sideways(tree, 1).cursor, 4);
	assert.equal(t.sideways(t.sideways(tree, 1), 1).cursor, 2);
	assert.equal(t.sideways(t.toStart(tree), 1).cursor, 0);
});

test("promote makes a variation the main line and keeps the other", () => {
	const tree = t.promote(sample(), 5);
	assert.deepEqual(t.mainLine(tree), [0, 1, 4, 5]);
	assert.ok(t.isMain(tree, 5));
	assert.ok(!t.isMain(tree, 2));
	assert.deepEqual(t.mainLine(t.promote(tree, 3)), [0, 1, 2, 3]);
});

test("remove takes what follows along and moves the cursor out", () => {
	const tree = t.removeFrom(t.goTo(sample(), 5), 4);
	assert.equal(tree.cursor, 1);
	assert.equal(tree.nodes[5], null);
	assert.deepEqual(t.nodeAt(tree, 1).children, [2]);
	assert.equal(t.removeFrom(t.goTo(sample(), 3), 4).cursor, 3);
	assert.deepEqual(t.removeFrom(sample(), 0), t.newTree("noughts", "start"));
});

test("a tree is a value: changes leave the old one alone", () => {
	const tree = sample();
	const before = JSON.stringify(tree);
	t.removeFrom(tree, 1);
	t.promote(tree, 5);
	t.setNote(tree, 1, "good");
	t.playMove(tree, "7");
	t.toEnd(t.toStart(tree));
	assert.equal(JSON.stringify(tree), before);
});

test("a main line that grows elsewhere takes along a cursor at its end, and no other", () => {
	const tree = t.playAll(t.newTree("noughts", "start"), ["5", "1"]);
	const grown = t.growMain(tree, ["5", "1", "9", "3"]);
	assert.deepEqual(t.movesTo(grown, grown.cursor), ["5", "1", "9", "3"]);
	const aside = t.playMove(t.goTo(tree, 1), "2");
	const beside = t.growMain(aside, ["5", "1", "9"]);
	assert.deepEqual(t.movesTo(beside, beside.cursor), ["5", "2"]);
	assert.equal(t.mainLine(beside).length, 4);
	const own = t.playMove(tree, "9");
	const later = t.growMain(t.goTo(own, 2), ["5", "1", "4"]);
	assert.deepEqual(t.mainLine(later).slice(1).map((id) => t.nodeAt(later, id).move), ["5", "1", "4"]);
});

// The same moves under the same parents in the same order, whatever the numbers of the nodes.
function shape(tree: t.GameTree, id = 0): unknown {
	const node = t.nodeAt(tree, id);
	return [node.move, node.note, node.children.map((child) => shape(tree, child))];
}

test("a journal written is read back to the same tree", () => {
	let tree = t.setNote(sample(), 4, "an edge\nloses");
	tree = t.playAll(t.goTo(tree, 0), ["1", "5"]);
	tree = t.playMove(t.goTo(tree, 5), "7");
	const read = readJournal(writeJournal(tree, ["human", "level:3"]));
	assert.deepEqual(shape(read.tree), shape(tree));
	assert.deepEqual(read.seats, ["human", "level:3"]);
	assert.deepEqual(t.movesTo(read.tree, read.tree.cursor), ["5", "1", "9"]);
});

test("a journal's undo, redo, note, clock and result are understood", () => {
	const lines = [
		'{"quevedo":1,"game":"noughts","position":"start","seats":["human","level:3"]}',
		'{"move":"5","seat":1,"time":2.5}',
		'{"move":"2","seat":2}',
		'{"undo":2}',
		'{"redo":1}',
		'{"move":"1","seat":2}',
		'{"note":"better"}',
		'{"clock":{"seat":1,"ms":30000}}',
		'{"result":"draw","reason":"agreed"}',
	];
	const read = readJournal(lines.join("\n") + "\n");
	assert.deepEqual(shape(read.tree), [null, "", [["5", "", [["2", "", []], ["1", "better", []]]]]]);
	assert.equal(t.nodeAt(read.tree, 1).seconds, 2.5);
	assert.equal(read.result, "draw");
	assert.equal(read.reason, "agreed");
});

test("a bad journal is refused with its line, half a last line is forgiven", () => {
	const head = '{"quevedo":1,"game":"noughts"}\n';
	assert.throws(() => readJournal(""), /empty/);
	assert.throws(() => readJournal("hello\n"), /line 1 is not part/);
	assert.throws(() => readJournal('{"quevedo":2,"game":"noughts"}\n'), /not a game record/);
	assert.throws(() => readJournal(head + '{"undo":1}\n'), /line 2 takes back/);
	assert.throws(() => readJournal(head + '{"redo":1}\n'), /line 2 takes back/);
	assert.throws(() => readJournal(head + '{"bow":1}\n'), /line 2 has an unknown entry/);
	assert.throws(() => readJournal(head + '{"move":"5\n{"move":"1"}\n'), /line 2 is not part/);
	assert.equal(readJournal(head + '{"move":"5"}\n{"mov').tree.nodes.length, 2);
});

test("the tree of a play keeps variations and cursor", () => {
	const play = {
		game: "noughts",
		start: "start",
		tree: [
			{ parent: -1, move: null },
			{ parent: 0, move: "5" },
			{ parent: 1, move: "1", note: "corner" },
			{ parent: 1, move: "2" },
		],
		cursor: 2,
	};
	const tree = treeOfPlay(play);
	assert.deepEqual(shape(tree), [null, "", [["5", "", [["1", "corner", []], ["2", "", []]]]]]);
	assert.deepEqual(t.movesTo(tree, tree.cursor), ["5", "1"]);
});

test("what was taken back in a game is a variation of what was played", () => {
	const play = { game: "chess", start: "start", cursor: 3, tree: [
		{ parent: -1, move: null }, { parent: 0, move: "e2e4" }, { parent: 1, move: "e7e5" }, { parent: 1, move: "c7c5" },
	] };
	const tree = treeOfPlay(play);
	assert.deepEqual(t.mainLine(tree).map((id) => tree.nodes[id]?.move), [null, "e2e4", "c7c5"]);
	assert.deepEqual(t.movesTo(tree, tree.cursor), ["e2e4", "c7c5"]);
});
