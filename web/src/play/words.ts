// words.ts - what the play page shows and accepts for one game: how chance is described, moves with a button of their own.
// SPDX-License-Identifier: MIT
import type { Board, Play } from "../types";
import type { Sound } from "./sounds";

/** A move with a button that stays, and is enabled while the move is legal. */
export interface FixedMove {
	move: string;
	text: string;
	key: string;
	title: string;
	none: string; // why it is not legal on your turn
}

export interface PlayWords {
	group: string; // the name of the panel with the chance moves
	roll: string; // the button for the next one
	auto: string; // the check box
	sound: Sound;
	counter: boolean; // show the number of the move
	captures: boolean; // show the captured pieces
	due(play: Play, board: Board | null): string; // chance is to move
	entering: string; // you enter what chance decides
	happened(play: Play, board: Board | null): string; // chance has moved
	fixed(game: string): FixedMove[];
}

function cellName(board: Board | null, cell: number | undefined): string {
	return board?.cells[cell ?? -1]?.name ?? "?";
}

const warp: FixedMove = {
	move: "warp", text: "Warp", key: "w", title: "Send all your Trogs to random squares (w)", none: "You have no warps left.",
};

const WORDS: Record<string, PlayWords> = {
	warptrog: {
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
