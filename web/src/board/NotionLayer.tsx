// NotionLayer.tsx - strategic features on the board: tags on cells, and the cells of the active feature.
// SPDX-License-Identifier: MIT
import type { Board } from "../types";
import { place } from "./drawing";
import { outline } from "./geometry";
import type { CellMark } from "./props";

/** Each seat has its own height in a cell, so that two tags do not differ by colour alone. */
function heightOf(board: Board, seat: number | null): number {
	const seats = Math.max(...board.pieces.map((piece) => piece.seat ?? 0));
	return seat === null || seats < 2 ? 0 : -30 + 60 * (seat - 1) / (seats - 1);
}

function paintOf(board: Board, seat: number | null): string {
	return board.pieces.find((piece) => piece.seat !== null && piece.seat === seat)?.paint ?? "none";
}

export function NotionLayer({ board, marks, turned }: { board: Board; marks: CellMark[]; turned: boolean }) {
	const one = (mark: CellMark, cell: number) => {
		const at = board.cells[cell];
		if (!at)
			return null;
		return mark.text ? (
			<g key={`${mark.title} ${cell}`} class={`tag paint-${paintOf(board, mark.seat)}`} transform={place(board, cell, turned)}>
				<g transform={`translate(0 ${heightOf(board, mark.seat)})`}>
					<rect x="-33" y="-13" width="66" height="26" rx="13" />
					<text dy="0.35em">{mark.text}</text>
				</g>
			</g>
		) : (
			<g key={`${mark.title} ${cell}`} class="looked-at" transform={place(board, cell, turned)}>
				<path class="halo" d={outline(at, turned)} />
				<path class="rim" d={outline(at, turned)} />
			</g>
		);
	};
	return <g class="over" aria-hidden="true">{marks.map((mark) => mark.cells.map((cell) => one(mark, cell)))}</g>;
}
