// ratings.ts - the ratings of puzzles by the attempts of all visitors, which the server keeps. Without it each puzzle has a guess.
// SPDX-License-Identifier: MIT
import { get, post } from "../api";
import type { Rating } from "../rating";
import type { PuzzleAttempt, PuzzleRating, PuzzleRatings } from "../types";
import type { Puzzle } from "./parse";

const WAIT_MS = 2000; // then the puzzle is shown with its guess

/** The puzzles with the ratings that they have; the others stay as they are. */
export async function withRatings(game: string, puzzles: Puzzle[]): Promise<Puzzle[]> {
	if (STATIC_SITE)
		return puzzles;
	try {
		const found = await get<PuzzleRatings>(`/api/v1/puzzles/${game}`, AbortSignal.timeout(WAIT_MS));
		const byId = new Map(found.puzzles.map((one) => [one.id, one]));
		return puzzles.map((puzzle) => ({ ...puzzle, measured: byId.get(puzzle.id) ?? null }));
	} catch {
		return puzzles;
	}
}

/** What the server accepts as a visitor's rating: see puzzles.c. */
export function attemptOf(puzzle: Puzzle, solved: boolean, you: Rating): PuzzleAttempt {
	const within = (least: number, value: number, most: number) => Math.round(Math.min(most, Math.max(least, value)));
	return { puzzle: puzzle.id, solved, rating: within(400, you.rating, 3000), deviation: within(50, you.deviation, 350) };
}

/** you: your rating before the attempt. The puzzle's rating with it; null: the report got lost, which does no harm. */
export async function reportAttempt(game: string, puzzle: Puzzle, solved: boolean, you: Rating): Promise<PuzzleRating | null> {
	if (STATIC_SITE)
		return null;
	return post<PuzzleRating>(`/api/v1/puzzles/${game}/attempts`, attemptOf(puzzle, solved, you)).catch(() => null);
}
