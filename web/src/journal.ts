// journal.ts - reads records (JSON lines, docs/formats.md) into a tree of variations and writes them.
// SPDX-License-Identifier: MIT
//
// Only the format is checked here. The server checks the moves when it is asked for a position.

import { t } from "./messages";
import { goTo, mainLine, newTree, nodeAt, pathTo, playMove, promote, setNote, type GameTree } from "./tree";

export interface Journal {
	tree: GameTree;
	seats: string[];
	tags: Record<string, string>;
	result: string | null;
	reason: string | null;
}

type Line = Record<string, unknown>;

function readLine(text: string, number: number): Line {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new SyntaxError(t("journal.notJson", { n: number }));
	}
	if (typeof value !== "object" || value === null || Array.isArray(value))
		throw new Error(t("journal.notObject", { n: number }));
	return value as Line;
}

function readHeader(line: Line): Journal {
	if (line["quevedo"] !== 1)
		throw new Error(t("journal.notRecord"));
	if (typeof line["game"] !== "string")
		throw new Error(t("journal.noGame"));
	const start = typeof line["position"] === "string" ? line["position"] : "start";
	const seats = Array.isArray(line["seats"]) ? line["seats"].map(String) : [];
	const given = typeof line["tags"] === "object" ? line["tags"] ?? {} : {};
	const tags = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
	return { tree: newTree(line["game"], start), seats, tags, result: null, reason: null };
}

function plies(value: unknown, number: number): number {
	if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
		throw new Error(t("journal.notPlies", { n: number }));
	return value;
}

function walk(tree: GameTree, count: number, step: (id: number) => number, number: number): GameTree {
	let at = tree.cursor;
	for (let i = 0; i < count; i++) {
		at = step(at);
		if (at < 0)
			throw new Error(t("journal.tooManyPlies", { n: number }));
	}
	return { ...tree, cursor: at };
}

function readEvent(journal: Journal, line: Line, number: number): Journal {
	const { tree } = journal;
	const goesOn = { ...journal, result: null, reason: null };
	if (typeof line["move"] === "string") {
		const seat = typeof line["seat"] === "number" ? line["seat"] : -1;
		const time = typeof line["time"] === "number" ? line["time"] : null;
		return { ...goesOn, tree: playMove(tree, line["move"], seat, time) };
	}
	if ("undo" in line)
		return { ...goesOn, tree: walk(tree, plies(line["undo"], number), (id) => nodeAt(tree, id).parent, number) };
	if ("redo" in line)
		return { ...goesOn, tree: walk(tree, plies(line["redo"], number), (id) => nodeAt(tree, id).recent, number) };
	if (typeof line["note"] === "string")
		return { ...journal, tree: setNote(tree, tree.cursor, line["note"]) };
	if (typeof line["result"] === "string") {
		const reason = typeof line["reason"] === "string" ? line["reason"] : null;
		return { ...journal, result: line["result"], reason };
	}
	if ("clock" in line)
		return journal;
	throw new Error(t("journal.unknownEvent", { n: number }));
}

// Throws an Error that names the line and the reason.
export function readJournal(text: string): Journal {
	const lines = text.split("\n");
	const torn = text.endsWith("\n") ? -1 : lines.length - 1; // a killed writer can leave an incomplete last line
	let journal: Journal | null = null;
	lines.forEach((raw, i) => {
		if (raw.trim() === "")
			return;
		try {
			const line = readLine(raw, i + 1);
			journal = journal ? readEvent(journal, line, i + 1) : readHeader(line);
		} catch (error) {
			if (i !== torn || !journal || !(error instanceof SyntaxError))
				throw error;
		}
	});
	if (!journal)
		throw new Error(t("journal.empty"));
	return withAbout(journal);
}

/** The tree keeps what the header and the result say. */
function withAbout(journal: Journal): Journal {
	const { tree, seats, tags, result, reason } = journal;
	if (!seats.length && !Object.keys(tags).length && !reason)
		return journal;
	return { ...journal, tree: { ...tree, about: { seats, tags, result, reason, end: tree.cursor } } };
}

export function looksLikeJournal(text: string): boolean {
	return text.trimStart().startsWith("{");
}

function moveLine(tree: GameTree, id: number): string {
	const node = nodeAt(tree, id);
	const line: Line = { move: node.move };
	if (node.seat >= 0)
		line["seat"] = node.seat;
	if (node.seconds !== null)
		line["time"] = node.seconds;
	return JSON.stringify(line);
}

// The lines that lead from one node to another: undo to the common ancestor, then moves.
function wayLines(tree: GameTree, from: number, to: number): string[] {
	const there = pathTo(tree, to);
	const here = pathTo(tree, from);
	let common = 0;
	while (common < there.length && common < here.length && there[common] === here[common])
		common++;
	const undo = here.length - common;
	const lines = undo > 0 ? [JSON.stringify({ undo })] : [];
	return [...lines, ...there.slice(common).map((id) => moveLine(tree, id))];
}

// All nodes, main lines first.
function inOrder(tree: GameTree): number[] {
	const order: number[] = [];
	const waiting = [0];
	for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
		order.push(at);
		waiting.push(...nodeAt(tree, at).children.slice().reverse());
	}
	return order;
}

// Ends at the end of the main line.
export function writeJournal(tree: GameTree, seats: string[] = tree.about?.seats ?? []): string {
	const { tags = {}, result = null, reason = null, end = -1 } = tree.about ?? {};
	const lines = [JSON.stringify({ quevedo: 1, game: tree.game, position: tree.start, seats, ...(Object.keys(tags).length ? { tags } : {}) })];
	let at = 0;
	for (const id of inOrder(tree)) {
		lines.push(...wayLines(tree, at, id));
		const note = nodeAt(tree, id).note;
		if (note !== "")
			lines.push(JSON.stringify({ note }));
		at = id;
	}
	const line = mainLine(tree), last = line[line.length - 1] as number;
	lines.push(...wayLines(tree, at, last));
	if (result && reason && end === last)
		lines.push(JSON.stringify({ result, reason }));
	return lines.join("\n") + "\n";
}

// The tree of a play as the server sends it.
export function treeOfPlay(play: {
	game: string;
	start: string;
	tree: { parent: number; move: string | null; short?: string; note?: string }[];
	cursor: number;
	line?: { seat: number; seconds: number | null }[]; // of the moves to the cursor
}): GameTree {
	const ids = [0];
	let tree = newTree(play.game, play.start);
	play.tree.forEach((node, i) => {
		if (i > 0) {
			tree = playMove({ ...tree, cursor: ids[node.parent] as number }, node.move ?? "", -1, null, node.short);
			ids.push(tree.cursor);
		}
		if (node.note)
			tree = setNote(tree, tree.cursor, node.note);
	});
	const end = ids[play.cursor] ?? 0, whole = promote(goTo(tree, end), end), nodes = whole.nodes.slice(); // what was taken back is a variation
	pathTo(whole, whole.cursor).slice(1).forEach((id, i) => {
		const { seat = -1, seconds = null } = play.line?.[i] ?? {};
		nodes[id] = { ...nodeAt(whole, id), seat, seconds };
	});
	return { ...whole, nodes };
}

