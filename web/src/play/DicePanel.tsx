// DicePanel.tsx - the dice: the commitment before a roll, the roll with the player's seed, and its verification.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { post } from "../api";
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Play } from "../types";
import { Icon } from "../ui/icons";
import { useKeys } from "../ui/keys";
import { newSeed, prove } from "./dice";
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
	const commitments = useRef(new Map<number, string>());
	if (commit)
		commitments.current.set(play.line.length, commit);

	const roll = async () => {
		try {
			await post(`/api/v1/plays/${encodeURIComponent(play.id)}/actions`, { action: "throw", seed: newSeed() });
		} catch {
			/* Someone else has rolled, or it was not our roll: the stream will show the result. */
			setRefused(commit);
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

	if (dice?.mode !== "server")
		return null;
	return (
		<div class={autothrow ? "dice card" : "dice card manual"} role="group" aria-label={words?.group ?? "Dice"}>
			<div class="row">
				<button type="button" class="primary" title={`${words?.roll ?? "Roll"} (r)`} disabled={!canRoll} onClick={() => void roll()}><Icon name="dice" />{words?.roll ?? "Roll"}</button>
				<label class="small">
					<input type="checkbox" checked={autothrow} onChange={(event) => changeSettings({ autothrow: event.currentTarget.checked })} />
					{words?.auto ?? "Roll automatically"}
				</label>
				<LastRoll play={play} promised={dice.last ? commitments.current.get(dice.last.ply) ?? null : null} />
			</div>
			{commit ? <p class="small quiet promise">Commitment before the roll: <code>{commit.slice(0, 16)}…</code></p> : null}
		</div>
	);
}

function LastRoll({ play, promised }: { play: Play; promised: string | null }) {
	const last = play.dice?.last;
	if (!last)
		return null;
	const proof = prove(last, play.id, promised);
	return (
		<details class="small proof">
			<summary>
				{proof === "proven"
					? <span class="good">✓ {last.move}: verified fair</span>
					: <span class="bad">✗ {last.move}: verification failed</span>}
			</summary>
			<dl>
				<dt>Commitment</dt><dd><code>{last.commit}</code></dd>
				<dt>Secret</dt><dd><code>{last.secret}</code></dd>
				<dt>Player's seed</dt><dd><code>{last.seed || "(none)"}</code></dd>
				<dt>Number</dt><dd>{`${last.number} (of 0 to ${last.weights - 1})`}</dd>
			</dl>
		</details>
	);
}
