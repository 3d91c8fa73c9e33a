// treeedit.ts - trees of the game "diagram" that can be changed branch by branch: pure functions.
// SPDX-License-Identifier: MIT
//
// No tree is changed in place: an edit returns another tree, so that the old one can be undone to.
import { t } from "../messages";

/** A move with its score and the replies to it. The root is no move: its score has no meaning. */
export interface Twig {
	score: number;
	below: Twig[];
}

/** The way from the root: [] is the root, [0, 2] is A3. */
export type Path = readonly number[];

/** As in src/games/diagram/rules.h. */
export const LIMITS = { moves: 239, plies: 21, beside: 26, score: 9999 };

/** Another tree, and where the branch is now; or why it cannot be. */
export type Edit = { root: Twig; path: Path } | { error: string };

// ---- Text ----

const REPLIES = "123456789abcdefghijklmnopq";

function stepName(step: number, index: number): string {
	return step ? REPLIES[index] ?? "?" : String.fromCharCode(65 + index);
}

/** "A3"; "" for the root. */
export function nameOf(path: Path): string {
	return path.map((index, step) => stepName(step, index)).join("");
}

/** As the game writes it: "A4(6,-1,1) B(2,3)". */
export function treeText(root: Twig): string {
	const branch = ({ score, below }: Twig): string => below.length ? `${score || ""}(${below.map(branch).join(",")})` : String(score);
	return root.below.map((twig, i) => stepName(0, i) + branch(twig)).join(" ");
}

/** null: no tree that was typed: it has an error, or a rule or a name stands for it. hasBlanks: a value may be "?", which is NaN. */
export function readTree(text: string, hasBlanks = false): Twig | null {
	const value = hasBlanks ? /^(-?\d+|\?)/ : /^-?\d+/;
	let at = 0;
	const blanks = () => {
		while (text[at] === " ")
			at++;
	};
	function branches(ply: number): Twig[] | null {
		const list: Twig[] = [];
		if (ply > LIMITS.plies)
			return null;
		blanks();
		for (;;) {
			const twig = branch(ply, list.length);
			if (!twig)
				return null;
			list.push(twig);
			const after = at;
			blanks();
			const comma = text[at] === ",";
			at += Number(comma);
			blanks();
			if ((text[at] === ")" || at === text.length) && !comma)
				return list;
			if (at === after)
				return null;
		}
	}
	function branch(ply: number, index: number): Twig | null {
		if (ply === 1 && /[A-Z]/.test(text[at] ?? "") && text[at++] !== stepName(0, index))
			return null;
		const score = value.exec(text.slice(at, at + 12))?.[0] ?? "";
		if (!score && text[at] !== "(")
			return null;
		at += score.length;
		if (text[at] !== "(")
			return { score: Number(score), below: [] };
		at++;
		const below = branches(ply + 1);
		return below && text[at++] === ")" ? { score: Number(score), below } : null;
	}
	const below = branches(1);
	const root = below && at === text.length ? { score: 0, below } : null;
	return root && !problemOf(root) ? root : null;
}

// ---- What a tree has ----

export function twigAt(root: Twig, path: Path): Twig | null {
	return path.reduce<Twig | null>((twig, index) => twig?.below[index] ?? null, root);
}

export function sizeOf(twig: Twig): number {
	return twig.below.reduce((sum, one) => sum + 1 + sizeOf(one), 0);
}

export function heightOf(twig: Twig): number {
	return twig.below.reduce((most, one) => Math.max(most, 1 + heightOf(one)), 0);
}

export function leavesOf(twig: Twig): number {
	return twig.below.length ? twig.below.reduce((sum, one) => sum + leavesOf(one), 0) : 1;
}

/** What a node is worth if both play well. The first player, who moves at the root, wants the most. */
export function worthOf({ score, below }: Twig, ply: number): number {
	const values = below.map((one) => worthOf(one, ply + 1));
	return values.length ? ply % 2 ? Math.min(...values) : Math.max(...values) : score;
}

/** Why the game does not accept the tree; null: it does. */
export function problemOf(root: Twig): string | null {
	const widest = (twig: Twig): number => twig.below.reduce((most, one) => Math.max(most, widest(one)), twig.below.length);
	const largest = (twig: Twig): number => twig.below.reduce((most, one) => Math.max(most, largest(one)), Math.abs(twig.score));
	if (!root.below.length)
		return t("lab.treeEmpty");
	if (sizeOf(root) > LIMITS.moves)
		return t("lab.treeMoves", { most: LIMITS.moves });
	if (heightOf(root) > LIMITS.plies)
		return t("lab.treePlies", { most: LIMITS.plies });
	if (widest(root) > LIMITS.beside)
		return t("lab.treeBeside", { most: LIMITS.beside });
	return largest(root) > LIMITS.score ? t("lab.treeValues", { most: LIMITS.score }) : null;
}

// ---- Edits ----

/** The tree with other replies at one node. */
function withBelow(twig: Twig, path: Path, change: (below: Twig[]) => Twig[]): Twig {
	const [index, ...rest] = path;
	return index === undefined ? { ...twig, below: change(twig.below) }
		: { ...twig, below: twig.below.map((one, i) => i === index ? withBelow(one, rest, change) : one) };
}

function checked(root: Twig, path: Path): Edit {
	const error = problemOf(root);
	return error ? { error } : { root, path };
}

function parentOf(path: Path): { parent: Path; index: number } {
	return { parent: path.slice(0, -1), index: path[path.length - 1] ?? 0 };
}

export function setScore(root: Twig, path: Path, score: number): Edit {
	if (!path.length)
		return { error: t("lab.treeStartValue") };
	if (!Number.isInteger(score))
		return { error: t("lab.treeWhole") };
	const { parent, index } = parentOf(path);
	return checked(withBelow(root, parent, (below) => below.map((one, i) => i === index ? { ...one, score } : one)), path);
}

export function addTwig(root: Twig, parent: Path, index: number, twig: Twig): Edit {
	return checked(withBelow(root, parent, (below) => [...below.slice(0, index), twig, ...below.slice(index)]), [...parent, index]);
}

/** Afterwards the branch beside it or above it is chosen. */
export function removeTwig(root: Twig, path: Path): Edit {
	if (!path.length)
		return { error: t("lab.treeStartDelete") };
	const { parent, index } = parentOf(path), left = (twigAt(root, parent)?.below.length ?? 1) - 1;
	return checked(withBelow(root, parent, (below) => below.filter((_, i) => i !== index)), left ? [...parent, Math.min(index, left - 1)] : parent);
}

function isBelow(path: Path, above: Path): boolean {
	return above.every((index, i) => path[i] === index);
}

/** To a place among the replies of `parent`; both paths and the index are those before the move. */
export function moveTwig(root: Twig, from: Path, parent: Path, index: number): Edit {
	const twig = twigAt(root, from);
	if (!from.length || !twig)
		return { error: t("lab.treeStartMove") };
	if (isBelow(parent, from))
		return { error: t("lab.treeBelowItself") };
	const { parent: old, index: at } = parentOf(from), step = old.length;
	/* What stood behind it moves up by one. */
	const to = isBelow(parent, old) && (parent[step] ?? -1) > at ? parent.map((one, i) => i === step ? one - 1 : one) : parent;
	const isSame = parent.length === step && isBelow(parent, old);
	const without = withBelow(root, old, (below) => below.filter((_, i) => i !== at));
	return addTwig(without, to, isSame && index > at ? index - 1 : index, twig);
}

export type Way = "earlier" | "later" | "out" | "in";

/** One step by a key or a button: among its siblings, out beside the branch above it, or in below the branch before it. */
export function stepTwig(root: Twig, path: Path, way: Way): Edit {
	const { parent, index } = parentOf(path), beside = twigAt(root, parent)?.below ?? [];
	if (!path.length)
		return { error: t("lab.treeStartMove") };
	if (way === "earlier")
		return index > 0 ? moveTwig(root, path, parent, index - 1) : { error: t("lab.treeFirst") };
	if (way === "later")
		return index < beside.length - 1 ? moveTwig(root, path, parent, index + 2) : { error: t("lab.treeLast") };
	if (way === "in")
		return index > 0 ? moveTwig(root, path, [...parent, index - 1], beside[index - 1]!.below.length) : { error: t("lab.treeNoneBefore") };
	const { parent: above, index: place } = parentOf(parent);
	return parent.length ? moveTwig(root, path, above, place + 1) : { error: t("lab.treeFirstMove") };
}

// ---- Where the branches are drawn ----

/** In columns and rows; x is the middle. */
export interface Spot {
	path: Path;
	twig: Twig;
	x: number;
	row: number;
}

/** The root first, then each branch with all below it. A leaf takes one column. */
export function spotsOf(root: Twig): Spot[] {
	const spots: Spot[] = [];
	let column = 0;
	const add = (twig: Twig, path: Path): number => {
		const spot = { path, twig, x: 0, row: path.length };
		spots.push(spot);
		const xs = twig.below.map((one, i) => add(one, [...path, i]));
		spot.x = xs.length ? (xs[0]! + xs[xs.length - 1]!) / 2 : column++ + 0.5;
		return spot.x;
	};
	add(root, []);
	return spots;
}

/** A place where a branch can be dropped. */
export interface Slot {
	parent: Path;
	index: number;
	x: number;
	row: number;
}

const OUTSIDE = 0.35; // columns from the first or last branch: less than half, so that neighbours have places of their own

/** dragged: null for a new leaf; otherwise nothing below it is a place. */
export function slotsOf(spots: Spot[], dragged: Path | null): Slot[] {
	const slots: Slot[] = [], byName = new Map(spots.map((spot) => [nameOf(spot.path), spot]));
	for (const { path, twig, x, row } of spots) {
		if (dragged && isBelow(path, dragged))
			continue;
		const xs = twig.below.map((_, i) => byName.get(nameOf([...path, i]))!.x);
		for (let index = 0; index <= xs.length; index++) {
			const before = xs[index - 1], after = xs[index];
			const middle = before === undefined ? after === undefined ? x : after - OUTSIDE : after === undefined ? before + OUTSIDE : (before + after) / 2;
			slots.push({ parent: path, index, x: middle, row: row + 1 });
		}
	}
	return slots;
}

const REACH = 1.2; // columns or rows

/** null: none is near enough. */
export function nearestSlot(slots: Slot[], x: number, row: number): Slot | null {
	let best: Slot | null = null, least = REACH;
	for (const slot of slots) {
		const far = Math.hypot(slot.x - x, slot.row - row);
		if (far < least) {
			least = far;
			best = slot;
		}
	}
	return best;
}
