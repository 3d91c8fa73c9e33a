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
			{!on ? null : thoughts ? <Thoughts play={play} board={board} thoughts={thoughts} />
				: <p class="quiet small">{t("play.noThoughts")}</p>}
		</section>
	);
}

function Thoughts({ play, board, thoughts }: { play: Play; board: Board | null; thoughts: ThoughtsMessage }) {
	const { line, seat, done } = thoughts;
	const names = line.short_pv ?? line.pv;
	const searched = line.depth > 0 || line.proven;
	const values = { player: nameOf(play, board, seat), move: names[0] ?? line.move, depth: line.depth, nodes: countText(line.nodes) };
	return (
		<>
			<p class="best-line">{searched ? <strong>{scoreText(line, play.game)}</strong> : null} <span>{names.join(" ")}</span></p>
			<p class="quiet small">
				{searched ? done ? t("play.thoughtFound", values)
					: t("play.thoughtSearches", values)
					: done ? t("play.thoughtPlayed", values) : t("play.thoughtThinks", values)}
			</p>
		</>
	);
}
