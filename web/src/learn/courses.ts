// courses.ts - the first steps of the games, and how far the reader has come.
// SPDX-License-Identifier: MIT
import texts from "learn:all";
import { createStore } from "../store/store";
import { parseFirstSteps, type FirstSteps } from "./parse";

export const courses: FirstSteps[] = texts.map(({ name, text }) => parseFirstSteps(text, `${name}.txt`));

export function courseOf(game: string): FirstSteps | undefined {
	return courses.find((one) => one.game === game);
}

// ---- Progress ----

const KEY = "quevedo.learn";

/** For each game the numbers of the steps that are done, from 0. */
export type Progress = Readonly<Record<string, readonly number[]>>;

/** Nothing is done if the storage is forbidden or contains something else. */
function load(): Progress {
	try {
		const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
		return Object.fromEntries(courses.map(({ game, steps }) => {
			const numbers = stored[game];
			return [game, Array.isArray(numbers) ? [...new Set(numbers)].filter((one): one is number => Number.isInteger(one) && one >= 0 && one < steps.length) : []];
		}));
	} catch {
		return {};
	}
}

export const progress = createStore<Progress>(load());

function keep(now: Progress): void {
	progress.set(now);
	try {
		localStorage.setItem(KEY, JSON.stringify(now));
	} catch {
		// Then the progress lasts until the page is closed.
	}
}

export function markDone(game: string, step: number): void {
	const done = progress.get()[game] ?? [];
	if (!done.includes(step))
		keep({ ...progress.get(), [game]: [...done, step] });
}

export function startOver(game: string): void {
	keep({ ...progress.get(), [game]: [] });
}

/** The first step that is not done; 0 if all are. */
export function nextStep({ game, steps }: FirstSteps, now: Progress): number {
	const done = now[game] ?? [];
	return Math.max(0, steps.findIndex((_, i) => !done.includes(i)));
}
