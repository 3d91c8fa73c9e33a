// result.ts - the result of a game in a list, as text: a pure function.
// SPDX-License-Identifier: MIT
import { playerName } from "../board/text";
import { t } from "../messages";
import type { StoredGame } from "../store/games";

export function gameResult({ result, seats }: Pick<StoredGame, "result" | "seats">): string {
	if (result === null)
		return t("local.inProgress");
	const winner = seats[Number(/^win (\d+)$/.exec(result)?.[1] ?? 0) - 1];
	if (!winner)
		return result === "draw" ? t("local.draw") : t("local.noResult");
	const people = seats.filter(({ kind }) => kind === "person").length;
	if (people === 1)
		return winner.kind === "person" ? t("local.won") : t("local.lost");
	return t("local.playerWon", { player: playerName(winner) || t("local.you") });
}
