// status.ts - the status line as text: whose turn it is, what happened, how the game ended.
// SPDX-License-Identifier: MIT
import type { Board, Play } from "../types";
import { moveName, resultText, sideName, playerName } from "../board/text";
import { roleOf } from "./rights";
import { wordsOf } from "./words";

export function nameOf(play: Play, board: Board | null, seat: number): string {
	const who = play.seats.find((one) => one.seat === seat);
	const side = sideName(board, seat);
	/* Players at one screen have the same name: the side tells them apart. */
	if (who?.you && play.seats.filter(({ you }) => you).length > 1)
		return side;
	return who && who.kind !== "open" && who.name ? `${playerName(who)} (${side.toLowerCase()})` : side;
}

export const reasons: Record<string, string> = {
	resigns: "by resignation", time: "on time", agreed: "by agreement", repetition: "by repetition", count: "by the move-count rule",
	checkmate: "by checkmate", stalemate: "by stalemate", "fifty moves": "by the fifty-move rule", "dead position": "in a dead position",
	disconnect: "because the opponent left", "server stopped": "because the server stopped",
};

export function endText(play: Play, board: Board | null): string {
	const result = play.result ?? play.view.result;
	const role = roleOf(play);
	const winner = Number(/^win (\d+)$/.exec(result ?? "")?.[1] ?? 0);
	const how = !play.reason && winner ? wordsOf(play.game)?.won?.(play, winner) ?? "" : play.reason ? ` ${reasons[play.reason] ?? `(${play.reason})`}` : "";
	if (winner && role.mine.length === 1)
		return role.mine.includes(winner) ? `You win${how}!` : `${nameOf(play, board, winner)} wins${how}.`;
	return `${resultText(result, board)}${how}.`;
}

/** "Check! ", or, where a player may leave the king in check, that it can be captured; else "". */
function checkText({ game, view }: Play, board: Board | null): string {
	if (!board || !wordsOf(game)?.check)
		return "";
	const seats = view.marks.map((cell) => board.pieces[view.standing.find(([at]) => at === cell)?.[1] ?? -1]?.seat ?? 0);
	if (seats.includes(view.seat))
		return "Check! ";
	return seats[0] ? `${sideName(board, seats[0])}'s king can be captured. ` : "";
}

export function statusText(play: Play, board: Board | null): string {
	return roleOf(play).inProgress ? checkText(play, board) + turnText(play, board) : endText(play, board);
}

function turnText(play: Play, board: Board | null): string {
	const role = roleOf(play);
	if (play.seats.some((seat) => seat.kind === "open"))
		return play.seats.length > 2 ? "Waiting for players to join." : "Waiting for an opponent to join.";
	if (role.rollDue)
		return rollText(play, board, role.mine);
	if (role.enteringRoll)
		return wordsOf(play.game)?.entering ?? "Roll your dice and enter the result.";
	const name = nameOf(play, board, play.view.seat);
	const decision = role.myTurn && wordsOf(play.game)?.turn?.(play, board);
	if (decision)
		return role.mine.length === 1 ? decision : `${sideName(board, play.view.seat)}: ${decision}`;
	if (role.myTurn && role.mine.length === 1)
		return `Your turn (${sideName(board, play.view.seat).toLowerCase()}).`;
	if (play.thinking)
		return `${name} is thinking…`;
	return `${role.mine.length === 1 ? name : sideName(board, play.view.seat)} to move.`;
}

function rollText(play: Play, board: Board | null, mine: number[]): string {
	const { turn } = play.view;
	const words = wordsOf(play.game);
	if (words?.due)
		return words.due(play, board);
	if (!turn)
		return "Waiting for a dice roll.";
	return mine.length === 1 && mine.includes(turn) ? "Roll the dice." : `${nameOf(play, board, turn)} rolls the dice.`;
}

/** "Level 3 (white) played d3." "You rolled a 4." */
export function lastMoveText(play: Play, board: Board | null): string {
	const last = play.line[play.line.length - 1];
	if (!last)
		return "";
	const { mine } = roleOf(play);
	const who = (seat: number) => mine.length === 1 && mine[0] === seat ? "You" : nameOf(play, board, seat);
	if (last.move === "pass")
		return `${who(last.seat)} had no legal move and passed.`;
	if (last.seat !== 0)
		return `${who(last.seat)} ${wordsOf(play.game)?.done?.[last.move] ?? `played ${moveName(last)}`}.`;
	const words = wordsOf(play.game);
	if (words?.happened)
		return words.happened(play, board);
	/* After a roll it is the turn of the player who rolled. */
	const dice = /^roll (\d+(?: \d+)*)$/.exec(last.move)?.[1]?.split(" ");
	if (!dice || !play.view.seat)
		return `Dice: ${last.move}.`;
	return `${who(play.view.seat)} rolled ${dice.length === 1 ? `a ${dice[0]}` : dice.join(" and ")}.`;
}
