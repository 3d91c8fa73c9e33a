// settings.ts - what this person likes: kept in this browser, if it lets us.
// SPDX-License-Identifier: MIT
import { createStore } from "./store";

export interface Settings {
	theme: "system" | "light" | "dark";
	sound: boolean;
	animations: "system" | "on" | "off"; // system: unless the system asks for less motion
	hints: boolean; // dots where one may move
	coordinates: boolean; // labels of the board
	notions: boolean; // what the game's theory sees is shown
	autothrow: boolean; // dice are thrown without a click
	name: string; // what others call me, as last typed
	computers: Record<string, string>; // the one I last played, by game
}

const KEY = "quevedo.settings";
const preset: Settings = {
	theme: "system", sound: true, animations: "system", hints: true, coordinates: true, notions: false, autothrow: true, name: "",
	computers: {},
};

/** Storage may be full, forbidden, or hold nonsense: then the presets hold. */
function load(): Settings {
	try {
		const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
		const merged: Record<string, unknown> = { ...preset };
		for (const [key, value] of Object.entries(stored ?? {}))
			if (key in preset && value !== null && typeof value === typeof merged[key])
				merged[key] = value;
		return merged as unknown as Settings;
	} catch {
		return { ...preset };
	}
}

export const settings = createStore<Settings>(load());

export function changeSettings(change: Partial<Settings>): void {
	const next = { ...settings.get(), ...change };
	settings.set(next);
	try {
		localStorage.setItem(KEY, JSON.stringify(next));
	} catch {
		// It holds until the page is closed.
	}
}

export function animationsOn(): boolean {
	const { animations } = settings.get();
	return animations === "on" ||
		(animations === "system" && !matchMedia("(prefers-reduced-motion: reduce)").matches);
}

/** Keeps the theme of the page what the settings say. Call it once. */
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
