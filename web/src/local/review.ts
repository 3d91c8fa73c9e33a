// review.ts - opens a game of this browser on the analysis board.
// SPDX-License-Identifier: MIT
import { treeOfPlay } from "../journal";
import { handOver } from "../pages/handover";
import { analyseLink } from "../pages/parts";
import { localHost, localId } from "../play/local";
import { navigate } from "../router";
import type { StoredGame } from "../store/games";

/** A finished game is analysed as a whole. */
export async function reviewGame({ id }: Pick<StoredGame, "id">): Promise<void> {
	const play = await localHost.get(localId(id));
	handOver(treeOfPlay(play), play.result !== null);
	navigate(analyseLink(play.game, play.start, play.line.map((one) => one.move)));
}
