// score.ts - the score of a line of analysis as text.
// SPDX-License-Identifier: MIT
import { isBackgammon } from "../board/backgammon";
import type { AnalysisLine } from "../types";

/** Scores beyond all evaluations: QV_MAX_EVAL of the library. */
const MAX_EVAL = 2 ** 28;

/** How scores are shown: in which unit, and for the side to move or, if that is the second one, for the other. */
export interface ScoreLook {
	one?: number; // the score of a pawn or a disc; missing: scores are shown as they are
	flip?: boolean;
}

/** In backgammon scores are equities, in thousandths of a point. */
export function scoreText(line: Pick<AnalysisLine, "score" | "proven" | "in" | "book">, game = "", { one, flip = false }: ScoreLook = {}): string {
	const value = flip ? -line.score : line.score;
	if (line.book)
		return line.book;
	if (line.proven) {
		const when = line.in === undefined || line.in === null ? "" : ` in ${line.in}`;
		return value > 0 ? `wins${when}` : value < 0 ? `loses${when}` : "draw";
	}
	if (Math.abs(value) > MAX_EVAL) // a win or a loss that is not certain, or need not be the shortest
		return value > 0 ? "winning" : "losing";
	const score = isBackgammon(game) ? (value / 1000).toFixed(3) : one ? (value / one).toFixed(1) : String(value || 0);
	return Number(score) > 0 ? `+${score}` : Number(score) < 0 ? score.replace("-", "−") : score.replace("-", "");
}
