// words.ts - what the play page shows and accepts for one game: how chance is described, moves with a button of their own.
// SPDX-License-Identifier: MIT
import { cubeAndMatch, pipsOf } from "../board/backgammon";
import { capital, sideName } from "../board/text";
import { t } from "../messages";
import type { Board, Move, Play, View } from "../types";
import type { Sound } from "./sounds";

/** A move with a button that stays, and is enabled while the move is legal. */
export interface FixedMove {
	move: string;
	text: string;
	key: string;
	title: string;
	none: string; // why it is not legal on your turn
}

/** Who decides what chance does, as a choice for a new game. */
export interface ChanceWords {
	title: string;
	server: string;
	typed: string;
}

export const DICE: ChanceWords = { title: t("play.dice"), server: t("play.diceServer"), typed: t("play.diceTyped") };

export interface PlayWords {
	chance?: ChanceWords;
	group?: string; // the name of the panel with the chance moves
	roll?: string; // the button for the next one
	auto?: string; // the check box
	sound?: Sound;
	counter?: boolean; // show the number of the move
	captures?: boolean; // show the captured pieces
	worth?: Record<string, number>; // of each kind of piece, for the difference in material
	check?: boolean; // a marked king is in check
	due?(play: Play, board: Board | null): string; // chance is to move
	entering?: string; // you enter what chance decides
	happened?(play: Play, board: Board | null): string; // chance has moved
	fixed?(game: string): FixedMove[];
	seat?(view: View, board: Board, seat: number): string; // what is shown of a seat in place of its score
	turn?(play: Play, board: Board | null): string | null; // what the player to move decides, if it is not a move on the board
	won?(play: Play, winner: number, lost: boolean): string; // what follows "White won" or "You lost": "a gammon, 2 points"
	done?(move: string, player: string): string | null; // what the player did: "You doubled."; null: "You played ..."
	button?(move: Move): string; // for moves without clicks; with this function their buttons are on the board
	keys?: Record<string, string>; // of these buttons, by the text of the move
	outcome?(move: Move): string; // the button for what chance did, if you enter it
	choice?(move: Move): string; // for moves without clicks; their buttons are beside the board
}

function cellName(board: Board | null, cell: number | undefined): string {
	return board?.cells[cell ?? -1]?.name ?? "?";
}

const warp: FixedMove = {
	move: "warp", text: t("play.warp"), key: "w", title: t("play.warpAbout"), none: t("play.noWarps"),
};

/** "6-5": the larger die first. */
function diceText(roll: string): string {
	return [...roll.replace(/\D/g, "")].sort().reverse().join("-");
}

/** Whether there is only one person, who plays the seat. */
function isYou({ seats }: Play, seat: number): boolean {
	const mine = seats.filter(({ you }) => you);
	return mine.length === 1 && mine[0]?.seat === seat;
}

const DECISIONS: Record<string, string> = {
	roll: t("play.roll"), double: t("play.double"), take: t("play.take"), drop: t("play.drop"), beaver: t("play.beaver"), pass: t("play.mustPass"),
};

const backgammon: PlayWords = {
	chance: DICE, group: t("play.dice"), roll: t("play.roll"), auto: t("play.rollAutomatically"), sound: "dice", counter: false, captures: false,
	due(play, board) {
		const { turn, position } = play.view, { length, score } = cubeAndMatch(position);
		if (turn)
			return isYou(play, turn) ? t("play.rollTheDice") : t("play.rollsTheDice", { player: sideName(board, turn) });
		const stands = length && play.line.length
			? `${t("play.matchStands", { first: sideName(board, 1), n: score[0], second: sideName(board, 2), other: score[1] })} ` : "";
		return stands + t("play.openingRoll");
	},
	entering: t("play.enterDice"),
	happened(play, board) {
		const { seat } = play.view, last = play.line[play.line.length - 1]?.move ?? "";
		const [one = "", two = ""] = last.replace(/\D/g, "");
		if (/ - -( |$)/.test(play.start) || play.start === "start" ? play.line.length === 1 : false)
			return t("play.openingRolled",
				{ first: sideName(board, 1), one, second: sideName(board, 2), two, you: String(isYou(play, seat)), player: sideName(board, seat) });
		return t("play.rolledDice", { player: isYou(play, seat) ? t("play.you") : sideName(board, seat), dice: diceText(last) });
	},
	fixed: () => [],
	seat(view, board, seat) {
		const { length, score, crawford } = cubeAndMatch(view.position);
		const pips = t("play.pips", { n: pipsOf(board, view.standing, seat) });
		return length ? `${pips} · ${t("play.pointsOf", { score: score[seat - 1] ?? 0, length })}${crawford ? ` · ${t("play.crawford")}` : ""}` : pips;
	},
	turn(play) {
		const { cube, phase } = cubeAndMatch(play.view.position);
		const to = 2 * (cube ?? 1);
		return phase === "double" ? t("play.doubledTo", { to }) : phase === "beaver" ? t("play.beaveredTo", { to })
			: play.view.moves.some(({ move }) => move === "double") ? t("play.orDoubleTo", { to }) : null;
	},
	won(play, winner, lost) {
		const { cube, length, score } = cubeAndMatch(play.view.position);
		const points = play.view.points?.[winner - 1] ?? 1;
		if (length)
			return t("play.wonMatch", { own: score[(lost ? 3 - winner : winner) - 1] ?? 0, other: score[(lost ? winner : 3 - winner) - 1] ?? 0 });
		return t("play.wonPoints", { kind: points / (cube ?? 1), n: points });
	},
	done: (move, player) => move in DECISIONS
		? t("play.decided", { move, player }) : null,
	button: ({ move }) => DECISIONS[move] ?? capital(move),
	outcome: ({ move }) => [...move.replace(/\D/g, "")].join("-"), // in the opening White's die comes first
	keys: { roll: "r", pass: "r", double: "d", take: "a", drop: "x", beaver: "b" },
};

/** In swap2 a player takes a colour or places stones of both. */
const gomoku: PlayWords = {
	turn({ view }) {
		if (!view.position.endsWith(" open"))
			return null;
		const stones = view.standing.length, next = / x open$/.test(view.position) ? "black" : "white";
		if (view.moves.some(({ clicks }) => !clicks.length))
			return stones > 3 ? t("play.takeColour") : t("play.takeOrPlace");
		return t("play.placeStones", { n: (stones < 3 ? 3 : 5) - stones, next });
	},
	done: (move, player) => move === "black" ? t("play.tookBlack", { player }) : move === "white" ? t("play.tookWhite", { player }) : null,
	choice: ({ move }) => (move === "black" ? t("play.takeBlack") : move === "white" ? t("play.takeWhite") : move),
};

const CHESSMEN = { queen: 9, rook: 5, bishop: 3, knight: 3, pawn: 1 };

const WORDS: Record<string, PlayWords> = {
	chess: { captures: true, worth: CHESSMEN, check: true },
	minichess: { captures: true, worth: CHESSMEN, check: true },
	draughts: { captures: true, worth: { man: 1, king: 1 } },
	hexapawn: { captures: true, worth: { pawn: 1 } },
	backgammon, gomoku,
	warptrog: {
		chance: {
			title: t("play.warps"), server: t("play.warpsServer"), typed: t("play.warpsTyped"),
		},
		group: t("play.landing"), roll: t("play.land"), auto: t("play.landAutomatically"), sound: "warp", counter: true, captures: true,
		due: ({ view }, board) => t("play.trogWarps", { cell: cellName(board, view.marks[0]) }),
		entering: t("play.enterLanding"),
		happened({ view }, board) {
			const [from, to] = view.last?.touches ?? [];
			return to === undefined ? t("play.trogStayed", { from: cellName(board, from) })
				: t("play.trogLanded", { from: cellName(board, from), to: cellName(board, to) });
		},
		fixed: (game) => /\bwarps=0\b/.test(game) ? [] : [warp],
	},
};

export function wordsOf(game: string): PlayWords | undefined {
	return WORDS[game.split(":", 1)[0] ?? game];
}

/** The number of the move: how often each player has moved, and one. */
export function moveNumber(play: Play): number {
	return Math.floor(play.line.filter(({ seat }) => seat !== 0).length / play.seats.length) + 1;
}
