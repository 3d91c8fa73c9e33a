// words.ts - how a game ended, in words: pure functions.
// SPDX-License-Identifier: MIT
import { playerName, sideName } from "../board/text";
import { t } from "../messages";
import { baseName } from "../pages/parts";
import { roleOf } from "../play/rights";
import { reasons } from "../play/status";
import { wordsOf } from "../play/words";
import type { Board, Play } from "../types";

export type Mood = "won" | "lost" | "draw" | "other";

export interface Ending {
	mood: Mood; // other: you only watched, or played both sides, or nobody won
	title: string; // "You won by checkmate"
	detail: string; // a sentence; "": none
}

/** What wins on the board, if the game has one way only. */
const ROWS: Record<string, string> = {
	noughts: t("end.row3"), noughts3d: t("end.row4"), connect4: t("end.row4"), gomoku: t("end.row5"),
};

export function winnerOf(play: Pick<Play, "result" | "view">): number {
	return Number(/^win (\d+)$/.exec(play.result ?? play.view.result ?? "")?.[1] ?? 0);
}

function countOf(play: Play, board: Board | null, seat: number): number {
	return play.view.standing.reduce((sum, [, piece, count]) => sum + (board?.pieces[piece]?.seat === seat ? count : 0), 0);
}

/** What follows "You won" or, from the other side, "You lost". */
function how(play: Play, winner: number, lost: boolean): string {
	const game = baseName(play.game), seat = lost ? 3 - winner : winner, { scores } = play.view;
	if (play.reason)
		return reasons[play.reason] ?? `(${play.reason})`;
	if (winner && game === "reversi" && scores)
		return t("end.byDiscs", { own: scores[seat - 1] ?? "", other: scores[2 - seat] ?? "" });
	if (!winner || lost)
		return "";
	return ROWS[game] ? t("end.withRow", { row: ROWS[game] }) : wordsOf(play.game)?.won?.(play, winner) ?? "";
}

/** What decided the game on the board, where the result does not show it. */
function detailOf(play: Play, board: Board | null, winner: number, lost: boolean): string {
	const game = baseName(play.game), loser = 3 - winner;
	if (play.reason)
		return "";
	if (!winner)
		return ROWS[game] ? t("end.boardFull") : game === "starchess" ? t("end.lastTurnOver") : "";
	if (lost && ROWS[game])
		return t("end.hasRow", { winner: winnerName(play, board, winner), row: ROWS[game] });
	const won = lost && wordsOf(play.game)?.won?.(play, winner);
	if (won)
		return t("end.winsHow", { winner: winnerName(play, board, winner), how: won });
	if (!["draughts", "hexapawn", "morris"].includes(game))
		return "";
	const left = countOf(play, board, loser), side = sideName(board, loser);
	if (!left)
		return t("end.noPieces", { side });
	return game === "morris" && play.view.scores?.[loser - 1] === 2 ? t("end.twoMen", { side }) : "";
}

export function endingOf(play: Play, board: Board | null): Ending {
	const winner = winnerOf(play), { mine } = roleOf(play);
	const own = mine.length > 0 && mine.length < play.seats.length, lost = own && winner > 0 && !mine.includes(winner);
	const way = how(play, winner, lost) || "none", detail = detailOf(play, board, winner, lost);
	if (!winner) {
		const drawn = (play.result ?? play.view.result) === "draw";
		return { mood: drawn ? "draw" : "other", title: drawn ? t("end.draw", { way }) : t("end.abandoned"), detail: drawn ? detail : "" };
	}
	if (own && mine.includes(winner))
		return { mood: "won", title: t("end.youWon", { way }), detail };
	const name = winnerName(play, board, winner);
	if (own && play.reason === "resigns" && play.seats.length === 2)
		return { mood: "lost", title: t("end.youResigned"), detail: t("end.someoneWon", { winner: name }) };
	return lost ? { mood: "lost", title: t("end.youLost", { way }), detail: play.seats.length > 2 ? t("end.someoneWon", { winner: name }) : detail }
		: { mood: "other", title: t("end.winnerWon", { winner: name, way }), detail };
}

function isOnePerson({ seats }: Pick<Play, "seats">): boolean {
	return seats.every((seat) => seat.kind === "person" && seat.name === seats[0]?.name);
}

/** "Level 3 (white)", or only the side, if all players are the same person. */
export function winnerName(play: Play, board: Board | null, seat: number): string {
	const who = play.seats[seat - 1], side = sideName(board, seat);
	return !who?.name || isOnePerson(play) ? side : `${playerName(who)} (${side.toLowerCase()})`;
}

export interface ScoreRow {
	seat: number;
	name: string;
	side: string; // "": as the name
	score: string; // "": the game has none
}

/** The real score at the end, not the result. */
export function scoreRows(play: Play, board: Board | null): ScoreRow[] {
	const words = wordsOf(play.game), same = isOnePerson(play);
	return play.seats.map((seat) => ({
		seat: seat.seat,
		name: same ? sideName(board, seat.seat) : seat.you ? t("end.you") : playerName(seat),
		side: same ? "" : sideName(board, seat.seat),
		score: board && words?.seat ? words.seat(play.view, board, seat.seat) : String(play.view.scores?.[seat.seat - 1] ?? ""),
	}));
}

/** Below a picture: "Ann – Level 3 · White won by checkmate". */
export function captionOf(play: Play, board: Board | null): string {
	const players = isOnePerson(play) ? play.title : play.seats.map((seat) => playerName(seat) || sideName(board, seat.seat)).join(" – ");
	if (!play.result)
		return players;
	const watched = { ...play, seats: play.seats.map((seat) => ({ ...seat, you: false, name: "" })) };
	return `${players} · ${endingOf(watched, board).title}`;
}
