// course.ts - the history of a game: the position after each command, loaded only once.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ask } from "../engine/ask";
import type { CourseStep, Play } from "../types";
import { toastError } from "../ui/toast";
import { readGalaxy, type Galaxy } from "./galaxy";

const AT_ONCE = 400; // commands per request

export interface Course {
	start: string | null; // the first position; null: not loaded yet
	steps: CourseStep[]; // the result of each command, as far as it is loaded
}

/** The steps that are still valid for a line. */
export function kept(steps: CourseStep[], line: { move: string }[]): CourseStep[] {
	const end = steps.findIndex((step, i) => step.move !== line[i]?.move);
	return end < 0 ? steps : steps.slice(0, end);
}

/** Adds the last step from the view of the play, if all other steps are known. */
function withLast(steps: CourseStep[], play: Play): CourseStep[] {
	const last = play.line[steps.length];
	if (!last || steps.length !== play.line.length - 1)
		return steps;
	return [...steps, { move: last.move, seat: last.seat, scores: play.view.scores, position: play.view.position }];
}

export function useCourse(play: Play): Course {
	const [course, setCourse] = useState<Course>({ start: null, steps: [] });
	const latest = useRef({ play, course, busy: false });
	latest.current.play = play;

	function take(next: Course): void {
		latest.current.course = next;
		setCourse(next);
	}

	async function load(): Promise<void> {
		const now = latest.current;
		if (now.busy)
			return;
		now.busy = true;
		try {
			if (now.course.start === null) {
				const view = await ask("positions", { game: play.game, position: play.start });
				take({ ...now.course, start: view.position });
			}
			for (;;) {
				const { line } = now.play;
				const steps = withLast(kept(now.course.steps, line), now.play);
				if (steps.length >= line.length) {
					if (steps !== now.course.steps)
						take({ ...now.course, steps });
					break;
				}
				const position = steps[steps.length - 1]?.position ?? now.course.start;
				const moves = line.slice(steps.length, steps.length + AT_ONCE).map(({ move }) => move);
				const view = await ask("positions", { game: now.play.game, position, moves, course: true });
				take({ ...now.course, steps: [...steps, ...view.course ?? []] });
			}
		} catch (error) {
			toastError(error);
		} finally {
			now.busy = false;
		}
	}
	useEffect(() => void load(), [play.version, play.cursor]);
	return useMemo(() => ({ ...course, steps: kept(course.steps, play.line) }), [course, play.line]);
}

/** The position after a number of commands; null: not loaded. */
export function positionAt(course: Course, ply: number): string | null {
	return ply === 0 ? course.start : course.steps[ply - 1]?.position ?? null;
}

export function galaxyAt(course: Course, ply: number): Galaxy | null {
	const position = positionAt(course, ply);
	return position === null ? null : readGalaxy(position);
}

/** The number of commands before the turn that contains a ply. */
export function turnStart(line: { move: string }[], ply: number): number {
	let at = ply;
	while (at > 0 && line[at - 1]?.move !== "end")
		at--;
	return at;
}

/** The range of commands by others since one of these seats last ended its turn. */
export function sinceMine(line: { move: string; seat: number }[], mine: number[]): { from: number; to: number } {
	let to = line.length;
	while (to > 0 && mine.includes(line[to - 1]?.seat ?? 0) && line[to - 1]?.move !== "end")
		to--;
	let from = to;
	while (from > 0 && !mine.includes(line[from - 1]?.seat ?? 0))
		from--;
	return { from, to };
}
