// Fairness.tsx - verifies the last roll of the dice.
// SPDX-License-Identifier: MIT
import { rich, t } from "../messages";
import { fetchPosition, useLoad } from "../pages/parts";
import { rollName } from "../pages/rounds";
import type { Move, Play } from "../types";
import { outcomeOf, prove } from "./dice";
import { keptId } from "./local";

/** What the page has seen before a roll: the commitment and the possible outcomes. */
export interface Seen {
	commit: string;
	moves: Move[];
}

/** What the number of the last roll stands for, by the rules. A page that was opened later asks for the position. null: not known. */
function useOutcome(play: Play, seen: Seen | null): string | null {
	const last = play.dice?.last;
	const before = last && !seen && last.ply < play.line.length ? play.line.slice(0, last.ply).map(({ move }) => move) : null;
	const key = last && before ? `${play.id} ${last.ply} ${last.commit}` : "";
	const loaded = useLoad(key, async () => ({ key, moves: (await fetchPosition(play.game, play.start, before ?? [])).moves }));
	const moves = seen?.moves ?? (key && loaded.value?.key === key ? loaded.value.moves : null);
	return last && moves ? outcomeOf(moves, last.number) : null;
}

/** Whether the last roll was fair, and, if you open it, why; also the commitment to the next one. */
export function Fairness({ play, commit, seen }: { play: Play; commit: string | null; seen: Seen | null }) {
	const last = play.dice?.last, outcome = useOutcome(play, seen);
	const isWrong = last && outcome !== null && outcome !== last.move;
	const proof = last && !isWrong ? prove(last, keptId(play.id), seen?.commit ?? null) : "wrong";
	return (
		<details class="small proof">
			<summary>
				{!last ? t("play.fairDice") : proof === "proven"
					? <span class="good">{t("play.verified", { roll: rollName(last.move) })}</span>
					: <span class="bad">{t("play.notVerified", { roll: rollName(last.move) })}</span>}
			</summary>
			{commit ? <p class="quiet promise">{rich("play.commitment", { commit: <code>{commit.slice(0, 16)}…</code> })}</p> : null}
			{last ? <dl>
				<dt>{t("play.commitmentName")}</dt><dd><code>{last.commit}</code></dd>
				<dt>{t("play.secret")}</dt><dd><code>{last.secret}</code></dd>
				<dt>{t("play.seed")}</dt><dd><code>{last.seed || t("play.noSeed")}</code></dd>
				<dt>{t("play.number")}</dt><dd>{`${t("play.numberOf", { number: last.number, most: last.weights - 1 })}${outcome === null ? "" : `: ${outcome}`}`}</dd>
			</dl> : null}
		</details>
	);
}
