// engine.ts - the engine in the browser, for the checks of the lessons.
// SPDX-License-Identifier: MIT
import { loadCore } from "../engine/core";
import { t } from "../messages";
import type { LessonEngine } from "./check";

const MOST_MS = 60000; // a lesson from a link may ask for anything

/** A request that takes too long is stopped. */
export const lessonEngine: LessonEngine = {
	async ask<T>(route: string, body: object): Promise<T> {
		const { engine } = await loadCore().catch(() => {
			throw new Error(t("engine.notLoaded"));
		});
		return new Promise<T>((resolve, reject) => {
			let last: T | undefined;
			const stop = engine.stream<T>(route, body, {
				message: (message) => (last = message),
				end: () => {
					window.clearTimeout(alarm);
					resolve(last as T);
				},
				error: (error) => {
					window.clearTimeout(alarm);
					reject(error);
				},
			});
			const alarm = window.setTimeout(() => {
				stop();
				reject(new Error(t("lessons.tooLong")));
			}, MOST_MS);
		});
	},
};
