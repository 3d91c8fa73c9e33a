// records.ts - imports game records: journals are read here, all other formats by the engine.
// SPDX-License-Identifier: MIT
import { ask } from "../engine/ask";
import { looksLikeJournal, readJournal, writeJournal } from "../journal";
import { t } from "../messages";
import { pgnName } from "../pgn";
import { movesTo, pathTo, type GameTree } from "../tree";
import type { Game } from "../types";
import { fetchPosition } from "./parts";

/** The formats that can be imported. */
export function importFormats(game: Pick<Game, "pgn" | "name"> | null): string {
	return game?.pgn ? t("import.withPgn", { pgn: pgnName(game.name) }) : t("import.formats");
}

export function importHint(game: Pick<Game, "pgn" | "name"> | null): string {
	return game?.pgn ? '[Event "A game"]' : `{"quevedo":1,"game":"${game?.name ?? "noughts"}","position":"start"}`;
}

/** Throws an Error with the reason if the record is invalid. The engine checks the moves. */
export async function treeOfRecord(game: string, text: string): Promise<GameTree> {
	if (!looksLikeJournal(text))
		return treeByEngine(game, text);
	const { tree } = readJournal(text);
	for (const end of leaves(tree))
		await fetchPosition(tree.game, tree.start, movesTo(tree, end));
	return tree;
}

/** The text for the engine. Bare moves become PGN with a tag for the game, on the same line so that line numbers stay correct. */
export function asRecord(game: string, text: string): string {
	return looksLikeJournal(text) || /^\s*(\[|\d*\s*\(;)/.test(text) ? text : `[Variant "${game}"] ${text}`;
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

async function treeByEngine(game: string, text: string): Promise<GameTree> {
	return treeOfRead(await ask("records", { record: asRecord(game, text) }, { strong: needsServer(text) }));
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
