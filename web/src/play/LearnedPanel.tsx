// LearnedPanel.tsx - what a computer that learns remembers: how many losing moves, the last of them, and a button to forget.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { rich, t } from "../messages";
import { addLearned, keepLearned, learnedMoves, learnedOf } from "../store/learned";
import type { Play } from "../types";
import type { PlayActions } from "./actions";
import { roleOf } from "./rights";

const SHOWN = 5;

/** onForget null: it may not be changed here. */
export function Learned({ text, onForget }: { text: string; onForget: (() => void) | null }) {
	const moves = learnedMoves(text);
	const last = moves.slice(-SHOWN).reverse();
	return (
		<>
			<p>{t("play.remembers", { n: moves.length })}</p>
			{moves.length > 0 && <details>
				<summary>{moves.length > SHOWN ? t("play.theLast", { n: SHOWN }) : t("ui.show")}</summary>
				<ul class="learned">
					{last.map(({ position, move }) => <li key={position + move}>{rich("play.moveIn", { move: <code>{move}</code>, position: <code>{position}</code> })}</li>)}
				</ul>
			</details>}
			{onForget && moves.length > 0 && <button type="button" onClick={onForget}>{t("play.forget")}</button>}
		</>
	);
}

/** In the new-game form: what this browser keeps for the game. */
export function LearnedChoice({ game }: { game: string }) {
	const [, setRound] = useState(0);
	const forget = () => {
		keepLearned(game, "");
		setRound((now) => now + 1);
	};
	return (
		<fieldset class="levels memory">
			<legend>{t("play.memory")}</legend>
			<Learned text={learnedOf(game)} onForget={forget} />
		</fieldset>
	);
}

/** In a game. What it learns here is kept for the next games in this browser. */
export function LearnedPanel({ play, actions }: { play: Play; actions: PlayActions }) {
	const role = roleOf(play);
	const before = useRef({ id: play.id, memory: play.memory });
	useEffect(() => {
		/* Only what changes while this page looks on: an old game must not bring back what was forgotten since. */
		if (before.current.id === play.id && before.current.memory !== play.memory && role.seated)
			keepLearned(play.game, play.memory ? addLearned(learnedOf(play.game), before.current.memory ?? "", play.memory) : "");
		before.current = { id: play.id, memory: play.memory };
	}, [play.id, play.memory]);
	if (!play.seats.some(({ spec }) => spec === "learn"))
		return null;
	return (
		<section class="card memory" aria-label={t("play.memoryOf")}>
			<h2>{t("play.memory")}</h2>
			<Learned text={play.memory ?? ""} onForget={role.seated && role.alone ? () => void actions.act({ action: "forget" }) : null} />
		</section>
	);
}
