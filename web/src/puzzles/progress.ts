// progress.ts - what you have solved, and your ratings by game, stored in this browser.
// SPDX-License-Identifier: MIT
import { NEW_RATING, rate, type Rating } from "../rating";
import { createStore } from "../store/store";
import type { Puzzle } from "./parse";

export interface GameProgress {
	you: Rating;
	tries: number;
	solved: number;
	streak: number; // puzzles in a row without an error
	best: number; // the longest streak
	recent: string[]; // ids, the last one at the end
	rung: number; // of the ladder: positions held so far
	daily: number; // the day whose puzzle you solved last; 0: none
}

/** A puzzle's rating moves with its results, too. */
export interface PuzzleStats extends Rating {
	tries: number;
}

export interface Progress {
	games: Record<string, GameProgress>;
	puzzles: Record<string, PuzzleStats>;
	days: { last: number; count: number }; // days in a row with a daily puzzle
}

const KEY = "quevedo.puzzles";
const MOST_PUZZLES = 2000, MOST_RECENT = 60;
const PUZZLE_DEVIATION = 150; // of a first guess
const LARGEST_STEP = 100; // so that one error does not lead to the easiest puzzles at once
/** Before that many tries a rating says little, so it is not shown. */
export const SHOWN_AFTER = 10;

export const NEW_GAME: GameProgress = { you: NEW_RATING, tries: 0, solved: 0, streak: 0, best: 0, recent: [], rung: 0, daily: 0 };

function isRating(value: unknown): value is Rating {
	const { rating, deviation, volatility } = (value ?? {}) as Partial<Rating>;
	return [rating, deviation, volatility].every((one) => typeof one === "number" && Number.isFinite(one));
}

/** What was stored may be damaged, or by another version. */
export function readProgress(text: string | null): Progress {
	const empty: Progress = { games: {}, puzzles: {}, days: { last: 0, count: 0 } };
	try {
		const stored = JSON.parse(text ?? "{}") as Partial<Progress>;
		for (const [game, one] of Object.entries(stored.games ?? {}))
			if (isRating(one?.you) && Array.isArray(one.recent))
				empty.games[game] = { ...NEW_GAME, ...one };
		for (const [id, one] of Object.entries(stored.puzzles ?? {}))
			if (isRating(one))
				empty.puzzles[id] = { ...one, tries: Number(one.tries) || 0 };
		if (typeof stored.days?.last === "number" && typeof stored.days.count === "number")
			empty.days = stored.days;
	} catch {
		// A new start.
	}
	return empty;
}

function load(): Progress {
	try {
		return readProgress(localStorage.getItem(KEY));
	} catch {
		return readProgress(null);
	}
}

export const progress = createStore<Progress>(load());

function keep(next: Progress): void {
	progress.set(next);
	try {
		localStorage.setItem(KEY, JSON.stringify(next));
	} catch {
		// Then it lasts until the page is closed.
	}
}

export function progressIn(now: Progress, game: string): GameProgress {
	return now.games[game] ?? NEW_GAME;
}

/** Your rating as it is shown; null: not yet. */
export function shownRating({ you, tries }: GameProgress): number | null {
	return tries < SHOWN_AFTER ? null : Math.round(you.rating);
}

/** Your rating after a try: a new one has a large deviation, so its steps are bounded. */
function rateYou(you: Rating, puzzle: Rating, score: number): Rating {
	const after = rate(you, [{ ...puzzle, score }]);
	return { ...after, rating: Math.min(you.rating + LARGEST_STEP, Math.max(you.rating - LARGEST_STEP, after.rating)) };
}

/** What all visitors measured is better than what this browser did. */
export function statsOf(now: Progress, game: string, puzzle: Puzzle): PuzzleStats {
	if (puzzle.measured)
		return { ...puzzle.measured, volatility: NEW_RATING.volatility };
	return now.puzzles[`${game}/${puzzle.id}`] ?? { rating: puzzle.rating, deviation: PUZZLE_DEVIATION, volatility: NEW_RATING.volatility, tries: 0 };
}

/** Whether you have tried the puzzle in this browser. */
export function wasTried(now: Progress, game: string, puzzle: Puzzle): boolean {
	return `${game}/${puzzle.id}` in now.puzzles;
}

/** Both ratings after a try: you against the puzzle. */
export function afterTry(now: Progress, game: string, puzzle: Puzzle, solved: boolean): Progress {
	const before = progressIn(now, game), stats = statsOf(now, game, puzzle);
	const score = solved ? 1 : 0, streak = solved ? before.streak + 1 : 0;
	const key = `${game}/${puzzle.id}`;
	const { [key]: _, ...others } = now.puzzles;
	const kept = Object.entries(others).slice(1 - MOST_PUZZLES); // the oldest are dropped
	return {
		...now,
		games: {
			...now.games,
			[game]: {
				...before,
				you: rateYou(before.you, stats, score),
				tries: before.tries + 1, solved: before.solved + score, streak, best: Math.max(before.best, streak),
				recent: [...before.recent.filter((id) => id !== puzzle.id), puzzle.id].slice(-MOST_RECENT),
			},
		},
		puzzles: { ...Object.fromEntries(kept), [key]: { ...rate(stats, [{ ...before.you, score: 1 - score }]), tries: stats.tries + 1 } },
	};
}

/** Solved puzzles of the day count in a row if no day is missing. */
export function afterDaily(now: Progress, game: string, day: number): Progress {
	const { last, count } = now.days;
	const days = last === day ? now.days : { last: day, count: last === day - 1 ? count + 1 : 1 };
	return { ...now, days, games: { ...now.games, [game]: { ...progressIn(now, game), daily: day } } };
}

export function recordTry(game: string, puzzle: Puzzle, solved: boolean): void {
	keep(afterTry(progress.get(), game, puzzle, solved));
}

export function recordDaily(game: string, day: number): void {
	keep(afterDaily(progress.get(), game, day));
}

export function recordRung(game: string, rung: number): void {
	const now = progress.get(), before = progressIn(now, game);
	keep({ ...now, games: { ...now.games, [game]: { ...before, rung: Math.max(before.rung, rung) } } });
}

/** The next puzzle: near your rating, and not one of the last. `random`: from 0 to 1. */
export function choosePuzzle(puzzles: Puzzle[], now: Progress, game: string, random: number): Puzzle | null {
	const NEAREST = 12;
	const { you, recent } = progressIn(now, game);
	const fresh = puzzles.filter(({ id }) => !recent.includes(id));
	const from = fresh.length ? fresh : puzzles.filter(({ id }) => id !== recent[recent.length - 1]);
	const distance = (one: Puzzle) => Math.abs(statsOf(now, game, one).rating - you.rating);
	const near = [...(from.length ? from : puzzles)].sort((a, b) => distance(a) - distance(b)).slice(0, NEAREST);
	return near[Math.floor(random * near.length)] ?? null;
}
