// textrows.ts - the rows of the text tree, and other texts about a tree: pure functions.
// SPDX-License-Identifier: MIT
import { childrenOf, cutKind, flagsOf, hasReason, moveOf, number, numbersAt, REASONS, rootsAt, valueAt, windowText, worthAt, type Flag, type SearchTree } from "./log";
import { proofNumber, ucbTerm } from "./draw";

export interface Row {
	node: number;
	level: number; // from 1
	place: number; // among its siblings, from 1
	siblings: number;
	below: number; // children that exist
}

/** The rows in their order; only open nodes show what is below them. */
export function rowsOf(tree: SearchTree, open: ReadonlySet<number>, event: number): Row[] {
	const rows: Row[] = [];
	const add = (nodes: number[], level: number) => nodes.forEach((node, i) => {
		const below = childrenOf(tree, node, event);
		rows.push({ node, level, place: i + 1, siblings: nodes.length, below: below.length });
		if (open.has(node))
			add(below, level + 1);
	});
	add(rootsAt(tree, event), 1);
	return rows;
}

/** Flags in the words of the field. */
export const FLAG_NAMES: Record<Flag, string> = {
	"scout": "null-window test", "again": "searched again", "quiet": "quiescence", "probe": "probe", "pass": "null move", "reduced": "reduced depth",
	"extended": "extended depth", "table-move": "move from the table", "kept-move": "best line so far", "killer": "killer move",
	"sample": "random sample", "usual": "only move tried", "verify": "check of a result",
};

export const REASON_NAMES: Record<typeof REASONS[number], string> = {
	"leaf": "evaluated", "ended": "game over", "repeated": "repetition", "table": "transposition table", "solved": "endgame table",
	"stand-pat": "quiet enough", "razor": "razoring", "hard": "hard pruning", "top": "best few moves only", "null-move": "null-move cut-off",
	"futile": "futility pruning", "late": "late moves left out", "mate": "faster mate known", "star1": "Star1 cut-off", "star2": "Star2 cut-off",
	"won": "win found", "cut": "cut-off", "deepest": "deepest ply",
};

/** Everything that the picture shows of a node, in one line. */
export function rowText(tree: SearchTree, node: number, event: number, explore: number): string {
	const above = tree.parent[node]!;
	const root = tree.roots.length > 1 ? `pass ${tree.roots.indexOf(node) + 1}` : "start";
	const name = above < 0 ? root : moveOf(tree, node) || "pass";
	if (tree.kind !== "search") {
		const pair = numbersAt(tree, node, event);
		if (!pair)
			return name;
		if (tree.kind === "proof")
			return `${name}: proof number ${proofNumber(pair[0])}, disproof number ${proofNumber(pair[1])}`;
		const term = above < 0 ? null : ucbTerm(numbersAt(tree, above, event)?.[0] ?? 0, pair[0], explore);
		return `${name}: ${pair[0]} visits, mean ${number(pair[1])}${term === null ? "" : `, UCB term ${number(term)}`}`;
	}
	const { visits } = tree.log;
	const { final, bound } = valueAt(tree, node, event);
	const sign = { "": "", "≤": "at most ", "≥": "at least " }[bound];
	const values = worthAt(tree, node, event).map(({ seat, text }) => `${sign}${text.replace(bound, "")}${seat ? ` for ${tree.seats[seat - 1]?.name}` : ""}`);
	const worth = values.length ? `${final ? "value" : "so far"} ${values.join(", ")}` : final ? "no value" : "no value yet";
	const notes: string[] = flagsOf(visits.flags[node] ?? 0).map((flag) => FLAG_NAMES[flag]);
	const reasons = visits.reasons[node] ?? 0;
	if (final)
		notes.push(...REASONS.filter((reason) => hasReason(reasons, reason)).map((reason) => REASON_NAMES[reason]));
	const window = tree.vectors.size ? [] : [`window ${windowText(visits.alpha[node] ?? null, visits.beta[node] ?? null)}`]; // max^n has none
	return [`${name}: ${worth}`, ...window, ...notes].join(", ");
}

/** What the first picture of a bench shows. */
export function guideText(runs: { tree: SearchTree | null; name: string }[], pane: number, event: number): string {
	const { tree, name } = runs[pane] ?? {}, both = runs.length > 1 ? `One position, searched in ${runs.length === 2 ? "two" : "three"} ways. ` : "";
	if (!tree)
		return "";
	if (tree.kind !== "search")
		return `${both}Each box is a move. This is the tree at the end: it grew where moves looked promising.`;
	const node = tree.focus[event] ?? 0, kind = tree.done[node]! <= event ? cutKind(tree, node) : null;
	const where = tree.parent[node]! < 0 ? "at the start" : `below ${moveOf(tree, node) || "the pass"}`;
	const what = kind === "cut" ? ` ${name} has just made a cut-off (the red bar): it skips the rest ${where}, which cannot matter any more.`
		: kind === "pruned" ? ` ${name} has just left out the rest ${where} (the red bar).` : "";
	return `${both}Each box is a move with its value${event < tree.events - 1 ? " so far" : ""}.${what}`;
}
