// DicePanel.tsx - the dice: the commitment before a roll, the roll with the player's seed, and its verification.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { RequestError } from "../api";
import { rich, t } from "../messages";
import { fetchPosition, useLoad } from "../pages/parts";
import { rollName } from "../pages/rounds";
import { sendAgain } from "../reconnect";
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Action, Move, Play } from "../types";
import { Icon } from "../ui/icons";
import { useKeys } from "../ui/keys";
import { toastError } from "../ui/toast";
import { newSeed, outcomeOf, prove } from "./dice";
import { hostOf } from "./host";
import { keptId } from "./local";
import { roleOf } from "./rights";
import { wordsOf } from "./words";

const PAUSE_MS = 450; // long enough to see the commitment before the roll

export function DicePanel({ play }: { play: Play }) {
	const { autothrow } = useStore(settings);
	const role = roleOf(play);
	const dice = play.dice;
	const words = wordsOf(play.game);
	const commit = role.rollDue ? dice?.commit ?? null : null;
	const [refused, setRefused] = useState<string | null>(null);
	const [failed, setFailed] = useState<string | null>(null);
	const asked = useRef<string | null>(null);
	const latest = useRef(commit);
	latest.current = commit;
	const seen = useRef(new Map<number, Seen>());
	if (commit)
		seen.current.set(play.line.length, { commit, moves: play.view.moves });

	const roll = async () => {
		if (asked.current === commit)
			return; // by the timer, the key or the button
		asked.current = commit;
		const action: Action = { action: "throw", seed: newSeed() };
		try {
			/* Once this roll is over it is not sent again. */
			await sendAgain(async () => latest.current === commit ? hostOf(play.id).act(play.id, action) : null);
		} catch (error) {
			/* Someone else has rolled, or it was not our roll: the stream will show the result. */
			if (latest.current !== commit || (error instanceof RequestError && error.status === 409))
				return setRefused(commit);
			asked.current = null;
			setFailed(commit);
			toastError(error);
		}
	};
	const canRoll = commit !== null && role.canRoll && refused !== commit;
	/* With a doubling cube you have already decided to roll. */
	const decided = play.line[play.line.length - 1]?.move === "roll";
	useEffect(() => {
		if (!canRoll || !(autothrow || decided))
			return;
		const timer = setTimeout(() => void roll(), PAUSE_MS);
		return () => clearTimeout(timer);
	}, [commit, canRoll, autothrow, decided]);

	useKeys(canRoll ? { r: () => void roll() } : {});
	const byHand = !autothrow || (commit !== null && failed === commit);

	if (dice?.mode !== "server")
		return null;
	return (
		<div class={byHand ? "dice card manual" : "dice card"} role="group" aria-label={words?.group ?? t("play.dice")}>
			<div class="row">
				{role.inProgress && byHand ? (
					<button type="button" class="primary" title={`${words?.roll ?? t("play.roll")} (r)`} aria-disabled={!canRoll} onClick={() => canRoll && void roll()}>
						<Icon name="dice" />{words?.roll ?? t("play.roll")}
					</button>
				) : null}
				{role.inProgress ? (
					<label class="small">
						<input type="checkbox" checked={autothrow} onChange={(event) => changeSettings({ autothrow: event.currentTarget.checked })} />
						{words?.auto ?? t("play.rollAutomatically")}
					</label>
				) : null}
				<Fairness play={play} commit={commit} seen={dice.last ? seen.current.get(dice.last.ply) ?? null : null} />
			</div>
		</div>
	);
}

/** What the page has seen before a roll: the commitment and the possible outcomes. */
interface Seen {
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
function Fairness({ play, commit, seen }: { play: Play; commit: string | null; seen: Seen | null }) {
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
