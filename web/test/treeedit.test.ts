// treeedit.test.ts - trees that are changed branch by branch: reading, writing, moving, limits and places to drop.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { generator, randomTree } from "../src/lab/claims";
import { draftOf, edited, textOf, travelled, withPreset, type Draft } from "../src/lab/draft";
import {
	addTwig, heightOf, leavesOf, LIMITS, moveTwig, nameOf, nearestSlot, readTree, removeTwig, setScore, sizeOf, slotsOf, spotsOf, stepTwig, treeText, twigAt, worthOf,
	type Edit, type Path, type Twig, type Way,
} from "../src/lab/treeedit";

const tree = (text: string): Twig => {
	const root = readTree(text);
	assert.ok(root, text);
	return root;
};
/** "A(1) B2 at B", or why not. */
const shown = (edit: Edit) => "error" in edit ? edit.error : `${treeText(edit.root)} at ${nameOf(edit.path) || "start"}`;
const leaf = { score: 0, below: [] };

test("a typed tree is read and written as the game does it", () => {
	for (const text of ["A4(6,-1,1) B5(-3,3,1) C2(0,1,2)", "A3 B6 C(((5,8,9),(8,7,9)))", "A0", randomTree(3, 3, 3)])
		assert.equal(treeText(tree(text)), text);
	assert.equal(treeText(tree("  3 , B(1 2)")), "A3 B(1,2)", "letters may be left out, blanks separate");
	for (const text of ["", "3-1", "uniform 2 2 ideal", "A(1", "A(1))", "B1", "A1 C2", "A1,", "A(1,)", "A()", "A1 @ A", "A99999", "A1B2", "A1 x"])
		assert.equal(readTree(text), null, text);
	assert.equal(readTree(`A${"(".repeat(100000)}`), null, "no deeper than the game goes");
	const root = tree("A4(6,-1,1) B5(-3,3,1) C2(0,1,2)");
	assert.deepEqual([sizeOf(root), heightOf(root), leavesOf(root), worthOf(root, 0), worthOf(root.below[1]!, 1)], [12, 2, 9, 0, -3]);
	assert.deepEqual([nameOf([]), nameOf([2, 0]), nameOf([0, 9, 25])], ["", "C1", "Aaq"]);
});

test("a branch moves among its siblings, to another parent, and takes its replies with it", () => {
	const root = tree("A(1,2) B(3,(4,5)) C6");
	const at = (from: Path, parent: Path, index: number) => shown(moveTwig(root, from, parent, index));
	assert.equal(at([1], [], 0), "A(3,(4,5)) B(1,2) C6 at A");
	assert.equal(at([0], [], 3), "A(3,(4,5)) B6 C(1,2) at C");
	assert.equal(at([0], [], 1), "A(1,2) B(3,(4,5)) C6 at A", "its own place");
	assert.equal(at([0], [1], 0), "A((1,2),3,(4,5)) B6 at A1", "the parent stands behind it and moves up");
	assert.equal(at([1, 1], [0], 2), "A(1,2,(4,5)) B(3) C6 at A3");
	assert.equal(at([0, 0], [2], 0), "A(2) B(3,(4,5)) C6(1) at C1", "a leaf becomes a branch");
	assert.equal(at([1], [1, 1], 0), "A branch cannot be moved below itself.");
	assert.equal(at([], [0], 0), "The start cannot be moved.");
	assert.equal(treeText(root), "A(1,2) B(3,(4,5)) C6", "the old tree stays, for undo");
});

test("keys move one step, values are typed, leaves are added and deleted", () => {
	const root = tree("A(1,2) B3");
	const step = (path: Path, way: Way) => shown(stepTwig(root, path, way));
	assert.equal(step([0], "later"), "A3 B(1,2) at B");
	assert.equal(step([1], "earlier"), "A3 B(1,2) at A");
	assert.equal(step([0, 0], "out"), "A(2) B1 C3 at B");
	assert.equal(step([1], "in"), "A(1,2,3) at A3");
	assert.deepEqual([step([0], "earlier"), step([1], "later"), step([1], "out"), step([0], "in")],
		["It is the first one already.", "It is the last one already.", "It is a first move already.", "No branch before it that it could move below."]);
	assert.equal(shown(setScore(root, [0, 1], -7)), "A(1,-7) B3 at A2");
	assert.match(shown(setScore(root, [0], 10000)), /^Values go from/);
	assert.equal(shown(setScore(root, [0], 1.5)), "A value is a whole number.");
	assert.equal(shown(addTwig(root, [1], 0, leaf)), "A(1,2) B3(0) at B1");
	assert.equal(shown(removeTwig(root, [0, 1])), "A(1) B3 at A1");
	assert.equal(shown(removeTwig(tree("A(1) B3"), [0, 0])), "A0 B3 at A", "a branch without replies is a leaf");
	assert.equal(shown(removeTwig(tree("A1"), [0])), "A tree needs at least one move.");
});

test("every other tree is a step of the draft, a run of typing is one, and the players look as deep as the tree is high", () => {
	const shownOf = (draft: Draft) => `${textOf(draft)} at ${nameOf(draft.path) || "start"}, ${draft.preset.players}`;
	const first = draftOf({ game: "diagram", position: "A1 B2", players: ["minimax:depth=1", "random"] });
	const typed = ["A1 B(", "A1 B(2", "A1 B(2,3)"].reduce((draft, text) => edited(draft, text, draft.path, true), first);
	assert.equal(shownOf(typed), "A1 B(2,3) at start, minimax:depth=2,random");
	const made = edited(typed, "A((1))", [0]);
	assert.equal(shownOf(made), "A((1)) at A, minimax:depth=3,random");
	const again = edited(made, "A((1", [0], true), outside = withPreset(again, { game: "diagram", position: "3-2", players: ["minimax:depth=4"] });
	const back = ["A((1", "A((1))", "A1 B(2,3)", "A1 B2"];
	let draft = outside;
	for (const text of back) {
		draft = travelled(draft, "undo")!;
		assert.equal(textOf(draft), text);
	}
	assert.equal(travelled(draft, "undo"), null);
	for (const text of [...back.slice(0, -1).reverse(), "3-2"]) {
		draft = travelled(draft, "redo")!;
		assert.equal(textOf(draft), text);
	}
	assert.equal(travelled(draft, "redo"), null);
	assert.deepEqual(withPreset(draft, { game: "chess", players: [] }).past, [], "another game has no tree");
	const same = edited(made, textOf(made), [0, 0]);
	assert.deepEqual([same.past.length, same.path], [made.past.length, [0, 0]], "the same tree is no step");
});

test("no tree grows beyond what the game accepts", () => {
	const wide = tree(Array.from({ length: LIMITS.beside }, () => "1").join(" "));
	assert.match(shown(addTwig(wide, [], 0, leaf)), /at most 26 moves/);
	const high = tree(`A${"(".repeat(LIMITS.plies - 1)}1${")".repeat(LIMITS.plies - 1)}`);
	assert.match(shown(addTwig(high, Array<number>(LIMITS.plies).fill(0), 0, leaf)), /at most 21 plies/);
	const full = tree(randomTree(1, 3, 4)); // 120 moves
	assert.match(shown(addTwig(full, [], 0, { score: 0, below: full.below })), /at most 239 moves/);
});

test("random moves keep every value, and every place to drop gives the tree that it shows", () => {
	const next = generator(5);
	let root = tree(randomTree(9, 3, 3));
	const values = (twig: Twig): number[] => twig.below.flatMap((one) => [one.score, ...values(one)]);
	const sorted = (twig: Twig) => values(twig).sort((a, b) => a - b);
	for (let i = 0; i < 300; i++) {
		const spots = spotsOf(root), from = spots[1 + next(spots.length - 1)]!.path, slots = slotsOf(spots, from);
		const slot = slots[next(slots.length)]!, edit = moveTwig(root, from, slot.parent, slot.index);
		if ("error" in edit)
			continue;
		assert.deepEqual(twigAt(edit.root, edit.path), twigAt(root, from), "the branch is where the edit says");
		assert.deepEqual(sorted(edit.root), sorted(root));
		assert.equal(treeText(tree(treeText(edit.root))), treeText(edit.root));
		root = edit.root;
	}
});

test("the nearest place is the one that is meant", () => {
	const spots = spotsOf(tree("A(1,2) B(3)")); // columns 0.5, 1.5 and 2.5
	const near = (x: number, row: number, dragged: Path | null = null) => {
		const slot = nearestSlot(slotsOf(spots, dragged), x, row);
		return slot && `${nameOf(slot.parent) || "start"} ${slot.index}`;
	};
	assert.deepEqual([near(0.1, 2), near(1, 2), near(1.9, 2), near(2.1, 2), near(2.5, 3), near(1.75, 1)], ["A 0", "A 1", "A 2", "B 0", "B1 0", "start 1"]);
	assert.equal(near(9, 9), null);
	assert.equal(near(1, 2, [0]), "start 0", "nothing below what is dragged");
});
