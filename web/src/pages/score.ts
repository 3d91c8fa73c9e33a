// score.ts - the score of a line of analysis as text: in pawns or discs, as a percentage, or exact.
// SPDX-License-Identifier: MIT
import { isBackgammon } from "../board/backgammon";
import type { AnalysisLine, AnalysisMessage } from "../types";

/** Scores beyond all evaluations: QV_MAX_EVAL of the library. */
const MAX_EVAL = 2 ** 28;

/** Digits after the point, by unit; 2 for all others: "+0.35" pawns. */
const DIGITS: Record<string, number> = { discs: 0 };

/** How scores are shown: in which unit, and for the side to move or, if that is the second one, for the other. */
export interface ScoreLook {
	unit?: NonNullable<AnalysisMessage["unit"]>;
	flip?: boolean;
	percent?: boolean; // without a unit, as the expected score, which only two players have
}

type Scored = Pick<AnalysisLine, "score" | "share" | "proven" | "in" | "book">;

/** "+0.35", "−4", "0.00". */
export function signedText(value: number, digits: number): string {
	const text = Math.abs(value).toFixed(digits);
	return Number(text) === 0 ? text : `${value > 0 ? "+" : "−"}${text}`;
}

/** A number of the unit of a game, with its sign. */
export function unitText(value: number, unit: string): string {
	return signedText(value, DIGITS[unit] ?? 2);
}

/** In backgammon scores are equities, in thousandths of a point. Without a unit the expected score is shown. */
export function scoreText(line: Scored, game = "", { unit, flip = false, percent = false }: ScoreLook = {}): string {
	const value = flip ? -line.score : line.score;
	if (line.book)
		return line.book;
	if (line.proven) {
		const when = line.in === undefined || line.in === null ? "" : ` in ${line.in}`;
		return value > 0 ? `wins${when}` : value < 0 ? `loses${when}` : "draw";
	}
	if (Math.abs(value) > MAX_EVAL) // a win or a loss that is not certain, or need not be the shortest
		return value > 0 ? "winning" : "losing";
	if (isBackgammon(game))
		return signedText(value / 1000, 3);
	if (unit)
		return unitText(value / unit.one, unit.name);
	return !percent || line.share === undefined ? signedText(value, 0) : `${Math.round(100 * (flip ? 1 - line.share : line.share))}%`;
}

/** The same for the bar, which is narrow; "": a book move has no score. */
export function barScore(line: Scored, game: string, look: ScoreLook): string {
	if (line.book)
		return "";
	const value = look.flip ? -line.score : line.score;
	if (line.proven || Math.abs(value) > MAX_EVAL)
		return value > 0 ? "win" : value < 0 ? "loss" : "=";
	return scoreText(line, game, look);
}

/** A number of positions. */
export function countText(number: number): string {
	if (number < 10000)
		return String(number);
	return number < 1e7 ? `${Math.round(number / 1000)}k` : `${Math.round(number / 1e6)}M`;
}
