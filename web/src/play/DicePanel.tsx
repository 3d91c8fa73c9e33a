// DicePanel.tsx - the dice: the commitment before a roll, and the roll with the player's seed.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { RequestError } from "../api";
import { t } from "../messages";
import { sendAgain } from "../reconnect";
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Action, Play } from "../types";
import { Icon } from "../ui/icons";
import { useKeys } from "../ui/keys";
import { toastError } from "../ui/toast";
import type { Seen } from "./Fairness";
import { hostOf } from "./host";
import { Fairness } from "./lazy";
import { roleOf } from "./rights";
import { newSeed } from "./seed";
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
