// props.ts - the props of board components. Boards are drawn from data alone.
// SPDX-License-Identifier: MIT
import type { Board, View } from "../types";

/** The arrow of a hint or an analysis line, from the first cell to the last. */
export interface Arrow {
	touches: number[];
	kind: "hint" | "line" | "premove" | `drawn-${number}`; // hint: the best move; line: another one; premove: yours, when your turn comes; drawn: by the user, in a colour
}

/** A short label on a move: "W3", "=", "+0.4". badges.ts chooses its cell. */
export interface Badge {
	move: string;
	text: string;
	tone: "win" | "draw" | "loss" | "unknown";
	title: string; // as read aloud: "wins in 3"
	worth: number; // the higher, the better the move
}

/** The cells of a strategic feature, with the tag to draw on them; without text they are only highlighted. */
export interface CellMark {
	cells: number[];
	text: string;
	seat: number | null; // whose
	title: string; // as read aloud: "active odd threats of Yellow"
}

/** BoardView: an interactive board. */
export interface BoardProps {
	board: Board;
	view: View;
	turned?: boolean; // seen from the other side; only if board.turnable
	interactive?: boolean; // moves can be entered; else the board is read-only
	premoving?: boolean; // it is not your turn: the moves are what you can enter, legal or not
	onMove?(move: string): void;
	explains?: boolean; // onMove gives the reason why a move is not legal
	onRefuse?(cell: number): void; // a click or a drop that no legal move begins with
	onCell?(cell: number): void; // for the editor: receives each click on a cell; no moves are entered
	arrows?: Arrow[];
	drawn?: Arrow[]; // drawings that are kept; the user can change them
	onDraw?(drawn: Arrow[]): void;
	pen?: boolean; // clicks draw: on a cell twice for a circle, on two cells for an arrow
	badges?: Badge[];
	marks?: CellMark[];
	label?: string; // of the grid, for screen readers
}

/** BoardPicture: a small static drawing for the gallery and lists. */
export interface PictureProps {
	board: Board;
	view: Pick<View, "standing" | "marks" | "last"> & { over?: boolean };
	turned?: boolean;
	title?: string; // alternative text; without it the picture is decoration
}
