// records.ts - records that people bring: read here if they are journals, else by the server.
// SPDX-License-Identifier: MIT
import { post } from "../api";
import { looksLikeJournal, readJournal, treeOfPlay, writeJournal } from "../journal";
import { movesTo, pathTo, type GameTree } from "../tree";
import type { Game, ReadRecord } from "../types";
import { look } from "./parts";

/** What may be brought. */
export function importWords(game: Game | null): string {
	return game?.pgn ? "PGN or an exported record (JSON lines)" : "An exported record (JSON lines)";
}

export function importHint(game: Game | null): string {
	return game?.pgn ? '[Event "A game"]' : `{"quevedo":1,"game":"${game?.name ?? "noughts"}","position":"start"}`;
}

/** Throws an Error that says why it is refused. The server checks every line of moves. */
export async function treeOfRecord(game: string, text: string): Promise<GameTree> {
	if (!looksLikeJournal(text))
		return treeByServer(game, text);
	const { tree } = readJournal(text);
	for (const end of leaves(tree))
		await look(tree.game, tree.start, movesTo(tree, end));
	return tree;
}

/** A text as the server takes it: moves alone are PGN, once a tag says of what. Lines keep their numbers. */
export function asRecord(game: string, text: string): string {
	return looksLikeJournal(text) || /^\s*\[/.test(text) ? text : `[Variant "${game}"] ${text}`;
}

/** PGN is known to the server alone. */
async function treeByServer(game: string, text: string): Promise<GameTree> {
	return treeOfPlay(await post<ReadRecord>("/api/v1/records", { record: asRecord(game, text) }));
}

/** The other way: a tree as PGN. */
export async function pgnOfTree(tree: GameTree): Promise<string> {
	const { pgn } = await post<ReadRecord>("/api/v1/records", { record: writeJournal(tree) });
	if (pgn === null)
		throw new Error("This game can't be exported as PGN.");
	return pgn;
}

/** The main line's end and at most 20 more: a check, not a proof. */
function leaves(tree: GameTree): number[] {
	const ends: number[] = [];
	tree.nodes.forEach((node, id) => {
		if (node && !node.children.length)
			ends.push(id);
	});
	return ends.filter((id) => pathTo(tree, id).length > 1).slice(0, 20);
}
