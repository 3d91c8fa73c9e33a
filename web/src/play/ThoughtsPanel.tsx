// ThoughtsPanel.tsx - what the computer finds while it thinks, and what it found for its last move.
// SPDX-License-Identifier: MIT
import { countText } from "../pages/engine";
import { scoreText } from "../pages/score";
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
				<h2 id="thoughts">Computer's thoughts</h2>
				<button type="button" aria-pressed={on} title="Show depth, score and best line of the computer's search"
					onClick={() => changeSettings({ thoughts: !on })}>{on ? "Hide" : "Show"}</button>
			</div>
			{!on ? null : thoughts ? <Thoughts play={play} board={board} thoughts={thoughts} />
				: <p class="quiet small">The computer has not moved yet.</p>}
		</section>
	);
}

function Thoughts({ play, board, thoughts }: { play: Play; board: Board | null; thoughts: ThoughtsMessage }) {
	const { line, seat, done } = thoughts;
	const names = line.short_pv ?? line.pv;
	const searched = line.depth > 0 || line.proven;
	return (
		<>
			<p class="best-line">{searched ? <strong>{scoreText(line, play.game)}</strong> : null} <span>{names.join(" ")}</span></p>
			<p class="quiet small">
				{nameOf(play, board, seat)} {done ? `played ${names[0] ?? line.move}` : "is thinking"}:{" "}
				{searched ? `depth ${line.depth}, ${countText(line.nodes)} positions${done ? "." : "…"}` : "no search."}
				{searched ? " The score is from its point of view." : ""}
			</p>
		</>
	);
}
