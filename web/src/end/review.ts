// review.ts - opens a game for review: the one place that decides where.
// SPDX-License-Identifier: MIT
import { treeOfPlay } from "../journal";
import { handOver } from "../pages/handover";
import { analyseLink } from "../pages/parts";
import { navigate } from "../router";
import type { Play } from "../types";

/** A finished game is analysed as a whole. */
export function reviewOf(play: Play): void {
	handOver(treeOfPlay(play), play.result !== null);
	navigate(analyseLink(play.game, play.start, play.line.map((one) => one.move)));
}
