// score.ts - the score of a line of analysis as text.
// SPDX-License-Identifier: MIT
import { isBackgammon } from "../board/backgammon";
import type { AnalysisLine } from "../types";

/** Scores beyond all evaluations: QV_MAX_EVAL of the library. */
const MAX_EVAL = 2 ** 28;

/** In backgammon scores are equities, in thousandths of a point. */
export function scoreText(line: Pick<AnalysisLine, "score" | "proven" | "in" | "book">, game = ""): string {
	if (line.book)
		return line.book;
	if (line.proven) {
		const when = line.in === undefined || line.in === null ? "" : ` in ${line.in}`;
		return line.score > 0 ? `wins${when}` : line.score < 0 ? `loses${when}` : "draw";
	}
	if (Math.abs(line.score) > MAX_EVAL) // a win or a loss that is not certain, or need not be the shortest
		return line.score > 0 ? "winning" : "losing";
	const score = isBackgammon(game) ? (line.score / 1000).toFixed(3) : String(line.score);
	return line.score > 0 ? `+${score}` : score.replace("-", "−");
}
