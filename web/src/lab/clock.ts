// clock.ts - how far each search of a bench has come: pure functions.
// SPDX-License-Identifier: MIT
import { t } from "../messages";

/** race: each takes one step at a time, and the shortest is ready first; together: all are ready at the same time. */
export type Pace = "race" | "together";

/** The last moment of the bench: the events of its longest search. */
export function lastMoment(events: number[]): number {
	return Math.max(0, ...events) - 1;
}

/** The event of a search with so many events at a moment. */
export function eventAt(moment: number, events: number, all: number[], pace: Pace): number {
	const last = lastMoment(all);
	if (pace === "race" || last <= 0)
		return Math.min(events - 1, moment);
	return Math.round(moment / last * (events - 1));
}

/** The first moment at which a search has come to an event. */
export function momentOf(event: number, events: number, all: number[], pace: Pace): number {
	const last = lastMoment(all);
	if (pace === "race" || events <= 1)
		return event;
	return Math.max(0, Math.ceil((event - 0.5) / (events - 1) * last));
}

/** Steps for each second. */
export const SPEEDS = [0.5, 1, 2, 5, 20, 100, 1000, 10000];

export function speedText(speed: number): string {
	return speed < 1 ? t("lab.speedSlow") : t("lab.speeds", { n: speed });
}
