// log.ts - the log of a search as the engine sends it (docs/formats.md), and the tree that the laboratory shows of it.
// SPDX-License-Identifier: MIT
import { minus } from "../messages";
import { movesToWin } from "../pages/score";
import { seatNames, type SeatName } from "./seats";

/** A column with one entry for each visit. */
type Column<T = number> = T[];

export interface SearchLog {
	game: string;
	position: string;
	player: string;
	seat: number; // to move at the root
	seats: number;
	move: string;
	value: number | null;
	line: string[];
	depth: number;
	nodes: number;
	evaluations: number;
	cuts: number;
	seen: number; // visits or steps in all
	kept: number; // those in the log
	id?: number; // for the words of a visit
	names: string[];
	visits: {
		parent: Column; move: Column; best: Column; ply: Column; depth: Column; seat: Column<number | null>;
		alpha: Column<number | null>; beta: Column<number | null>; value: Column<number | null>;
		number: Column<number | null>; flags: Column; reasons: Column; why: Column;
		untried: Column; // after a cut-off: how many moves were left
	};
	values?: number[][];
	growth?: Growth;
	result?: string; // of a proof: "win", "draw", "loss" or "unknown"
}

/** A tree that grows: each step lists the numbers of the nodes on its path, in pairs, the root first. */
export interface Growth {
	nodes: { parent: Column; move: Column; seat: Column<number | null> };
	steps: (number | null)[][]; // [node, added, first, second, first, second, ...]; null: infinite
	kind: "mcts" | "proof";
	ucb?: number | null; // mcts: the constant of UCB
}

/** The reasons by their number, as in include/quevedo_visit.h. */
export const REASONS = ["leaf", "ended", "repeated", "table", "solved", "stand-pat", "razor", "hard", "top", "null-move", "futile", "late",
	"mate", "star1", "star2", "won", "cut", "deepest"] as const;

export const FLAGS = ["scout", "again", "quiet", "probe", "pass", "reduced", "extended", "table-move", "kept-move", "killer", "sample",
	"usual", "verify"] as const;

export type Reason = typeof REASONS[number];
export type Flag = typeof FLAGS[number];

export function hasFlag(flags: number, name: Flag): boolean {
	return (flags >> FLAGS.indexOf(name)) % 2 === 1;
}

export function hasReason(reasons: number, name: Reason): boolean {
	return (reasons >> REASONS.indexOf(name)) % 2 === 1;
}

export function flagsOf(flags: number): Flag[] {
	return FLAGS.filter((name) => hasFlag(flags, name));
}

function bits(...names: Reason[]): number {
	return names.reduce((all, name) => all | 1 << REASONS.indexOf(name), 0);
}

/** Reasons with a static value, as the search counts its evaluations. */
const STATIC = bits("leaf", "stand-pat", "razor", "hard");
/** Reasons that make a value exact, whatever the window is. */
const EXACT = bits("leaf", "ended", "repeated", "solved");

/** Reasons after which moves of the node are left out, besides a cut-off by alpha or beta. */
const PRUNES = bits("hard", "top", "null-move", "futile", "late", "mate", "star1", "star2", "won");

/** How a branch was left out: "cut" by alpha or beta, which the search counts, "pruned" in another way, or not at all. */
export function cutKind({ log, first }: Pick<SearchTree, "log" | "first">, node: number): "cut" | "pruned" | null {
	const reasons = log.visits.reasons[node] ?? 0;
	if (hasReason(reasons, "cut"))
		return "cut";
	const isRazored = hasReason(reasons, "razor") && first[node]! < 0; // otherwise it was a floor only
	return reasons & PRUNES || isRazored ? "pruned" : null;
}

/** Whether the search has left the node, and has left out a part of what is below it. */
export function isCutNode(tree: SearchTree, node: number, event: number): boolean {
	return tree.kind === "search" && tree.done[node]! <= event && cutKind(tree, node) !== null;
}

/**
 * The nodes in the order in which they appear; a parent comes before its children. A search appears event by event: a node is entered,
 * and left after the nodes below it. A node with nothing below it is entered and left in one event.
 */
export interface SearchTree {
	log: SearchLog;
	kind: "search" | "mcts" | "proof";
	count: number;
	parent: Int32Array; // -1: none
	first: Int32Array; // child; -1: none
	next: Int32Array; // sibling; -1: none
	ply: Int32Array;
	size: Int32Array; // nodes from here down
	born: Int32Array; // the event that shows the node
	done: Int32Array; // the event that leaves it
	roots: number[];
	events: number;
	focus: Int32Array; // by event: the node that it is about
	nodes: Int32Array; // by event, so far, as the search counts them: without the root, and a move that is searched again counts once
	evaluations: Int32Array; // by event: so far
	cuts: Int32Array; // by event: so far, by alpha or beta
	prunes: Int32Array; // by event: so far, in other ways
	cutEvents: number[]; // of both kinds
	choosing: { nodes: number; evaluations: number }; // what the search counts besides, to sort or select moves
	vectors: ReadonlyMap<number, number[]>; // by node: a value for each seat
	seats: SeatName[];
	onLine: Uint8Array; // 1: on the best line of the last pass; of mcts, on the most visited one
	history: History | null;
}

/** The numbers of growing nodes: those of node n are from[n] to from[n + 1], by step. */
export interface History {
	from: Int32Array;
	step: Int32Array;
	numbers: Float64Array; // pairs
}

function link(count: number, parents: ArrayLike<number>) {
	const parent = new Int32Array(count), first = new Int32Array(count).fill(-1), next = new Int32Array(count).fill(-1);
	const last = new Int32Array(count).fill(-1), ply = new Int32Array(count), size = new Int32Array(count).fill(1);
	const roots: number[] = [];
	for (let i = 0; i < count; i++) {
		const above = parents[i] ?? -1;
		parent[i] = above;
		if (above < 0) {
			roots.push(i);
			continue;
		}
		ply[i] = ply[above]! + 1;
		if (last[above]! < 0)
			first[above] = i;
		else
			next[last[above]!] = i;
		last[above] = i;
	}
	for (let i = count - 1; i >= 0; i--)
		if (parent[i]! >= 0)
			size[parent[i]!]! += size[i]!;
	return { parent, first, next, ply, size, roots };
}

export function treeOf(log: SearchLog): SearchTree {
	return log.growth ? growingTree(log, log.growth) : visitedTree(log);
}

function visitedTree(log: SearchLog): SearchTree {
	const { visits } = log;
	const count = visits.parent.length;
	const links = link(count, visits.parent);
	const { parent, first } = links;
	const born = new Int32Array(count), done = new Int32Array(count);
	const focus: number[] = [], nodes: number[] = [], evaluations: number[] = [], cuts: number[] = [], prunes: number[] = [], cutEvents: number[] = [];
	let visited = 0, evaluated = 0, cut = 0, pruned = 0;
	const note = (node: number) => {
		focus.push(node);
		nodes.push(visited);
		evaluations.push(evaluated);
		cuts.push(cut);
		prunes.push(pruned);
	};
	const leave = (node: number, event: number) => {
		done[node] = event;
		const kind = cutKind({ log, first }, node);
		if (!kind)
			return;
		cut += Number(kind === "cut");
		pruned += Number(kind === "pruned");
		cutEvents.push(event);
	};
	const open: number[] = [];
	for (let i = 0; i <= count; i++) {
		const above = i < count ? parent[i]! : -1;
		while (open.length && open[open.length - 1] !== above) {
			const left = open.pop()!;
			leave(left, focus.length);
			note(left);
		}
		if (i === count)
			break;
		born[i] = focus.length;
		if (above >= 0 && !hasFlag(visits.flags[i] ?? 0, "again"))
			visited++;
		if ((visits.reasons[i] ?? 0) & STATIC)
			evaluated++;
		if (first[i]! >= 0)
			open.push(i);
		else
			leave(i, focus.length);
		note(i);
	}
	const isWhole = log.seen <= log.kept;
	return {
		log, kind: "search", count, ...links, born, done, events: focus.length, focus: Int32Array.from(focus), nodes: Int32Array.from(nodes),
		evaluations: Int32Array.from(evaluations), cuts: Int32Array.from(cuts), prunes: Int32Array.from(prunes), cutEvents,
		choosing: { nodes: isWhole ? Math.max(0, log.nodes - visited) : 0, evaluations: isWhole ? Math.max(0, log.evaluations - evaluated) : 0 },
		vectors: new Map(log.values?.map(([node, ...values]) => [node ?? 0, values])), seats: seatNames(null, log.seats),
		onLine: bestLine(log, links), history: null,
	};
}

/** Follows the best moves of the last pass over the root. */
function bestLine(log: SearchLog, { first, next, roots }: Pick<SearchTree, "first" | "next" | "roots">): Uint8Array {
	const on = new Uint8Array(first.length);
	const { visits } = log;
	let node = roots[roots.length - 1] ?? -1;
	while (node >= 0) {
		on[node] = 1;
		const best = visits.best[node] ?? 0;
		let below = -1; // the last visit with the best move: the others were tests
		for (let child = first[node]!; best && child >= 0; child = next[child]!)
			if (visits.move[child] === best)
				below = child;
		node = below;
	}
	return on;
}

/** Follows the moves with most visits at the end. */
function visitedLine({ first, next }: Pick<SearchTree, "first" | "next">, from: Int32Array, numbers: Float64Array): Uint8Array {
	const on = new Uint8Array(first.length);
	const visitsOf = (node: number) => numbers[2 * (from[node + 1]! - 1)] ?? 0;
	for (let node = first.length ? 0 : -1; node >= 0;) {
		on[node] = 1;
		let most = -1;
		for (let child = first[node]!; child >= 0; child = next[child]!)
			if (most < 0 || visitsOf(child) > visitsOf(most))
				most = child;
		node = most;
	}
	return on;
}

function growingTree(log: SearchLog, growth: Growth): SearchTree {
	const { parent: parents } = growth.nodes;
	const count = parents.length, events = growth.steps.length;
	const links = link(count, parents);
	const born = new Int32Array(count).fill(events), from = new Int32Array(count + 1), focus = new Int32Array(events);
	growth.steps.forEach(([last], event) => {
		focus[event] = last ?? 0;
		for (let node = last ?? 0; node >= 0; node = parents[node] ?? -1) {
			from[node + 1]!++;
			born[node] = Math.min(born[node]!, event);
		}
	});
	for (let i = 0; i < count; i++)
		from[i + 1]! += from[i]!;
	const filled = from.slice(), total = from[count] ?? 0;
	const step = new Int32Array(total), numbers = new Float64Array(2 * total);
	growth.steps.forEach((row, event) => {
		let place = links.ply[row[0] ?? 0] ?? 0;
		for (let node = row[0] ?? -1; node >= 0; node = parents[node] ?? -1, place--) {
			const at = filled[node]!++;
			step[at] = event;
			numbers[2 * at] = row[2 + 2 * place] ?? Infinity;
			numbers[2 * at + 1] = row[3 + 2 * place] ?? Infinity;
		}
	});
	const none = new Int32Array(events);
	return {
		log, kind: growth.kind, count, ...links, born, done: born, events, focus, nodes: none, evaluations: none, cuts: none, prunes: none,
		cutEvents: [], choosing: { nodes: 0, evaluations: 0 }, vectors: new Map(), seats: seatNames(null, log.seats), onLine: growth.kind === "mcts" ? visitedLine(links, from, numbers) : new Uint8Array(count), history: { from, step, numbers },
	};
}

/** Whether the node is known to be on the best line: when the search has left the node above, or at the end of a growing tree. */
export function isOnLine(tree: SearchTree, node: number, event: number): boolean {
	const above = tree.parent[node]!;
	return Boolean(tree.onLine[node]) && above >= 0 && (tree.kind === "search" ? tree.done[above]! <= event : event >= tree.events - 1);
}

/** The node that an event is about: at the end of a growing tree the root, since it is about all of it then. */
export function focusAt(tree: SearchTree, event: number): number {
	return tree.kind !== "search" && event >= tree.events - 1 ? tree.roots[0] ?? -1 : tree.focus[event] ?? -1;
}

/** The nodes whose lines a reader wants to see: the last one of the best line if it is known, and the one that the search is at. */
export function nodesToOpen(tree: SearchTree, event: number): number[] {
	const end = tree.onLine.lastIndexOf(1), at = focusAt(tree, event);
	return [...end >= 0 && isOnLine(tree, end, event) ? [end] : [], ...at >= 0 ? [at] : []];
}

// ---- What a node shows ----

export function moveOf(tree: SearchTree, node: number): string {
	const { log } = tree;
	return log.names[(log.growth ? log.growth.nodes.move : log.visits.move)[node] ?? 0] ?? "";
}

/** Who moves at the node; 0: a roll; null: nobody. */
export function seatAt(tree: SearchTree, node: number): number | null {
	const { log } = tree;
	return (log.growth ? log.growth.nodes.seat : log.visits.seat)[node] ?? null;
}

/** The nodes from the root to this one. */
export function pathTo(tree: SearchTree, node: number): number[] {
	const path: number[] = [];
	for (let at = node; at >= 0; at = tree.parent[at]!)
		path.unshift(at);
	return path;
}

/** The moves to a node; null: one of them is a pass that the rules do not have. */
export function movesTo(tree: SearchTree, node: number): string[] | null {
	const names = pathTo(tree, node).filter((at) => tree.parent[at]! >= 0).map((at) => moveOf(tree, at));
	return names.includes("") ? null : names;
}

export function childrenOf(tree: SearchTree, node: number, event = tree.events): number[] {
	const list: number[] = [];
	for (let child = tree.first[node]!; child >= 0 && tree.born[child]! <= event; child = tree.next[child]!)
		list.push(child);
	return list;
}

/** The passes over the root that have begun. */
export function rootsAt(tree: SearchTree, event: number): number[] {
	return tree.roots.filter((root) => tree.born[root]! <= event);
}

/** The nodes that exist after an event. */
export function nodesAt(tree: SearchTree, event: number): number {
	let low = 0, high = tree.count; // born never falls
	while (low < high) {
		const middle = (low + high) >> 1;
		if (tree.born[middle]! <= event)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

export interface Shown {
	value: number | null; // null: not known yet
	final: boolean; // the search has left the node
	bound: "" | "≤" | "≥";
}

/** The value of a node after an event: the search's own, or the best of the moves that it has left so far. */
export function valueAt(tree: SearchTree, node: number, event: number): Shown {
	const { visits } = tree.log;
	const value = visits.value[node] ?? null;
	if (tree.done[node]! <= event)
		return { value, final: true, bound: value === null || (visits.reasons[node] ?? 0) & EXACT ? "" : boundOf(value, visits.alpha[node] ?? null, visits.beta[node] ?? null) };
	return { value: bestSoFar(tree, node, event), final: false, bound: "" };
}

export function boundOf(value: number, alpha: number | null, beta: number | null): Shown["bound"] {
	if (alpha !== null && value <= alpha)
		return "≤";
	return beta !== null && value >= beta ? "≥" : "";
}

/** null: none yet, or it is not simply the best one (dice, or each seat plays for itself). */
function bestSoFar(tree: SearchTree, node: number, event: number): number | null {
	const { visits, seat } = tree.log;
	const mover = visits.seat[node] ?? null;
	if (tree.vectors.size || !mover)
		return null;
	let best: number | null = null;
	const better = (value: number) => best === null || (mover === seat ? value > best : value < best);
	for (let child = tree.first[node]!; child >= 0 && tree.done[child]! <= event; child = tree.next[child]!) {
		const value = visits.value[child] ?? null, again = tree.next[child]!, flags = visits.flags[child] ?? 0;
		const repeated = again >= 0 && tree.done[again]! <= event && visits.move[again] === visits.move[child];
		const aside = hasFlag(flags, "pass") || hasFlag(flags, "probe");
		if (value !== null && !repeated && !aside && better(value))
			best = value;
	}
	return best;
}

/** What a node is worth to a seat, as text. */
export interface Worth {
	seat: number; // 0: values are those of the side that searches, as always with two seats
	text: string;
}

/** Negamax counts for the player who moves: where that is the opponent, its values have the other sign than the log's. */
export function turnsSign(tree: SearchTree, node: number): boolean {
	const { player, seats, seat } = tree.log, mover = seatAt(tree, node);
	return seats === 2 && /^negamax\b/.test(player) && Boolean(mover) && mover !== seat;
}

const OTHER_BOUND: Record<Shown["bound"], Shown["bound"]> = { "": "", "≤": "≥", "≥": "≤" };

/** The value of a node as its search counts it. */
export function ownValueAt(tree: SearchTree, node: number, event: number): Shown {
	const { value, final, bound } = valueAt(tree, node, event);
	return value === null || !turnsSign(tree, node) ? { value, final, bound } : { value: -value || 0, final, bound: OTHER_BOUND[bound] };
}

/** With three seats and more, each number belongs to a seat: all of them where each plays for itself, else the one that searches. */
export function worthAt(tree: SearchTree, node: number, event: number): Worth[] {
	const { value, final, bound } = ownValueAt(tree, node, event), { log } = tree;
	const vector = final ? tree.vectors.get(node) : undefined;
	if (vector)
		return vector.map((one, i) => ({ seat: i + 1, text: number(one) }));
	const seat = log.seats > 2 && !tree.vectors.size ? log.seat : 0;
	return value === null ? [] : [{ seat, text: `${bound}${number(value)}` }];
}

/** The two numbers of a growing node after a step; null: it does not exist yet. */
export function numbersAt(tree: SearchTree, node: number, event: number): [number, number] | null {
	const { history } = tree;
	if (!history)
		return null;
	let low = history.from[node]!, high = history.from[node + 1]!;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (history.step[middle]! <= event)
			low = middle + 1;
		else
			high = middle;
	}
	const at = low - 1;
	return at < history.from[node]! ? null : [history.numbers[2 * at]!, history.numbers[2 * at + 1]!];
}

/** Whose mean result a node of mcts has: of the seat that moved there; after a roll and at the root, of the seat to move. */
export function meanSeat(tree: SearchTree, node: number): number | null {
	const above = tree.parent[node]!;
	return (above < 0 ? null : seatAt(tree, above)) || seatAt(tree, node);
}

/** The first branch after an event that was cut off or pruned, or -1. */
export function nextCut(tree: SearchTree, event: number): number {
	return tree.cutEvents.find((at) => at > event) ?? -1;
}

/**
 * The event whose picture explains most: the first cut-off of the last pass that saves something, else the first one, else the first
 * move there that has its value; of a growing tree, the end.
 */
export function eventToShow(tree: SearchTree): number {
	if (tree.kind !== "search")
		return tree.events - 1;
	const root = tree.roots[tree.roots.length - 1] ?? 0, move = tree.first[root] ?? -1;
	const isLast = (event: number) => event > tree.born[root]!;
	const saves = (event: number) => (tree.log.visits.untried[tree.focus[event]!] ?? 0) > 0;
	return tree.cutEvents.find((event) => isLast(event) && saves(event)) ?? tree.cutEvents.find(isLast) ?? tree.cutEvents[0] ?? (move >= 0 ? tree.done[move]! : 0);
}

const WIN = 2 ** 30; // less the plies to it
const WIN_LEAST = WIN - 1e6;

/** W2: the side that searches wins with its second move; L4: it loses to the fourth move of its opponent. */
export function isWon(value: number | null): boolean {
	return value !== null && Math.abs(value) >= WIN_LEAST;
}

export function movesOfWin(value: number): number {
	return movesToWin(Math.max(0, WIN - Math.abs(value)));
}

export function number(value: number | null): string {
	if (value === null)
		return "?";
	if (isWon(value))
		return `${value > 0 ? "W" : "L"}${movesOfWin(value) || ""}`;
	const round = Math.round(value * 100) / 100;
	return minus(round);
}

/** "−∞ … 3" */
export function windowText(alpha: number | null, beta: number | null): string {
	return `${alpha === null ? "−∞" : number(alpha)} … ${beta === null ? "∞" : number(beta)}`;
}

/** 950, 12k, 3.4M */
export function shortCount(count: number): string {
	if (count < 1000)
		return String(count);
	const [size, unit] = count < 1e6 ? [1e3, "k"] : [1e6, "M"];
	const scaled = count / Number(size);
	return `${scaled < 10 ? Math.floor(scaled * 10) / 10 : Math.floor(scaled)}${unit}`;
}
