// luck.ts - luck and errors in games with dice, as text.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Luck, LuckPly } from "../types";

/** "+0.35", "−0.12"; rounded to hundredths of a point. */
export function signed(value: number): string {
	const text = Math.abs(value).toFixed(2);
	return `${value < 0 && Number(text) !== 0 ? "−" : "+"}${text}`;
}

/** The luck of a seat, and what its moves lost. */
export interface SeatLuck {
	name: string;
	luck: number;
	errors: number | null; // null: unknown
}

/** One row for each seat. */
export function luckRows(luck: Luck, line: LuckPly[], nameOfSeat: (seat: number) => string): SeatLuck[] {
	return luck.seats.map((value, i) => {
		const losses = line.flatMap(({ seat, loss }) => seat === i + 1 && loss !== undefined ? [loss] : []);
		return { name: nameOfSeat(i + 1), luck: value, errors: losses.length ? losses.reduce((sum, loss) => sum + loss, 0) : null };
	});
}

/** "Ann (white): result +1.00, of which luck +0.47 and skill +0.53."; null while the game is in progress. */
export function splitText(luck: Luck | null, first: string): string | null {
	if (!luck || luck.result === null || luck.skill === null)
		return null;
	return t("play.resultSplit", { player: first, result: signed(luck.result), luck: signed(luck.result - luck.skill), skill: signed(luck.skill) });
}

/** The name of an error and its sign; null: the move is good. The limits are those of the server. */
export function lossName(loss: number): [name: string, sign: string] | null {
	return loss >= 0.16 ? [t("play.veryBad"), "??"] : loss >= 0.08 ? [t("play.bad"), "?"] : loss >= 0.04 ? [t("play.doubtful"), "?!"] : null;
}

/** A word for the luck of a roll, with the limits of the server; null: nothing special. */
export function luckName(luck: number): string | null {
	const isVery = Math.abs(luck) >= 0.6;
	return Math.abs(luck) < 0.3 ? null : luck < 0 ? isVery ? t("play.veryUnlucky") : t("play.unlucky") : isVery ? t("play.veryLucky") : t("play.lucky");
}

/** "Level 2 (black): roll 66 was very lucky (+0.71)."; null: the last roll was nothing special. */
export function rollText(line: LuckPly[], nameOfSeat: (seat: number) => string): string | null {
	const { move, luck = 0, roller = 1 } = [...line].reverse().find((one) => one.luck !== undefined) ?? {};
	const name = luckName(luck);
	return name && t("play.rollWas", { player: nameOfSeat(roller), roll: move ?? "", luck: name, points: signed(luck) });
}

/** What the tutor says of the last move that a person made: "8/5 6/5 is doubtful (?!): it loses 0.05. Better: 13/10." */
export function tutorText(line: LuckPly[]): string | null {
	const last = [...line].reverse().find((move) => move.loss !== undefined);
	if (last?.loss === undefined)
		return null;
	const name = lossName(last.loss);
	if (!name)
		return t("play.goodMove", { move: last.move });
	return `${t("play.badMove", { move: last.move, grade: name[0], sign: name[1], loss: last.loss.toFixed(2) })}${
		last.best ? ` ${t("play.betterMove", { move: last.best })}` : ""}`;
}
