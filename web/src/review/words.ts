// words.ts - a review in words and numbers: pure functions.
// SPDX-License-Identifier: MIT
import type { GraphMark } from "../board/EvalGraph";
import { t } from "../messages";
import { isChance, rollName, roundsOf } from "../pages/rounds";
import { hasMate, mateText, movesToWin } from "../pages/score";
import { newTree, playMove } from "../tree";
import type { MoveClass, Review, ReviewPly, ReviewValue } from "../types";

export const CLASS_NAMES: Record<MoveClass, string> = {
	best: t("review.classBest"), good: t("review.classGood"), inaccuracy: t("review.classInaccuracy"), mistake: t("review.classMistake"), blunder: t("review.classBlunder"),
};

const MISTAKES: MoveClass[] = ["inaccuracy", "mistake", "blunder"];

export function isMistake(ply: ReviewPly): boolean {
	return ply.class !== undefined && MISTAKES.includes(ply.class);
}

/** The mistakes of a seat, for practice. Inaccuracies are too small for that. */
export function lessonsOf(review: Review, seat: number): ReviewPly[] {
	return review.plies.filter((ply) => ply.seat === seat && (ply.class === "mistake" || ply.class === "blunder") && ply.best);
}

const TURNING_POINTS = 3;

/** The moves that changed most, in the order of the game. */
export function turningPoints(review: Review): ReviewPly[] {
	return review.plies.filter(isMistake).sort((a, b) => (b.lost ?? 0) - (a.lost ?? 0)).slice(0, TURNING_POINTS)
		.sort((a, b) => a.ply - b.ply);
}

export function plyName(ply: ReviewPly): string {
	return isChance(ply) ? rollName(ply.move) : ply.short || ply.move;
}

export function bestName(ply: ReviewPly): string {
	return ply.short_best || ply.best || "";
}

/** A row of a game with dice: what each of the two players rolled and moved. */
export interface DiceRow {
	number: number; // of the move, as on the page of the game
	turns: ReviewPly[][];
}

/** null: a game without dice, or not of two players. */
export function diceRows({ game, sides, plies }: Review, start: string): DiceRow[] | null {
	if (sides.length !== 2 || !plies.some(isChance))
		return null;
	const tree = plies.reduce((line, { move, seat }) => playMove(line, move, seat), newTree(game, start));
	return roundsOf(tree, 1).flatMap((part) => "turns" in part
		? [{ number: part.number, turns: part.turns.map((turn) => turn?.ids.flatMap((id) => plies[id - 1] ?? []) ?? []) }] : []);
}

/** Gives the plies of a game with dice the numbers that they have on the page of the game. */
export function withTurns(review: Review, start: string): Review {
	const turns = new Map(diceRows(review, start)?.flatMap(({ number, turns: both }) =>
		both.flatMap((plies, column) => plies.map(({ ply }): [number, string] => [ply, `${number}${column ? "…" : "."}`]))));
	return turns.size ? { ...review, plies: review.plies.map((ply) => ({ ...ply, turn: turns.get(ply.ply) ?? "" })) } : review;
}

/** "12." and "12…" in games where two sides move alternately, else "23." first: the seat that moves first, plus 2 for each move before the game. */
export function plyNumber(ply: ReviewPly, paired: boolean, first: number): string {
	if (!paired)
		return ply.turn || `${ply.ply}.`;
	const at = ply.ply + first - 2; // as if seat 1 had begun
	return at % 2 ? `${(at + 1) / 2}…` : `${at / 2 + 1}.`;
}

function signed(score: number): string {
	const text = Math.abs(score).toFixed(1);
	return score > 0 && text !== "0.0" ? `+${text}` : score < 0 && text !== "0.0" ? `−${text}` : text;
}

/** For the bar: "+0.3", "=", "#−2", "win", or "" if only the expected score is known. */
export function shortValue(value: ReviewValue, game: string): string {
	if (value.result === "draw")
		return "=";
	if (value.result)
		return value.in && hasMate(game) ? mateText(movesToWin(value.in), value.result === "win 2") : t("score.win");
	return value.score === null ? "" : signed(value.score);
}

function winner(result: string, sides: string[]): string {
	return sides[Number(result.slice(4)) - 1] ?? result;
}

/** The same as read aloud: "Black mates in 2". */
export function spokenValue(value: ReviewValue, { game, sides }: Pick<Review, "game" | "sides">): string {
	if (!value.result)
		return shortValue(value, game);
	if (value.result === "draw")
		return t("score.draw");
	const side = winner(value.result, sides), n = movesToWin(value.in ?? 0);
	return value.in === 0 ? t("score.hasWon", { side }) : !n ? t("score.sideWins", { side, n }) : hasMate(game) ? t("score.sideMates", { side, n }) : t("score.sideWinsMoves", { side, n });
}

/** What is known of a position, as a sentence. */
export function valueSentence(value: ReviewValue, { game, sides, unit }: Pick<Review, "game" | "sides" | "unit">): string {
	if (value.result === "draw")
		return t("review.perfectDraw");
	if (value.result && value.in !== null)
		return value.in && hasMate(game) ? `${spokenValue(value, { game, sides })}.` : t("review.winIn", { n: movesToWin(value.in), side: winner(value.result, sides) });
	if (value.result)
		return t("review.forcedWin", { side: winner(value.result, sides) });
	const percent = Math.round(100 * value.expected), [first = "", second = ""] = sides;
	const share = sides.length === 2 && percent < 50 ? { side: second, percent: 100 - percent } : { side: first, percent };
	if (value.score === null)
		return t("review.expected", share);
	const found = { ...share, depth: value.depth ?? 0, first, score: signed(value.score), unit: unit ?? "" };
	return unit ? t("review.expectedScore", found)
		: t("review.expectedDepth", found);
}

/** "12… Qe7?!" */
export function plyTitle(ply: ReviewPly, paired: boolean, first: number): string {
	return `${plyNumber(ply, paired, first)} ${plyName(ply)}${ply.glyph ?? ""}`;
}

/** What is said about a move: its class, the sentence about a mistake, the better move. */
export function plyText(ply: ReviewPly): string {
	if (!ply.class)
		return "";
	if (ply.forced)
		return t("review.onlyLegal");
	const name = ply.only ? t("review.onlyGood") : CLASS_NAMES[ply.class];
	const better = isMistake(ply) && bestName(ply) ? ` ${t("review.betterWas", { move: bestName(ply) })}` : "";
	return `${name}.${ply.text ? ` ${ply.text}` : ""}${better}`;
}

export function accuracyText(accuracy: number | null | undefined): string {
	return accuracy === null || accuracy === undefined ? "–" : `${accuracy.toFixed(0)}%`;
}

export function countOf(review: Review, seat: number, wanted: MoveClass): number {
	return review.plies.filter((ply) => ply.seat === seat && ply.class === wanted).length;
}

/** The expected score at the start and after each move. */
export function sharesOf(review: Review): number[] {
	return [review.start.expected, ...review.plies.map(({ expected }) => expected)];
}

export function marksOf(review: Review): GraphMark[] {
	return review.plies.filter(isMistake).map((ply) => ({ at: ply.ply, tone: ply.class ?? "good" }));
}

/** The rows of a two-column list: the moves of seat 1 and seat 2; null: a side that did not move. */
export function rowsOf(plies: ReviewPly[]): [ReviewPly | null, ReviewPly | null][] {
	const rows: [ReviewPly | null, ReviewPly | null][] = [];
	for (const ply of plies) {
		const last = rows[rows.length - 1];
		if (ply.seat === 2 && last && !last[1])
			last[1] = ply;
		else
			rows.push(ply.seat === 2 ? [null, ply] : [ply, null]);
	}
	return rows;
}
