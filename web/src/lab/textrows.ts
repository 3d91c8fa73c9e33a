// textrows.ts - the rows of the text tree, and other texts about a tree: pure functions.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { childrenOf, cutKind, flagsOf, hasFlag, hasReason, isWon, moveOf, number, numbersAt, ownValueAt, pathTo, REASONS, rootsAt, seatAt, valueAt, windowText, worthAt, type Flag, type SearchTree } from "./log";
import { proofNumber, ucbTerm } from "./draw";
import { keyOf, techniqueOf } from "./specs";

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
	"scout": t("lab.flagScout"), "again": t("lab.flagAgain"), "quiet": t("lab.flagQuiet"), "probe": t("lab.flagProbe"), "pass": t("lab.flagPass"),
	"reduced": t("lab.flagReduced"), "extended": t("lab.flagExtended"), "table-move": t("lab.flagTableMove"), "kept-move": t("lab.flagKeptMove"),
	"killer": t("lab.flagKiller"), "sample": t("lab.flagSample"), "usual": t("lab.flagUsual"), "verify": t("lab.flagVerify"),
};

export const REASON_NAMES: Record<typeof REASONS[number], string> = {
	"leaf": t("lab.reasonLeaf"), "ended": t("lab.reasonEnded"), "repeated": t("lab.reasonRepeated"), "table": t("lab.reasonTable"), "solved": t("lab.reasonSolved"),
	"stand-pat": t("lab.reasonStandPat"), "razor": t("lab.reasonRazor"), "hard": t("lab.reasonHard"), "top": t("lab.reasonTop"),
	"null-move": t("lab.reasonNullMove"), "futile": t("lab.reasonFutile"), "late": t("lab.reasonLate"), "mate": t("lab.reasonMate"),
	"star1": t("lab.reasonStar1"), "star2": t("lab.reasonStar2"), "won": t("lab.reasonWon"), "cut": t("lab.reasonCut"), "deepest": t("lab.reasonDeepest"),
};

/** Everything that the picture shows of a node, in one line. */
export function rowText(tree: SearchTree, node: number, event: number, explore: number): string {
	const above = tree.parent[node]!;
	const root = tree.roots.length > 1 ? t("lab.passNumber", { n: tree.roots.indexOf(node) + 1 }) : t("lab.start");
	const name = above < 0 ? root : moveOf(tree, node) || t("lab.pass");
	if (tree.kind !== "search") {
		const pair = numbersAt(tree, node, event);
		if (!pair)
			return name;
		if (tree.kind === "proof")
			return t("lab.rowProof", { name, proof: proofNumber(pair[0]), disproof: proofNumber(pair[1]) });
		const term = above < 0 ? null : ucbTerm(numbersAt(tree, above, event)?.[0] ?? 0, pair[0], explore);
		const [n, mean] = [pair[0], number(pair[1])];
		return term === null ? t("lab.rowVisits", { name, n, mean }) : t("lab.rowVisitsUcb", { name, n, mean, term: number(term) });
	}
	const { visits } = tree.log;
	const { final, bound } = ownValueAt(tree, node, event);
	const values = worthAt(tree, node, event).map(({ seat, text }) => {
		const worth = { bound: { "": "none", "≤": "most", "≥": "least" }[bound], value: text.replace(bound, "") };
		return seat ? t("lab.rowValueFor", { ...worth, player: tree.seats[seat - 1]?.name ?? "" }) : t("lab.rowValue", worth);
	}).join(", ");
	const row = values ? final ? t("lab.rowFinal", { name, values }) : t("lab.rowSoFar", { name, values })
		: final ? t("lab.rowNoValue", { name }) : t("lab.rowNoValueYet", { name });
	const notes: string[] = flagsOf(visits.flags[node] ?? 0).map((flag) => FLAG_NAMES[flag]);
	const reasons = visits.reasons[node] ?? 0;
	if (final)
		notes.push(...REASONS.filter((reason) => hasReason(reasons, reason)).map((reason) => REASON_NAMES[reason]));
	const window = tree.vectors.size ? [] : [t("lab.rowWindow", { range: windowText(visits.alpha[node] ?? null, visits.beta[node] ?? null) })]; // max^n has none
	return [row, ...window, ...notes].join(", ");
}

/** How sentences name a node: the root and a null move have no move to name them by. */
export function placeOf(tree: SearchTree, node: number): "start" | "pass" | "move" {
	return tree.parent[node]! < 0 ? "start" : moveOf(tree, node) ? "move" : "pass";
}

/** What the first picture of a bench shows. */
export function guideText(runs: { tree: SearchTree | null; name: string }[], pane: number, event: number): string {
	const { tree, name = "" } = runs[pane] ?? {}, both = runs.length > 1 ? [t("lab.guideWays", { n: runs.length })] : [];
	if (!tree)
		return "";
	if (tree.kind !== "search")
		return [...both, t("lab.guideGrown")].join(" ");
	const cut = cutText(tree, name, event);
	return [...both, t("lab.guideBoxes", { isEnd: String(event >= tree.events - 1) }), ...cut ? [cut] : []].join(" ");
}

/** "": the event cuts nothing off. */
function cutText(tree: SearchTree, name: string, event: number): string {
	const node = tree.focus[event] ?? 0, kind = tree.done[node]! <= event ? cutKind(tree, node) : null;
	const better = betterElsewhere(tree, node);
	const place = { name, where: placeOf(tree, node), move: moveOf(tree, node), why: better ? "known" : "unknown", side: better };
	return kind === "cut" ? t("lab.guideCut", place) : kind === "pruned" ? t("lab.guidePruned", place) : "";
}

/** Who has a move at least as good elsewhere, so that a reply is enough to cut off a node. "": the bound may be one that is only tested. */
function betterElsewhere(tree: SearchTree, node: number): string {
	const { log: { visits, seats } } = tree, path = pathTo(tree, node), root = path[0] ?? 0;
	const isTest = (at: number) => hasFlag(visits.flags[at] ?? 0, "scout") || hasFlag(visits.flags[at] ?? 0, "quiet");
	if (seats !== 2 || placeOf(tree, node) !== "move" || visits.alpha[root] != null || visits.beta[root] != null || path.some(isTest))
		return "";
	return tree.seats[(seatAt(tree, tree.parent[node]!) ?? 0) - 1]?.name ?? "";
}

/** A move with the side that makes it; of a typed tree, the move alone. */
function moveBy(tree: SearchTree, node: number): string {
	const seat = seatAt(tree, tree.parent[node]!), side = seat ? tree.seats[seat - 1]?.name : undefined, move = moveOf(tree, node) || t("lab.pass");
	return side && tree.log.game !== "diagram" ? t("lab.moveBy", { side, move }) : move;
}

/** Where a search is, and what it has found there. */
export function stepText(runs: { tree: SearchTree | null; name: string }[], pane: number, event: number): string {
	const { tree, name = "" } = runs[pane] ?? {};
	if (!tree)
		return "";
	const path = pathTo(tree, tree.focus[event] ?? 0).slice(1).map((node) => moveBy(tree, node));
	return tree.kind === "search" && cutText(tree, name, event) || [t("lab.nowAt", { name, where: path.length ? "line" : "start", line: path.join(", ") }), foundText(tree, event)].join(" ").trim();
}

/** Why a node has its value, once the search leaves it; "": it does not, or the sides' own numbers say more. */
function foundText(tree: SearchTree, event: number): string {
	const node = tree.focus[event] ?? 0, { value, final, bound } = valueAt(tree, node, event);
	if (tree.kind !== "search" || tree.log.seats !== 2 || !final || value === null || bound)
		return "";
	const over = hasReason(tree.log.visits.reasons[node] ?? 0, "ended"), mover = seatAt(tree, node), root = tree.log.seat;
	if (over)
		return isWon(value) ? t("lab.foundOver", { side: tree.seats[(value > 0 ? root : 3 - root) - 1]?.name ?? "" }) : t("lab.foundDraw");
	const own = number(ownValueAt(tree, node, event).value);
	if (tree.first[node]! < 0)
		return t("lab.foundLeaf", { value: own });
	return mover ? t("lab.foundBest", { side: tree.seats[mover - 1]?.name ?? "", value: own }) : "";
}

/** What the names of the searches mean, where the first of them stand. */
export function termsText(runs: { spec: string }[]): string {
	const kinds = runs.map(({ spec }) => techniqueOf(spec)?.name ?? ""), depth = Number(keyOf(runs[0]?.spec ?? "", "depth"));
	const about = [
		...kinds.includes(t("lab.minimax")) ? [t("lab.termMinimax")] : [],
		...kinds.includes(t("lab.plain")) ? [t("lab.termPlain")] : [],
	];
	return about.length && depth ? [...about, t("lab.termDepth", { depth })].join(" ") : "";
}
