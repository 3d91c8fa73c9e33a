// words.ts - how a game ended, in words: pure functions.
// SPDX-License-Identifier: MIT
import { playerName, sideInText, sideName } from "../board/text";
import { t } from "../messages";
import { roleOf } from "../play/rights";
import { wordsOf } from "../play/words";
import type { Board, Play } from "../types";

export type Mood = "won" | "lost" | "draw" | "other";

export interface Ending {
	mood: Mood; // other: you only watched, or played both sides, or nobody won
	title: string; // "You won by checkmate"
	detail: string; // a sentence; "": none
}

const REASONS: Record<string, string> = {
	resigns: t("end.byResignation"), time: t("end.onTime"), agreed: t("end.byAgreement"), repetition: t("end.byRepetition"),
	count: t("end.byMoveLimit"), checkmate: t("end.byCheckmate"), stalemate: t("end.byStalemate"),
	"fifty moves": t("end.byFiftyMoves"), "dead position": t("end.inDeadPosition"),
	disconnect: t("end.byLeaving"), "server stopped": t("end.byServerStop"),
};

/** What wins on the board, if the game has one way only. */
const ROWS: Record<string, string> = {
	noughts: t("end.row3"), noughts3d: t("end.row4"), connect4: t("end.row4"), gomoku: t("end.row5"),
};

function gameOf(play: Pick<Play, "game">): string {
	return play.game.split(":", 1)[0] ?? "";
}

export function winnerOf(play: Pick<Play, "result" | "view">): number {
	return Number(/^win (\d+)$/.exec(play.result ?? play.view.result ?? "")?.[1] ?? 0);
}

/** What follows "You won" or, from the other side, "You lost". */
function how(play: Play, winner: number, lost: boolean): string {
	if (play.reason)
		return lost && play.reason === "disconnect" ? t("end.byYouLeaving") : REASONS[play.reason] ?? `(${play.reason})`;
	const row = ROWS[gameOf(play)];
	return !winner ? "" : row ? lost ? "" : t("end.withRow", { row }) : wordsOf(play.game)?.won?.(play, winner, lost) ?? "";
}

/** Why the loser of a game has lost it on the board; "": the title says it. */
function cause(play: Play, board: Board | null, winner: number): string {
	const game = gameOf(play), { view } = play;
	const of = (seat: number) => view.standing.filter(([, piece]) => board?.pieces[piece]?.seat === seat);
	const loser = 3 - winner, side = sideName(board, loser), left = of(loser);
	const isLeft = (kind: string) => left.some(([, piece]) => board?.pieces[piece]?.name.endsWith(kind));
	switch (game) {
	case "race":
		return t("end.allHome", { side: sideName(board, winner) });
	case "backgammon":
		return play.line.at(-1)?.move === "drop" ? t("end.dropped", { side }) : "";
	case "minichess":
		return isLeft("king") ? t("end.cannotMove", { side }) : t("end.kingCaptured", { side });
	case "morris":
		return view.scores?.[loser - 1] === 2 ? t("end.twoMen", { side }) : t("end.cannotMove", { side });
	case "hexapawn": {
		const far = winner === 1 ? Math.min : Math.max, rows = board?.cells?.map(({ row }) => row) ?? [];
		if (of(winner).some(([cell]) => rows[cell] === far(...rows)))
			return t("end.pawnThrough", { side: sideName(board, winner) });
		return left.length ? t("end.cannotMove", { side }) : t("end.noPieces", { side });
	}
	case "draughts": case "warptrog":
		return left.length ? t("end.cannotMove", { side }) : t("end.noPieces", { side });
	}
	return "";
}

/** What decided the game on the board, where the title does not say it. */
function detailOf(play: Play, board: Board | null, winner: number, lost: boolean): string {
	const row = ROWS[gameOf(play)], { scores } = play.view;
	if (!winner && gameOf(play) === "starchess")
		return `${t("end.lastTurnOver")} ${scores ? leaderText(play, board) : ""}`;
	if (play.reason)
		return "";
	if (!winner)
		return row ? t("end.boardFull") : "";
	return lost && row ? t("end.hasRow", { winner: winnerName(play, board, winner), row }) : play.seats.length > 2 ? "" : cause(play, board, winner);
}

/** Who has the most points; "": several have. */
export function leaderText({ view: { scores }, seats }: Pick<Play, "view" | "seats">, board: Board | null): string {
	const most = Math.max(...scores ?? []), leaders = seats.filter(({ seat }) => scores?.[seat - 1] === most);
	return leaders.length === 1 ? t("end.leads", { side: sideName(board, leaders[0]!.seat), score: most }) : "";
}

/** Reversi: "You won, 37 discs to 27". seat: whose discs come first. */
function withDiscs(title: string, play: Play, seat: number): string {
	const own = play.view.scores?.[seat - 1], other = play.view.scores?.[2 - seat];
	if (play.reason || gameOf(play) !== "reversi" || own === undefined || other === undefined)
		return title;
	return own === other ? t("end.discsEach", { title, own }) : t("end.withDiscs", { title, own, other });
}

export function endingOf(play: Play, board: Board | null): Ending {
	const winner = winnerOf(play), { mine } = roleOf(play);
	const own = mine.length > 0 && mine.length < play.seats.length, lost = own && winner > 0 && !mine.includes(winner);
	const way = how(play, winner, lost) || "none", detail = detailOf(play, board, winner, lost);
	if (!winner) {
		const drawn = (play.result ?? play.view.result) === "draw";
		return { mood: drawn ? "draw" : "other", title: drawn ? withDiscs(t("end.draw", { way }), play, 1) : t("end.abandoned"), detail: drawn ? detail : "" };
	}
	if (own && !lost)
		return { mood: "won", title: withDiscs(t("end.youWon", { way }), play, winner), detail };
	const name = winnerName(play, board, winner);
	if (!lost)
		return { mood: "other", title: withDiscs(t("end.winnerWon", { winner: name, way }), play, winner), detail };
	if (play.reason === "resigns" && play.seats.length === 2)
		return { mood: "lost", title: t("end.youResigned"), detail: t("end.sideWins", { side: sideName(board, winner) }) };
	return { mood: "lost", title: withDiscs(t("end.youLost", { way }), play, 3 - winner), detail: play.seats.length > 2 ? t("end.someoneWon", { winner: name }) : detail };
}

export function isOnePerson({ seats }: Pick<Play, "seats">): boolean {
	return seats.every((seat) => seat.kind === "person" && seat.name === seats[0]?.name);
}

/** "Level 3 (white)", or only the side, if all players are the same person. */
export function winnerName(play: Play, board: Board | null, seat: number): string {
	const who = play.seats[seat - 1], side = sideName(board, seat);
	return !who?.name || isOnePerson(play) ? side : `${playerName(who)} (${sideInText(board, seat)})`;
}
