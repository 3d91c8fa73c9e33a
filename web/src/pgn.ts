// pgn.ts - the name of PGN in a game.
// SPDX-License-Identifier: MIT

/** What PGN is called in a game. */
export function pgnName(game: string): "PGN" | "PDN" {
	return game.split(":", 1)[0] === "draughts" ? "PDN" : "PGN";
}
