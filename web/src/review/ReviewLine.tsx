// ReviewLine.tsx - from the analysis board to the review of the line that is shown there.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { playersOf } from "../study/GameFacts";
import { isMain, mainLine, movesTo, toEnd, type GameTree } from "../tree";
import { Icon } from "../ui/icons";
import { reviewLink } from "./link";

/** The review of the game, or of the variation with the cursor; "": it has no moves. The address has the names of the players, too. */
export function reviewOfTree(tree: GameTree): string {
	const inMain = isMain(tree, tree.cursor), end = inMain ? mainLine(tree).pop() ?? 0 : toEnd(tree).cursor;
	const moves = movesTo(tree, end), players = playersOf(tree.about ?? { seats: [] });
	if (!moves.length)
		return "";
	const more = new URLSearchParams(players.some(Boolean) ? players.map((name) => ["player", name]) : []);
	if (inMain && tree.about?.result)
		more.set("result", tree.about.result);
	const link = reviewLink({ game: tree.game, start: tree.start, line: moves.map((move) => ({ move })) });
	return [link, more.toString()].filter(Boolean).join("&");
}

export function ReviewLine({ tree }: { tree: GameTree }) {
	const link = reviewOfTree(tree);
	return link ? <a class="button" href={link} title={t("review.lineTitle")}><Icon name="analyse" />{t("review.line")}</a> : null;
}
