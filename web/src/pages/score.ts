// score.ts - the score of a line of analysis as text: in pawns or discs, as a percentage, or exact.
// SPDX-License-Identifier: MIT
import { isBackgammon } from "../board/backgammon";
import { t } from "../messages";
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
	sides?: readonly [string, string]; // the names of the side whose point of view it is, and of the other
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

/** Players count moves, the engine plies: those of the side that wins. */
export function movesToWin(plies: number): number {
	return Math.ceil(plies / 2);
}

/** Whether every win is a mate. */
export function hasMate(game: string): boolean {
	return game.split(":", 1)[0] === "chess";
}

/** "#2": mate in two moves; "#−2": for the other side. */
export function mateText(moves: number, isOther: boolean): string {
	return `#${isOther ? "−" : ""}${moves}`;
}

/** "Red wins in 4"; "winning" if it is not certain, or need not be the shortest. */
function winText(line: Scored, isOther: boolean, sides: ScoreLook["sides"]): string {
	const side = sides?.[isOther ? 1 : 0];
	if (!line.proven)
		return side ? t("score.isWinning", { side }) : isOther ? t("score.losing") : t("score.winning");
	const n = movesToWin(line.in ?? 0);
	return side ? t("score.sideWins", { side, n }) : isOther ? t("score.loses", { n }) : t("score.wins", { n });
}

function isDecided({ score, proven }: Scored): boolean {
	return proven || Math.abs(score) > MAX_EVAL;
}

/** In backgammon scores are equities, in thousandths of a point. Without a unit the expected score is shown. */
export function scoreText(line: Scored, game = "", { unit, flip = false, percent = false, sides }: ScoreLook = {}): string {
	const value = flip ? -line.score : line.score;
	if (line.book)
		return line.book;
	if (line.proven && value !== 0 && line.in && hasMate(game))
		return mateText(movesToWin(line.in), value < 0);
	if (isDecided(line))
		return value === 0 ? t("score.draw") : winText(line, value < 0, sides);
	if (isBackgammon(game))
		return signedText(value / 1000, 3);
	if (unit)
		return unitText(value / unit.one, unit.name);
	return !percent || line.share === undefined ? signedText(value, 0) : `${Math.round(100 * (flip ? 1 - line.share : line.share))}%`;
}

/** As read aloud: "White mates in 2". */
export function spokenScore(line: Scored, game: string, look: ScoreLook): string {
	const isOther = (look.flip ? -line.score : line.score) < 0;
	if (line.book || !line.proven || line.score === 0 || !line.in)
		return scoreText(line, game, look);
	const side = look.sides?.[isOther ? 1 : 0] ?? "", n = movesToWin(line.in);
	return side && hasMate(game) ? t("score.sideMates", { side, n }) : side ? t("score.sideWinsMoves", { side, n }) : winText(line, isOther, undefined);
}

/** The same for the bar, which is narrow and has the text at the end of the side that is ahead; "": a book move has no score. */
export function barScore(line: Scored, game: string, look: ScoreLook): string {
	if (line.book)
		return "";
	const text = scoreText(line, game, look);
	if (!isDecided(line) || text.startsWith("#"))
		return text;
	return line.score === 0 ? "=" : t("score.win");
}

/** A number of positions. */
export function countText(number: number): string {
	if (number < 10000)
		return String(number);
	return number < 1e7 ? `${Math.round(number / 1000)}k` : `${Math.round(number / 1e6)}M`;
}
