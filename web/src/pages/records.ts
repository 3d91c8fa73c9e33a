// records.ts - imports game records: journals are read here, all other formats by the engine.
// SPDX-License-Identifier: MIT
import { ask } from "../engine/ask";
import { looksLikeJournal, readJournal, writeJournal } from "../journal";
import { t } from "../messages";
import { movesTo, newTree, pathTo, type GameTree } from "../tree";
import type { Game } from "../types";
import { fetchPosition } from "./parts";

/** What can be imported: records name their game. */
export const IMPORT_FORMATS = t("import.formats");

export function importHint(game: Pick<Game, "pgn" | "name"> | null): string {
	return game?.pgn ? '[Event "A game"]' : `{"quevedo":1,"game":"${game?.name ?? "noughts"}","position":"start"}`;
}

/** Whether a text is only moves or a position. */
function isBare(text: string): boolean {
	return !looksLikeJournal(text) && !/^\s*(\[|\d*\s*\(;)/.test(text);
}

/** The moves of a transcript without separators, "f5d6c3" of squares or "444355" of digits; null: the text is none. */
export function splitTranscript(text: string): string | null {
	const joined = text.replace(/\s+/g, "");
	const moves = /^([a-z]\d{1,2}){2,}$/i.test(joined) ? joined.match(/[a-z]\d+/gi) : /^\d{2,}$/.test(joined) ? [...joined] : null;
	return moves && moves.join(" ");
}

/** Throws an Error with the reason if the record is invalid. The engine checks the moves. */
export async function treeOfRecord(game: string, text: string): Promise<GameTree> {
	if (isBare(text))
		return treeOfBare(game, text);
	if (!looksLikeJournal(text))
		return treeByEngine(text);
	const { tree } = readJournal(text);
	for (const end of leaves(tree))
		await fetchPosition(tree.game, tree.start, movesTo(tree, end));
	return tree;
}

/** Moves become PGN with a tag for the game. If they are none, the text can be a transcript or a position; if not, the first error is shown. */
async function treeOfBare(game: string, text: string): Promise<GameTree> {
	const moves = (list: string) => treeByEngine(`[Variant "${game}"] ${list}`);
	try {
		return await moves(text);
	} catch (error) {
		const split = splitTranscript(text);
		if (split)
			return moves(split);
		const view = await fetchPosition(game, text.trim(), []).catch(() => null);
		if (!view)
			throw error;
		return newTree(game, view.position);
	}
}

/** The text for the server, which takes records in any format. */
export async function asRecord(game: string, text: string): Promise<string> {
	return isBare(text) ? writeJournal(await treeOfBare(game, text)) : text;
}

/** Files of backgammon, which the browser's engine has no room for. */
function needsServer(text: string): boolean {
	return !STATIC_SITE && /^\s*\(;[^;]*\bGM\[6\]/.test(text);
}

/** The record that the engine has read; `tree` has the short names of the same nodes. */
function treeOfRead({ record, tree: named }: { record: string; tree: { short?: string }[] }): GameTree {
	const { tree } = readJournal(record);
	return { ...tree, nodes: tree.nodes.map((node, i) => node && { ...node, short: named[i]?.short ?? "" }) };
}

async function treeByEngine(text: string): Promise<GameTree> {
	return treeOfRead(await ask("records", { record: text }, { strong: needsServer(text) }));
}

/** The trees of all games of a file. Throws an Error with the reason if one cannot be read. */
export async function treesOfRecords(game: string, texts: string[]): Promise<GameTree[]> {
	const trees: GameTree[] = [];
	for (const text of texts)
		trees.push(await treeOfRecord(game, text));
	return trees;
}

/** Writes a tree as PGN. */
export async function pgnOfTree(tree: GameTree): Promise<string> {
	const { pgn } = await ask("records", { record: writeJournal(tree) });
	if (pgn === null)
		throw new Error(t("import.noPgn"));
	return pgn;
}

/** The ends of up to 20 lines: enough for a check. */
function leaves(tree: GameTree): number[] {
	const ends: number[] = [];
	tree.nodes.forEach((node, id) => {
		if (node && !node.children.length)
			ends.push(id);
	});
	return ends.filter((id) => pathTo(tree, id).length > 1).slice(0, 20);
}
