// LuckPanel.tsx - in games with dice: the luck of each player, the result without it, and the tutor.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, Play } from "../types";
import { luckRows, rollText, signed, splitText, tutorText, type SeatLuck } from "./luck";
import { roleOf } from "./rights";
import { nameOf } from "./status";

export function LuckPanel({ play, board }: { play: Play; board: Board | null }) {
	const { tutor } = useStore(settings), { inProgress } = roleOf(play);
	if (!play.luck)
		return null;
	const name = (seat: number) => nameOf(play, board, seat);
	const advice = tutor ? tutorText(play.line) : null, roll = rollText(play.line, name);
	return (
		<section class="card luck small" aria-label={t("play.luck")}>
			<details open={!inProgress}>
				<summary>{t("play.luckAndTutor")}</summary>
				<LuckTable rows={luckRows(play.luck, play.line, name)} errors={tutor || !inProgress} />
				{roll ? <p>{roll}</p> : null}
				{splitText(play.luck, name(1)) ? <p>{splitText(play.luck, name(1))}</p> : null}
				<label>
					<input type="checkbox" checked={tutor} onChange={(event) => changeSettings({ tutor: event.currentTarget.checked })} />
					{t("play.tutor")}
				</label>
			</details>
			{tutor ? <p role="status">{advice ?? t("play.noComment")}</p> : null}
		</section>
	);
}

/** Luck and errors by seat, and what they mean. */
export function LuckTable({ rows, errors }: { rows: SeatLuck[]; errors: boolean }) {
	const shown = errors && rows.some((row) => row.errors !== null);
	return (
		<>
			<table>
				<thead><tr><th scope="col">{t("play.player")}</th><th scope="col">{t("play.luck")}</th>{shown ? <th scope="col">{t("play.errors")}</th> : null}</tr></thead>
				<tbody>
					{rows.map((row, i) => (
						<tr key={i}>
							<th scope="row">{row.name}</th>
							<td>{signed(row.luck)}</td>
							{shown ? <td>{row.errors === null ? "–" : row.errors < 0.005 ? "0.00" : signed(-row.errors)}</td> : null}
						</tr>
					))}
				</tbody>
			</table>
			<details>
				<summary>{t("play.luckHelp")}</summary>
				<p>{t("play.luckAbout")}</p>
			</details>
		</>
	);
}
