// useReview.ts - requests the review of a game and follows its progress.
// SPDX-License-Identifier: MIT
import { useCallback, useEffect, useState } from "preact/hooks";
import { sentence } from "../api";
import { listen } from "../engine/ask";
import type { Review, ReviewPly } from "../types";
import { withTurns } from "./words";

export interface ReviewState {
	review: Review | null;
	done: number; // positions
	of: number;
	error: string | null;
	again(): void;
}

/** An empty list of moves needs no review. */
export function useReview(game: string, position: string, moves: string[]): ReviewState {
	const [state, setState] = useState<Omit<ReviewState, "again">>({ review: null, done: 0, of: moves.length, error: null });
	const [round, setRound] = useState(0);
	const key = moves.length ? [game, position, ...moves].join("\n") : "";
	useEffect(() => {
		setState({ review: null, done: 0, of: moves.length, error: null });
		if (!key)
			return;
		return listen("review", { game, position, moves }, {
			message: ({ done, of, review }) => setState({ review: review && withTurns(review, position), done, of, error: null }),
			error: (error) => setState((now) => ({ ...now, error: sentence(error) })),
		});
	}, [key, round]);
	return { ...state, again: useCallback(() => setRound((now) => now + 1), []) };
}

/** The review of the last move alone. */
export function reviewLast(game: string, position: string, moves: string[]): Promise<ReviewPly> {
	return new Promise((resolve, reject) => {
		listen("review", { game, position, moves, last: 1 }, {
			message: ({ review }) => review?.plies[0] && resolve(review.plies[0]),
			error: reject,
		});
	});
}
