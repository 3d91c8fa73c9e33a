// lobby.tsx - a list of games of the server: to join, to watch, to continue.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { post } from "../api";
import { playerName } from "../board/text";
import { t } from "../messages";
import { navigate } from "../router";
import { settings } from "../store/settings";
import type { Action, LobbyEntry } from "../types";
import { toastError } from "../ui/toast";
import { clockWords } from "./newplay";

export type EntryAction = "Join" | "Watch" | "Continue";

export function EntryList({ entries, action }: { entries: LobbyEntry[]; action: EntryAction }) {
	return (
		<ul class="entries">
			{entries.map((entry) => <Entry key={entry.id} entry={entry} action={action} />)}
		</ul>
	);
}

function players(entry: LobbyEntry): string {
	return entry.seats.map((seat) => seat.kind === "open" ? t("lobby.openSeat") : playerName(seat) || t("lobby.someone")).join(" – ");
}

export function ageText(created: number): string {
	const minutes = Math.max(0, Math.round((Date.now() / 1000 - created) / 60));
	if (minutes < 1)
		return t("lobby.justNow");
	if (minutes < 60)
		return t("lobby.minutesAgo", { n: minutes });
	return minutes < 48 * 60 ? t("lobby.hoursAgo", { n: Math.round(minutes / 60) }) : t("lobby.daysAgo", { n: Math.round(minutes / 1440) });
}

function Entry({ entry, action }: { entry: LobbyEntry; action: EntryAction }) {
	const [busy, setBusy] = useState(false);
	const address = `/play/${encodeURIComponent(entry.id)}`;
	const join = async () => {
		setBusy(true);
		const name = settings.get().name;
		const request: Action = name ? { action: "join", name } : { action: "join" };
		try {
			await post(`/api/v1/plays/${encodeURIComponent(entry.id)}/actions`, request);
			navigate(address);
		} catch (error) {
			toastError(error);
			setBusy(false);
		}
	};
	const text = t("lobby.action", { action }), label = t("lobby.actionOn", { action, about: `${entry.title}, ${players(entry)}` });
	return (
		<li class="entry">
			<div class="what">
				<strong>{entry.title}</strong>
				<span>{players(entry)}</span>
				<small>
					{entry.clock ? clockWords(entry.clock) : t("lobby.noClock")} · {ageText(entry.created)}
					{entry.watchers > 0 && ` · ${t("lobby.watching", { n: entry.watchers })}`}
				</small>
			</div>
			{action === "Join"
				? <button type="button" class="primary" disabled={busy} onClick={join} aria-label={label}>{text}</button>
				: <a class="button" href={address} aria-label={label}>{text}</a>}
		</li>
	);
}
