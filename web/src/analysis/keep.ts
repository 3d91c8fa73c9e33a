// keep.ts - the analysis board after a reload, and in a link: with variations, comments, drawings and names.
// SPDX-License-Identifier: MIT
//
// The address has the moves up to the current position. What else there is follows a "#", compressed, as in links to studies; if that is
// too long for an address, the entry of the browser's history has it, so that a reload shows it all the same.
import { readJournal, writeJournal } from "../journal";
import { t } from "../messages";
import { analyseLink, baseName } from "../pages/parts";
import { anchorHere, hrefOf } from "../router";
import { movesTo, playAll, type GameTree } from "../tree";

const ADDRESS_MOST = 6000, LINK_MOST = 30000; // characters; browsers and messengers cut longer links
const RECORD_BYTES = 512 << 10;
const PAUSE_MS = 400; // compressing can wait until you stop

let last = "";

/** The game that this tab has analysed last, without its options; "": none. */
export function lastAnalysed(): string {
	return last;
}

/** Whether the address of the current position says all there is. */
export function isPlain(tree: GameTree): boolean {
	const nodes = tree.nodes.filter((node) => node !== null);
	return !tree.about && nodes.length === movesTo(tree, tree.cursor).length + 1 && nodes.every(({ note }) => note === "");
}

/** With the cursor at the end of these moves. */
function treeOf(record: string, moves: string[]): GameTree {
	return playAll({ ...readJournal(record).tree, cursor: 0 }, moves);
}

function addressOf(tree: GameTree): string {
	return analyseLink(tree.game, tree.start, movesTo(tree, tree.cursor));
}

async function pack(tree: GameTree): Promise<string> {
	const { packText } = await import("../study/pack");
	return packText(writeJournal(tree), RECORD_BYTES);
}

/** The address for others, from its "/". Throws an Error for the reader if it would be too long. */
export async function linkOf(tree: GameTree): Promise<string> {
	const link = isPlain(tree) ? addressOf(tree) : `${addressOf(tree)}#${await pack(tree)}`;
	if (link.length > LINK_MOST)
		throw new Error(t("analysis.linkTooLong"));
	return link;
}

/** The tree in the link by which the page was opened; null: it has none. Throws an Error for the reader if it is damaged. */
export async function treeOfLink(moves: string[]): Promise<GameTree | null> {
	const packed = anchorHere().slice(1);
	if (!packed)
		return null;
	try {
		const { unpackText } = await import("../study/pack");
		return treeOf(await unpackText(packed.slice(0, 2 * LINK_MOST), RECORD_BYTES), moves);
	} catch {
		throw new Error(t("analysis.linkDamaged"));
	}
}

/** The tree of the current entry of the history; null: none. */
export function keptTree(moves: string[]): GameTree | null {
	const { record } = (history.state ?? {}) as { record?: unknown };
	try {
		return typeof record === "string" ? treeOf(record, moves) : null;
	} catch {
		return null;
	}
}

function replace(record: string, address: string): void {
	const at = hrefOf(address);
	try {
		history.replaceState({ record }, "", address.length > ADDRESS_MOST ? undefined : at);
	} catch {
		history.replaceState(null, "", at); // the browser has no room for it
	}
}

/** Keeps the tree in the address and in the history, and reports each change of the address; returns what stops the work that is left. */
export function keepTree(tree: GameTree, onKept: () => void): () => void {
	const record = writeJournal(tree), address = addressOf(tree);
	const keep = (to: string) => {
		replace(record, to);
		onKept();
	};
	let isCurrent = true;
	last = baseName(tree.game);
	keep(address);
	const timer = isPlain(tree) ? 0 : window.setTimeout(() => void pack(tree).then((packed) => {
		if (isCurrent && address.length + packed.length < ADDRESS_MOST)
			keep(`${address}#${packed}`);
	}, () => undefined), PAUSE_MS);
	return () => {
		isCurrent = false;
		clearTimeout(timer);
	};
}
