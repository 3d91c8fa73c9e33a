// Ghost.tsx - the disc that waits above the column of a rack, under the mouse or where the keyboard is.
// SPDX-License-Identifier: MIT
import type { Board, View } from "../types";
import { PieceShape, place } from "./drawing";
import { fit } from "./geometry";
import { nextStone } from "./stones";

interface GhostProps {
	board: Board;
	view: Pick<View, "position" | "seat">;
	hovered: number | null; // the cells where the disc would land
	focus: number | null;
}

export function Ghost({ board, view, hovered, focus }: GhostProps) {
	const kind = board.pieces[nextStone(board, view)], landing = hovered ?? focus, at = board.cells[landing ?? -1];
	if (!kind || !at)
		return null;
	return (
		<g class={hovered === null ? "over ghost at-focus" : "over ghost"} aria-hidden="true">
			<g class="waiting-disc" transform={`translate(${at.x} ${(board.top ?? 0) / 2})`}><PieceShape kind={kind} transform={fit(at)} /></g>
			<g class="landing" transform={place(board, landing ?? -1, false)}><PieceShape kind={kind} transform={fit(at)} /></g>
		</g>
	);
}
