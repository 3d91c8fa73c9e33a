// GameFacts.tsx - who played an imported game, where, when, and how it ended.
// SPDX-License-Identifier: MIT
import { resultText, sideName } from "../board/text";
import { t } from "../messages";
import type { GameAbout, GameTree } from "../tree";
import type { Board } from "../types";

const KNOWN = (text: string | undefined) => (text && !/^[?.]*$/.test(text) ? text : "");

/** The names of the players; a record of a game of this page has "human" for people. */
export function playersOf({ seats }: Pick<GameAbout, "seats">): string[] {
	return seats.map((name) => (name === "human" ? "" : KNOWN(name)));
}

/** "Ana – Bruno", or the event; "": unknown. */
export function gameTitle(tree: GameTree): string {
	const { tags = {}, seats = [] } = tree.about ?? {};
	const players = playersOf({ seats });
	return KNOWN(tags["ChapterName"]) || (players.some(Boolean) ? players.map((name) => name || "?").join(" – ") : KNOWN(tags["Event"]));
}

export function GameFacts({ tree, board }: { tree: GameTree; board: Board | null }) {
	const { about } = tree;
	if (!about)
		return null;
	const players = playersOf(about);
	const places = [KNOWN(about.tags["Event"]), KNOWN(about.tags["Site"]), KNOWN(about.tags["Date"])].filter(Boolean);
	const result = about.result ? resultText(about.result, board) : "";
	if (!players.some(Boolean) && !places.length)
		return null;
	return (
		<p class="game-facts">
			{players.some(Boolean) && <span class="players">
				{players.map((name, i) => <span key={i} class="player"><strong>{name || "?"}</strong> <small>{sideName(board, i + 1)}</small></span>)}
			</span>}
			{result && <span class="tag">{result}</span>}
			{places.length > 0 && <span class="quiet">{places.join(t("study.between"))}</span>}
		</p>
	);
}
