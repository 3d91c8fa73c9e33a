// looks.ts - other looks of a board: a look changes the description of the board, and the page draws the result.
// SPDX-License-Identifier: MIT
import type { Board, Cell, Piece } from "../types";

export interface Look {
	name: string; // as stored in the settings
	title: string;
	draw(board: Board): Board;
}

const PIXEL = 9; // hundredths of a cell: eight of them leave a gap between the squares, as on the screen of 1983

/** A bitmap with a byte per row, the leftmost pixel in its highest bit, as path data around the centre. */
export function bitmapPath(rows: number[]): string {
	let path = "";
	const corner = (pixels: number) => (pixels - 4) * PIXEL;
	for (let y = 0, next = 0; y < rows.length; y = next) {
		const row = rows[y] ?? 0;
		/* Equal rows are drawn together. */
		for (next = y + 1; rows[next] === row;)
			next++;
		for (let x = 0; x < 8; x++) {
			let end = x;
			while (end < 8 && row & (0x80 >> end))
				end++;
			if (end > x)
				path += `M${corner(x)} ${corner(y)}H${corner(end)}V${corner(next)}H${corner(x)}Z`;
			x = Math.max(x, end);
		}
	}
	return path;
}

/*
 * The character set of the 1983 program, lines 3150 to 3180 of its listing: after a blank come an empty square, a Valg and a
 * Trog; A$ in lines 420 and 430 says which is which. The program has no character for warps: that one is ours.
 */
const SQUARE = [255, 129, 129, 129, 129, 129, 129, 255];
const CHARACTERS: Record<string, number[]> = {
	Valg: [255, 255, 255, 255, 255, 255, 255, 255],
	Trog: [24, 60, 126, 255, 255, 126, 60, 24],
	warp: [126, 129, 189, 165, 173, 161, 191, 64],
};

/**
 * The colours are the Atari's default registers for the characters that the program prints: squares orange (register 0), the men of
 * the computer, who plays from above, green (1), those of the user pink (3), on black (4).
 */
const SCREEN = ["pink", "green"];

function piece1983(piece: Piece): Piece {
	const [, kind = ""] = piece.name.split(" ");
	const colour = SCREEN[(piece.seat ?? 1) - 1] ?? "pink";
	return { ...piece, name: `${colour} ${kind}`, body: bitmapPath(CHARACTERS[kind] ?? []), detail: null, paint: `screen-${colour}` };
}

function cell1983(cell: Cell): Cell {
	return cell.tone === "tray" ? cell : { ...cell, tone: "screen", picture: bitmapPath(SQUARE) };
}

function warptrog1983(board: Board): Board {
	return { ...board, ground: "screen", cells: board.cells.map(cell1983), pieces: board.pieces.map(piece1983) };
}

/** The looks that a game has beside the usual one. */
export const LOOKS: Record<string, { title: string; looks: Look[] }> = {
	warptrog: { title: "Warp Trog", looks: [{ name: "1983", title: "1983", draw: warptrog1983 }] },
};

/** The board in the look that is chosen for its game, if the game has it. */
export function inLook(board: Board, game: string, chosen: Record<string, string>): Board {
	return LOOKS[game]?.looks.find(({ name }) => name === chosen[game])?.draw(board) ?? board;
}
