// settings.ts - user settings, stored in this browser if possible.
// SPDX-License-Identifier: MIT
import { createStore } from "./store";

export interface Settings {
	theme: "system" | "light" | "dark";
	sound: boolean;
	volume: number; // of sounds, 0 to 100
	animations: "system" | "on" | "off"; // system: on, unless the system prefers reduced motion
	hints: boolean; // show legal moves as dots
	coordinates: boolean; // board labels
	notions: boolean; // show strategic features
	evaluation: boolean; // show the terms of the evaluation
	thoughts: boolean; // show what the computer finds while it thinks
	tutor: boolean; // comment on your moves in games with dice
	autothrow: boolean; // roll the dice automatically
	autopass: boolean; // pass automatically if there is no other legal move
	premoves: boolean; // enter your next move during the opponent's turn
	instant: boolean; // computers reply at once, however weak they are
	faceMover: boolean; // several players at one screen: turn the board to the player to move
	engine: "browser" | "server"; // which one serves levels, hints and analysis
	phrases: boolean; // show what other players say
	notify: boolean; // a notification of the system when it is your turn
	name: string; // your name for others, as last entered
	computers: Record<string, string>; // the last computer opponent, by game
	last: string; // the last game against a computer; "": none
	looks: Record<string, string>; // the look of the board, by game; missing: the usual one
}

const KEY = "quevedo.settings";
const defaults: Settings = {
	theme: "system", sound: true, volume: 100, animations: "system", hints: true, coordinates: true, notions: false, evaluation: false, thoughts: false, tutor: false, autothrow: true, autopass: true, premoves: true, instant: false, faceMover: false, engine: "browser", phrases: true, notify: false, name: "",
	computers: {}, last: "", looks: {},
};

/** Uses the defaults if the storage is forbidden or contains invalid data. */
function load(): Settings {
	try {
		const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
		const merged: Record<string, unknown> = { ...defaults };
		for (const [key, value] of Object.entries(stored ?? {}))
			if (key in defaults && value !== null && typeof value === typeof merged[key])
				merged[key] = value;
		return merged as unknown as Settings;
	} catch {
		return { ...defaults };
	}
}

export const settings = createStore<Settings>(load());

export function changeSettings(change: Partial<Settings>): void {
	const next = { ...settings.get(), ...change };
	settings.set(next);
	try {
		localStorage.setItem(KEY, JSON.stringify(next));
	} catch {
		// Then the change lasts until the page is closed.
	}
}

/** "": the usual look. */
export function chooseLook(game: string, look: string): void {
	changeSettings({ looks: { ...settings.get().looks, [game]: look } });
}

export function animationsOn(): boolean {
	const { animations } = settings.get();
	return animations === "on" ||
		(animations === "system" && !matchMedia("(prefers-reduced-motion: reduce)").matches);
}

/** Applies the theme of the settings, now and after each change. Call it once. */
export function startTheme(): void {
	const dark = matchMedia("(prefers-color-scheme: dark)");
	const apply = () => {
		const { theme } = settings.get();
		const now = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
		document.documentElement.dataset["theme"] = now;
	};
	apply();
	settings.subscribe(apply);
	dark.addEventListener("change", apply);
}
