// props.ts - what a board component is given. Boards are drawn from data alone.
// SPDX-License-Identifier: MIT
import type { Board, View } from "../types";

/** Where a line of analysis or a hint shows: from the first cell to the last. */
export interface Arrow {
	touches: number[];
	kind: "hint" | "line"; // the best move; other ones
}

/** A word on a move: "W3", "=", "+0.4". badges.ts says where. */
export interface Badge {
	move: string;
	text: string;
	tone: "win" | "draw" | "loss" | "unknown";
	title: string; // as read aloud: "wins in 3"
	worth: number; // of two moves, which is better
}

/** Cells of a notion, and the tag that is written on them; no text: they are only shown. */
export interface CellMark {
	cells: number[];
	text: string;
	seat: number | null; // whose
	title: string; // as read aloud: "active odd threats of Yellow"
}

/** BoardView: a board one can play on. */
export interface BoardProps {
	board: Board;
	view: View;
	turned?: boolean; // seen from the other side; only if board.turnable
	interactive?: boolean; // moves can be entered; else it can only be walked and read
	onMove?(move: string): void;
	onCell?(cell: number): void; // the editor: each click on a cell, instead of entering moves
	arrows?: Arrow[];
	badges?: Badge[];
	marks?: CellMark[];
	label?: string; // of the grid, for screen readers
}

/** BoardPicture: a small drawing that cannot be clicked; for the gallery and lists. */
export interface PictureProps {
	board: Board;
	view: Pick<View, "standing" | "marks" | "last">;
	turned?: boolean;
	title?: string; // alternative text; without it the picture is decoration
}
