// lobby.tsx - a list of games of the server: to join, to watch, to continue.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { post } from "../api";
import { playerName } from "../board/text";
import { t } from "../messages";
import { navigate } from "../router";
import { settings } from "../store/settings";
import type { Action, LobbyEntry, MyGame } from "../types";
import { Member } from "../ui/member";
import { toastError } from "../ui/toast";
import { clockWords } from "./newplay";

export type EntryAction = "Join" | "Watch" | "Continue";

/** own: the ids of your games, which you continue. */
export function EntryList({ entries, action, own = [] }: { entries: (LobbyEntry | MyGame)[]; action: EntryAction; own?: string[] }) {
	return (
		<ul class="entries">
			{entries.map((entry) => <Entry key={entry.id} entry={entry} action={own.includes(entry.id) ? "Continue" : action} />)}
		</ul>
	);
}

/** What a player wants to know of a game in progress. */
export interface Turn {
	kind: "yours" | "theirs" | "waiting" | "damaged" | "none"; // none: several people at one screen, or computers only
	left: number | null; // ms
	updated: number; // seconds since 1970
}

export function turnOf({ turn, your_turn, left, updated, damaged }: Pick<MyGame, "turn" | "your_turn" | "left" | "updated" | "damaged">): Turn {
	return { kind: damaged ? "damaged" : your_turn ? "yours" : turn ? "theirs" : "waiting", left, updated };
}

/** Your turn first, then the newest. */
export function byTurn(a: Turn, b: Turn): number {
	return Number(b.kind === "yours") - Number(a.kind === "yours") || b.updated - a.updated;
}

function leftText(ms: number): string {
	const minutes = Math.floor(ms / 60000);
	return minutes < 60 ? t("lobby.minutesLeft", { n: minutes }) : minutes < 48 * 60 ? t("lobby.hoursLeft", { n: Math.round(minutes / 60) })
		: t("lobby.daysLeft", { n: Math.round(minutes / 1440) });
}

export function TurnTag({ turn: { kind } }: { turn: Turn }) {
	return kind === "none" ? null : <span class={`turn ${kind}`}>{t("lobby.turn", { kind })}</span>;
}

/** "2 days left" if there is a clock, or else the time of the last change. */
export function timeText({ kind, left, updated }: Turn): string {
	return left === null || kind === "waiting" ? ageText(updated) : leftText(left);
}

function nameOf(seat: LobbyEntry["seats"][number]): string {
	return seat.kind === "open" ? t("lobby.openSeat") : playerName(seat) || t("lobby.someone");
}

export function ageText(created: number): string {
	const minutes = Math.max(0, Math.round((Date.now() / 1000 - created) / 60));
	if (minutes < 1)
		return t("lobby.justNow");
	if (minutes < 60)
		return t("lobby.minutesAgo", { n: minutes });
	return minutes < 48 * 60 ? t("lobby.hoursAgo", { n: Math.round(minutes / 60) }) : t("lobby.daysAgo", { n: Math.round(minutes / 1440) });
}

function Entry({ entry, action }: { entry: LobbyEntry | MyGame; action: EntryAction }) {
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
	const text = t("lobby.action", { action }), label = t("lobby.actionOn", { action, about: `${entry.title}, ${entry.seats.map(nameOf).join(" – ")}` });
	return (
		<li class="entry">
			<div class="what">
				<strong>{entry.title}{"turn" in entry ? <> <TurnTag turn={turnOf(entry)} /></> : null}</strong>
				<span>{entry.seats.map((seat, i) => <>{i ? " – " : ""}{nameOf(seat)}<Member of={seat} /></>)}</span>
				<small>
					{entry.clock ? clockWords(entry.clock) : t("lobby.noClock")} · {"turn" in entry ? timeText(turnOf(entry)) : ageText(entry.created)}
					{entry.dice === "typed" && ` · ${t("lobby.typedDice")}`}
					{entry.watchers > 0 && ` · ${t("lobby.watching", { n: entry.watchers })}`}
				</small>
			</div>
			{action === "Join"
				? <button type="button" class="primary" disabled={busy} onClick={join} aria-label={label}>{text}</button>
				: <a class="button" href={address} aria-label={label}>{text}</a>}
		</li>
	);
}
