// records.ts - records that people bring: read here if they are journals, else by the server.
// SPDX-License-Identifier: MIT
import { get, post } from "../api";
import { looksLikeJournal, readJournal, treeOfPlay } from "../journal";
import { movesTo, pathTo, type GameTree } from "../tree";
import type { Created, Play } from "../types";
import { look } from "./parts";

/** Throws an Error that says why it is refused. The server checks every line of moves. */
export async function treeOfRecord(game: string, text: string): Promise<GameTree> {
	if (!looksLikeJournal(text))
		return treeByServer(game, text);
	const { tree } = readJournal(text);
	for (const end of leaves(tree))
		await look(tree.game, tree.start, movesTo(tree, end));
	return tree;
}

/** The game's own formats are known to the server alone: it makes a private play of the record. */
async function treeByServer(game: string, text: string): Promise<GameTree> {
	const made = await post<Created>("/api/v1/plays", { game, record: text, private: true });
	return treeOfPlay(await get<Play>(`/api/v1/plays/${encodeURIComponent(made.id)}`));
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
