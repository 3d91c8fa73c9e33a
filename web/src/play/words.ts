// words.ts - what the play page shows and accepts for one game: how chance is described, moves with a button of their own.
// SPDX-License-Identifier: MIT
import { cubeAndMatch, pipsOf } from "../board/backgammon";
import { capital, sideName } from "../board/text";
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

export const DICE: ChanceWords = { title: "Dice", server: "Rolled by the server (verifiable)", typed: "Real dice: you enter the roll" };

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
	won?(play: Play, winner: number): string; // what follows "White wins"
	done?: Record<string, string>; // what a player did, by the text of the move: "doubled"
	button?(move: Move): string; // for moves without clicks; with this function their buttons are on the board
	keys?: Record<string, string>; // of these buttons, by the text of the move
	outcome?(move: Move): string; // the button for what chance did, if you enter it
	choice?(move: Move): string; // for moves without clicks; their buttons are beside the board
}

function cellName(board: Board | null, cell: number | undefined): string {
	return board?.cells[cell ?? -1]?.name ?? "?";
}

const warp: FixedMove = {
	move: "warp", text: "Warp", key: "w", title: "Send all your Trogs to random squares (w)", none: "You have no warps left.",
};

function many(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** "6-5": the larger die first. */
function diceText(roll: string): string {
	return [...roll.replace(/\D/g, "")].sort().reverse().join("-");
}

/** "You" if there is only one person, who plays the seat. */
function rollerName(play: Play, board: Board | null, seat: number): string {
	const mine = play.seats.filter(({ you }) => you);
	return mine.length === 1 && mine[0]?.seat === seat ? "You" : sideName(board, seat);
}

const GAMMONS = ["", "", " a gammon,", " a backgammon,"];
const DECISIONS: Record<string, string> = {
	roll: "Roll", double: "Double", take: "Take", drop: "Drop", beaver: "Beaver", pass: "No legal move: pass",
};

const backgammon: PlayWords = {
	chance: DICE, group: "Dice", roll: "Roll", auto: "Roll automatically", sound: "dice", counter: false, captures: false,
	due(play, board) {
		const { turn, position } = play.view, { length, score } = cubeAndMatch(position);
		if (turn)
			return rollerName(play, board, turn) === "You" ? "Roll the dice." : `${sideName(board, turn)} rolls the dice.`;
		const stands = length && play.line.length ? `${sideName(board, 1)} has ${many(score[0], "point")}, ${sideName(board, 2)} ${score[1]}. ` : "";
		return `${stands}Each player rolls one die; the larger one begins.`;
	},
	entering: "Roll your dice and enter the result.",
	happened(play, board) {
		const { seat } = play.view, last = play.line[play.line.length - 1]?.move ?? "";
		const [first, second] = last.replace(/\D/g, "");
		const who = rollerName(play, board, seat);
		if (/ - -( |$)/.test(play.start) || play.start === "start" ? play.line.length === 1 : false)
			return `${sideName(board, 1)} rolled ${first}, ${sideName(board, 2)} ${second}: ${who === "You" ? "you begin" : `${who} begins`}.`;
		return `${who} rolled ${diceText(last)}.`;
	},
	fixed: () => [],
	seat(view, board, seat) {
		const { length, score, crawford } = cubeAndMatch(view.position);
		const pips = many(pipsOf(board, view.standing, seat), "pip");
		return length ? `${pips} · ${score[seat - 1]} of ${length}${crawford ? " · Crawford" : ""}` : pips;
	},
	turn(play) {
		const { cube, phase } = cubeAndMatch(play.view.position);
		const to = 2 * (cube ?? 1);
		return phase === "double" ? `You are doubled to ${to}. Take or drop?` : phase === "beaver" ? `Your double is beavered to ${to}. Take or drop?`
			: play.view.moves.some(({ move }) => move === "double") ? `Roll, or double to ${to}?` : null;
	},
	won(play, winner) {
		const { cube, length, score } = cubeAndMatch(play.view.position);
		const points = play.view.points?.[winner - 1] ?? 1;
		if (length)
			return ` the match ${score[winner - 1]} to ${score[2 - winner]}`;
		return `${GAMMONS[points / (cube ?? 1)] ?? ""} ${many(points, "point")}`;
	},
	done: { roll: "chose to roll", double: "doubled", take: "took the double", drop: "dropped", beaver: "beavered" },
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
			return stones > 3 ? "Take a colour." : "Take a colour, or place two more stones?";
		return `Place ${many((stones < 3 ? 3 : 5) - stones, "more stone")}: a ${next} one now.`;
	},
	done: { black: "took Black", white: "took White" },
	choice: ({ move }) => (move === "black" ? "Take Black" : move === "white" ? "Take White" : move),
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
			title: "Warps", server: "The server picks the squares (verifiable)", typed: "You enter the square where each Trog lands",
		},
		group: "Landing", roll: "Land", auto: "Land automatically", sound: "warp", counter: true, captures: true,
		due: ({ view }, board) => `Trog on ${cellName(board, view.marks[0])} warps.`,
		entering: "Enter the square where the Trog lands.",
		happened({ view }, board) {
			const [from, to] = view.last?.touches ?? [];
			return to === undefined ? `The Trog on ${cellName(board, from)} stayed.`
				: `The Trog on ${cellName(board, from)} landed on ${cellName(board, to)}.`;
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
