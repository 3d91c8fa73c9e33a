// notify.ts - a notification of the system when it is your turn and the page is in the background.
// SPDX-License-Identifier: MIT
import { useEffect, useRef } from "preact/hooks";
import { t } from "../messages";
import { roleOf } from "../play/rights";
import { changeSettings, settings } from "../store/settings";
import type { Play } from "../types";

/** Only secure pages have notifications. */
export function canNotify(): boolean {
	return "Notification" in window && Notification.permission !== "denied";
}

/** Asks the reader, if the browser has not yet. */
export async function setNotify(on: boolean): Promise<void> {
	const allowed = on && await Notification.requestPermission() === "granted";
	changeSettings({ notify: allowed });
}

/** Browsers on phones show notifications of service workers only. */
async function show(title: string, body: string): Promise<void> {
	const options = { body, tag: "quevedo-turn" };
	const worker = await navigator.serviceWorker?.getRegistration();
	if (worker)
		return worker.showNotification(title, options);
	const notification = new Notification(title, options);
	notification.onclick = () => window.focus();
}

/** What has happened that the reader waits for: "" if nothing. */
export function newsOf(before: Play, play: Play): "" | "joined" | "turn" | "offer" {
	const now = roleOf(play);
	if (before.id !== play.id || !now.seated || now.alone)
		return "";
	if (roleOf(before).waiting && !now.waiting)
		return "joined";
	if (now.myTurn && !roleOf(before).myTurn)
		return "turn";
	return play.offers.length > before.offers.length && play.offers.some(({ seat }) => !now.mine.includes(seat)) ? "offer" : "";
}

export function useNotifications(play: Play | null): void {
	const last = useRef<Play | null>(null);
	useEffect(() => {
		const news = last.current && play ? newsOf(last.current, play) : "";
		last.current = play;
		if (news && play && document.hidden && settings.get().notify && canNotify())
			show(play.title, t("people.news", { news })).catch(() => {});
	}, [play]);
}
