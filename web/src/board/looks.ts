// looks.ts - other looks of a board: a look changes the description of the board, and the page draws the result.
// SPDX-License-Identifier: MIT
//
// What is chosen for a game is a text of some words, each the name of a theme, a piece set or a look of that game. Themes and sets are
// loaded when one of them is chosen (themes.ts).
import { useEffect } from "preact/hooks";
import { t } from "../messages";
import { settings } from "../store/settings";
import { createStore, useStore } from "../store/store";
import type { Board, Cell, Piece } from "../types";
import { treated } from "./treats";

export interface Look {
	name: string; // as stored in the settings
	title: string;
	draw(board: Board): Board;
	plain?: boolean; // without what treats.ts adds
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
export const LOOKS: Record<string, { title: string; usual?: string; looks: Look[] }> = {
	warptrog: { title: t("board.lookWarptrog"), looks: [{ name: "1983", title: "1983", draw: warptrog1983 }] },
	noughts3d: { title: t("board.lookNoughts3d"), usual: t("board.lookStack"), looks: [{ name: "flat", title: t("board.lookFlat"), draw: (board) => board, plain: true }] },
};

export const ALL_GAMES = "*"; // in the settings: for games that have no look of their own

/** The words of the look that is chosen for a game. */
export function lookWords(game: string, chosen: Record<string, string>): string[] {
	return (chosen[game] || chosen[ALL_GAMES] || "").split(" ").filter(Boolean);
}

/** Themes and piece sets by their names, once they are loaded. */
export type LookParts = Record<string, (board: Board) => Board>;
const lookParts = createStore<LookParts | null>(null);

/** Loads themes and sets if one is needed. Null: not yet there. */
export function useLookParts(isNeeded: boolean): LookParts | null {
	const parts = useStore(lookParts);
	useEffect(() => {
		if (isNeeded && !lookParts.get())
			import("./parts").then(({ PARTS }) => lookParts.set(PARTS), () => lookParts.set({}));
	}, [isNeeded]);
	return isNeeded ? parts : parts ?? {};
}

/** Whether a look needs themes or sets. */
export function needsParts(game: string, chosen: Record<string, string>): boolean {
	return lookWords(game, chosen).some((word) => word !== "standard" && !LOOKS[game]?.looks.some(({ name }) => name === word));
}

const BARE: Board = {
	game: "", title: "", width: 0, height: 0, ground: "none", turnable: false, cells: [], lines: [], labels: [],
	pieces: [{ name: "", body: "", detail: null, paint: "", seat: 1, most: 1 }],
};

export interface MapLook {
	theme: Record<string, string> | undefined;
	set: string; // a class
}

export function mapLook({ theme, pieces }: Pick<Board, "theme" | "pieces">): MapLook {
	const set = pieces.find(({ seat }) => seat !== null)?.set;
	return { theme, set: set ? `set-${set}` : "" };
}

/** The chosen look of a game that does not draw its board and pieces. */
export function useMapLook(game: string): MapLook {
	const { looks } = useStore(settings);
	const parts = useLookParts(needsParts(game, looks));
	return mapLook(parts ? inLook(BARE, game, looks, parts) : BARE);
}

/** The board in the look that is chosen for its game; words that are not known there do not matter. */
export function inLook(board: Board, game: string, chosen: Record<string, string>, parts: LookParts = lookParts.get() ?? {}): Board {
	const words = lookWords(game, chosen), own = LOOKS[game]?.looks.find(({ name }) => words.includes(name));
	const drawn = own?.draw(own.plain ? board : treated(board, game)) ?? treated(board, game);
	return words.reduce((now, word) => parts[word]?.(now) ?? now, drawn);
}
