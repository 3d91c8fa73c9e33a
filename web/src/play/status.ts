// status.ts - the status line as text: whose turn it is, what happened, how the game ended.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Board, LineMove, Play } from "../types";
import { moveName, playerName, sideInText, sideName } from "../board/text";
import { endingOf } from "../end/words";
import { roleOf } from "./rights";
import { wordsOf } from "./words";

export function nameOf(play: Play, board: Board | null, seat: number): string {
	const who = play.seats.find((one) => one.seat === seat);
	const side = sideName(board, seat);
	/* Players at one screen have the same name: the side tells them apart. */
	if (who?.you && play.seats.filter(({ you }) => you).length > 1)
		return side;
	return who && who.kind !== "open" && who.name ? `${playerName(who)} (${sideInText(board, seat)})` : side;
}

/** "Check! ", or, where a player may leave the king in check, that it can be captured; else "". */
function checkText({ game, view }: Play, board: Board | null): string {
	if (!board || !wordsOf(game)?.check)
		return "";
	const seats = view.marks.map((cell) => board.pieces[view.standing.find(([at]) => at === cell)?.[1] ?? -1]?.seat ?? 0);
	if (seats.includes(view.seat))
		return `${t("play.check")} `;
	return seats[0] ? `${t("play.kingCanBeCaptured", { side: sideName(board, seats[0]) })} ` : "";
}

export function statusText(play: Play, board: Board | null): string {
	return roleOf(play).inProgress ? checkText(play, board) + turnText(play, board) : endingOf(play, board).title;
}

function turnText(play: Play, board: Board | null): string {
	const role = roleOf(play);
	if (play.seats.some((seat) => seat.kind === "open"))
		return play.seats.length > 2 ? t("play.waitingPlayers") : t("play.waitingOpponent");
	if (role.rollDue)
		return rollText(play, board, role.mine);
	if (role.enteringRoll)
		return wordsOf(play.game)?.entering ?? t("play.enterDice");
	const name = nameOf(play, board, play.view.seat);
	const decision = role.myTurn && wordsOf(play.game)?.turn?.(play, board);
	if (decision)
		return role.mine.length === 1 ? decision : t("play.sideDecides", { side: sideName(board, play.view.seat), decision });
	if (role.myTurn && role.mine.length === 1)
		return t("play.yourTurn", { side: sideInText(board, play.view.seat) });
	if (play.thinking)
		return t("play.isThinking", { player: name });
	return t("play.toMove", { player: role.mine.length === 1 ? name : sideName(board, play.view.seat) });
}

function rollText(play: Play, board: Board | null, mine: number[]): string {
	const { turn } = play.view;
	const words = wordsOf(play.game);
	if (words?.due)
		return words.due(play, board);
	if (!turn)
		return t("play.waitingRoll");
	return mine.length === 1 && mine.includes(turn) ? t("play.rollTheDice") : t("play.rollsTheDice", { player: nameOf(play, board, turn) });
}

/** "Level 3 (white) played d3." "You rolled a 4." Before your roll also what the others did, which their pieces alone hardly show. */
export function lastMoveText(play: Play, board: Board | null): string {
	const { line } = play, last = line[line.length - 1];
	if (!last)
		return "";
	const before = last.seat === 0 ? line.slice(0, -1).reverse().find(({ seat, move }) => seat !== 0 && move !== "roll") : null;
	const other = before && !roleOf(play).mine.includes(before.seat) ? `${eventText(play, board, before)} ` : "";
	return other + eventText(play, board, last);
}

function eventText(play: Play, board: Board | null, last: LineMove): string {
	const { mine } = roleOf(play);
	const who = (seat: number) => mine.length === 1 && mine[0] === seat ? t("play.you") : nameOf(play, board, seat);
	if (last.move === "pass")
		return t("play.passed", { player: who(last.seat) });
	if (last.seat !== 0)
		return wordsOf(play.game)?.done?.(last.move, who(last.seat)) ?? t("play.played", { player: who(last.seat), move: moveName(last) });
	const words = wordsOf(play.game);
	if (words?.happened)
		return words.happened(play, board);
	/* After a roll it is the turn of the player who rolled. */
	const dice = /^roll (\d+(?: \d+)*)$/.exec(last.move)?.[1]?.split(" ");
	if (!dice || !play.view.seat)
		return t("play.diceShow", { roll: last.move });
	return t("play.rolled", { n: dice.length, player: who(play.view.seat), first: dice[0] ?? "", second: dice[1] ?? "" });
}
