// files.ts - the files of puzzles, one for each game. Each is loaded when it is needed.
// SPDX-License-Identifier: MIT
import { puzzleGames } from "./games";
import { parsePuzzles, type Puzzle } from "./parse";

type File = () => Promise<{ default: string }>;

const files: Record<(typeof puzzleGames)[number], File> = {
	chess: () => import("../../puzzles/chess.txt"),
	reversi: () => import("../../puzzles/reversi.txt"),
	connect4: () => import("../../puzzles/connect4.txt"),
	draughts: () => import("../../puzzles/draughts.txt"),
	backgammon: () => import("../../puzzles/backgammon.txt"),
	gomoku: () => import("../../puzzles/gomoku.txt"),
	morris: () => import("../../puzzles/morris.txt"),
	minichess: () => import("../../puzzles/minichess.txt"),
	noughts3d: () => import("../../puzzles/noughts3d.txt"),
	warptrog: () => import("../../puzzles/warptrog.txt"),
	race: () => import("../../puzzles/race.txt"),
	noughts: () => import("../../puzzles/noughts.txt"),
	hexapawn: () => import("../../puzzles/hexapawn.txt"),
};

export async function loadPuzzles(game: string): Promise<Puzzle[]> {
	const name = puzzleGames.find((one) => one === game);
	return name ? parsePuzzles((await files[name]()).default) : [];
}

/** Games whose positions the engine solves quickly enough to play them perfectly. */
const LADDERS = ["noughts", "hexapawn", "connect4", "reversi", "noughts3d", "morris", "minichess"];
const RUNGS = 10;

export function hasLadder(game: string): boolean {
	return LADDERS.includes(game);
}

/** Positions that you must hold, from easy to hard. */
export function ladderOf(puzzles: Puzzle[]): Puzzle[] {
	const fit = puzzles.filter(({ goal }) => goal.kind === "keep" || goal.kind === "win").sort((a, b) => a.rating - b.rating);
	const count = Math.min(RUNGS, fit.length);
	return Array.from({ length: count }, (_, i) => fit[Math.round((i * (fit.length - 1)) / Math.max(1, count - 1))] as Puzzle);
}
