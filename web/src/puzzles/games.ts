// games.ts - the games with puzzles, in the order of the page. The puzzles themselves are in files.ts.
// SPDX-License-Identifier: MIT

export const puzzleGames = ["chess", "reversi", "connect4", "draughts", "backgammon", "gomoku", "morris", "minichess", "noughts3d", "warptrog", "race", "noughts",
	"hexapawn"] as const;

export function hasPuzzles(game: string): boolean {
	return puzzleGames.some((one) => one === game);
}
