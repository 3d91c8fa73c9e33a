// luck.ts - luck and errors in games with dice, as text.
// SPDX-License-Identifier: MIT
import type { Board, LineMove, Play } from "../types";
import { nameOf } from "./status";

/** "+0.35", "−0.12"; rounded to hundredths of a point. */
export function signed(value: number): string {
	const text = Math.abs(value).toFixed(2);
	return `${value < 0 && Number(text) !== 0 ? "−" : "+"}${text}`;
}

/** "Luck: You (white) +0.35, Level 2 (black) −0.12." */
export function luckText(play: Play, board: Board | null): string {
	const seats = play.luck?.seats ?? [];
	return `Luck: ${seats.map((value, i) => `${nameOf(play, board, i + 1)} ${signed(value)}`).join(", ")}.`;
}

/** "Result +1.00 = luck +0.47 and skill +0.53 for You (white)."; null while the game is in progress. */
export function splitText(play: Play, board: Board | null): string | null {
	const luck = play.luck;
	if (!luck || luck.result === null || luck.skill === null)
		return null;
	return `Result ${signed(luck.result)} = luck ${signed(luck.result - luck.skill)} and skill ${signed(luck.skill)} for ${nameOf(play, board, 1)}.`;
}

/** The name of an error and its sign; null: the move is good. The limits are those of the server. */
export function lossName(loss: number): [name: string, sign: string] | null {
	return loss >= 0.16 ? ["very bad", "??"] : loss >= 0.08 ? ["bad", "?"] : loss >= 0.04 ? ["doubtful", "?!"] : null;
}

/** What the tutor says of the last move that a person made: "8/5 6/5 is doubtful (?!): it loses 0.05. Better: 13/10." */
export function tutorText(line: LineMove[]): string | null {
	const last = [...line].reverse().find((move) => move.loss !== undefined);
	if (last?.loss === undefined)
		return null;
	const name = lossName(last.loss);
	if (!name)
		return `${last.move} is a good move.`;
	return `${last.move} is ${name[0]} (${name[1]}): it loses ${last.loss.toFixed(2)}.${last.best ? ` Better: ${last.best}.` : ""}`;
}
