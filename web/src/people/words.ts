// words.ts - phrases and players as text.
// SPDX-License-Identifier: MIT
import { playerName, sideName } from "../board/text";
import { t } from "../messages";
import type { Board, Phrase, Play } from "../types";

export const PHRASES: Record<Phrase, string> = {
	hello: t("people.hello"), good_luck: t("people.goodLuck"), well_played: t("people.wellPlayed"), thanks: t("people.thanks"),
	sorry: t("people.sorry"), one_moment: t("people.oneMoment"), good_game: t("people.goodGame"), goodbye: t("people.goodbye"),
};

/** The player's name, or the side of a seat without one. */
export function whoIs(play: Play, board: Board | null, seat: number): string {
	const found = play.seats.find((one) => one.seat === seat);
	return (found && found.kind !== "open" && playerName(found)) || sideName(board, seat);
}
