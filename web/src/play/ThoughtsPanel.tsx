// ThoughtsPanel.tsx - what the computer finds while it thinks, and what it found for its last move.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, Play, ThoughtsMessage } from "../types";
import { Thoughts } from "./lazy";
import { roleOf } from "./rights";

/** Only if at most one person plays: nobody may look into the head of an opponent of others. */
function canSee(play: Play): boolean {
	const role = roleOf(play);
	return play.seats.some((seat) => seat.kind === "computer") &&
		(role.seated ? role.alone : play.seats.filter((seat) => seat.kind === "person").length <= 1);
}

/** Whether these are the thoughts of a search in progress, or of the last turn of their seat: a move that was taken back is not shown. */
export function areCurrent({ line: { move }, seat, done }: Pick<ThoughtsMessage, "line" | "seat" | "done">, play: Pick<Play, "line" | "thinking" | "view">): boolean {
	if (!done)
		return play.thinking && play.view.seat === seat;
	const seats = play.line.map((one) => one.seat), last = seats.lastIndexOf(seat);
	let first = last;
	while (first >= 0 && seats[first] === seat)
		first--;
	return play.line.slice(first + 1, last + 1).some((one) => one.move === move);
}

export function ThoughtsPanel({ play, board, thoughts }: { play: Play; board: Board | null; thoughts: ThoughtsMessage | null }) {
	const { thoughts: on } = useStore(settings);
	if (!canSee(play))
		return null;
	return (
		<section class="card thoughts" aria-labelledby="thoughts">
			<div class="card-head">
				<h2 id="thoughts">{t("play.thoughts")}</h2>
				<button type="button" aria-pressed={on} title={t("play.thoughtsAbout")}
					onClick={() => changeSettings({ thoughts: !on })}>{on ? t("ui.hide") : t("ui.show")}</button>
			</div>
			{!on ? null : thoughts && areCurrent(thoughts, play) ? <Thoughts play={play} board={board} thoughts={thoughts} />
				: <p class="quiet small">{t("play.noThoughts")}</p>}
		</section>
	);
}
