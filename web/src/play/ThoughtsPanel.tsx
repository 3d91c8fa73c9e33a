// ThoughtsPanel.tsx - what the computer finds while it thinks, and what it found for its last move.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { countText, scoreText } from "../pages/score";
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, Play, ThoughtsMessage } from "../types";
import { roleOf } from "./rights";
import { nameOf } from "./status";

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

function Thoughts({ play, board, thoughts }: { play: Play; board: Board | null; thoughts: ThoughtsMessage }) {
	const { line, seat, done } = thoughts;
	const names = line.short_pv ?? line.pv;
	const searched = line.depth > 0 || line.proven, book = line.book ?? "";
	const values = { player: nameOf(play, board, seat), move: names[0] ?? line.move, depth: line.depth, nodes: countText(line.nodes) };
	return (
		<>
			{searched ? <p class="best-line"><strong>{scoreText(line, play.game)}</strong> <span>{names.join(" ")}</span></p> : null}
			<p class="quiet small">
				{searched ? done ? t("play.thoughtFound", values)
					: t("play.thoughtSearches", values)
					: book ? t("play.thoughtBook", { ...values, book })
					: done ? t("play.thoughtPlayed", values) : t("play.thoughtThinks", values)}
			</p>
			{book && names.length > 1 ? <p class="best-line"><span>{names.join(" ")}</span></p> : null}
		</>
	);
}
