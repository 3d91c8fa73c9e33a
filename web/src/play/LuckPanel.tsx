// LuckPanel.tsx - in games with dice: the luck of each player, the result without it, and the tutor.
// SPDX-License-Identifier: MIT
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, Play } from "../types";
import { luckText, splitText, tutorText } from "./luck";

export function LuckPanel({ play, board }: { play: Play; board: Board | null }) {
	const { tutor } = useStore(settings);
	if (!play.luck)
		return null;
	const split = splitText(play, board), advice = tutor ? tutorText(play.line) : null;
	return (
		<section class="card luck small" aria-label="Luck">
			<p title="Points that the dice brought, compared with average rolls">{split ? `${luckText(play, board)} ${split}` : luckText(play, board)}</p>
			<label>
				<input type="checkbox" checked={tutor} onChange={(event) => changeSettings({ tutor: event.currentTarget.checked })} />
				Tutor: comment on your moves
			</label>
			{tutor ? <p role="status">{advice ?? "No comment yet."}</p> : null}
		</section>
	);
}
