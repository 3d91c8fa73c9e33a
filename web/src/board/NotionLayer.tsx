// NotionLayer.tsx - strategic features on the board: tags on cells, and the cells of the active feature.
// SPDX-License-Identifier: MIT
import type { Board } from "../types";
import { place } from "./drawing";
import { outline } from "./geometry";
import type { CellMark } from "./props";
import { hasManyPoints } from "./stones";

/** Each seat has its own height in a cell, so that two tags do not differ by colour alone. */
function heightOf(board: Board, seat: number | null): number {
	const seats = Math.max(...board.pieces.map((piece) => piece.seat ?? 0));
	return seat === null || seats < 2 ? 0 : -30 + 60 * (seat - 1) / (seats - 1);
}

function paintOf(board: Board, seat: number | null): string {
	return board.pieces.find((piece) => piece.seat !== null && piece.seat === seat)?.paint ?? "none";
}

const ASIDE = 24; // of two marks on one point

/** On a point: a small stone of the owner with the tag, or a ring. Several on one point are side by side. */
function PointMark({ board, mark, cell, others, turned }: { board: Board; mark: CellMark; cell: number; others: CellMark[]; turned: boolean }) {
	if (!mark.text)
		return (
			<g class="looked-at" transform={place(board, cell, turned)}>
				<circle class="edge" r="34" />
				<circle class="halo" r="34" />
				<circle class="rim" r="34" />
			</g>
		);
	const x = (2 * others.indexOf(mark) - (others.length - 1)) * ASIDE;
	return (
		<g class={`tag on-point paint-${paintOf(board, mark.seat)}`} transform={place(board, cell, turned)}>
			<circle cx={x} r="25" />
			<text x={x} dy="0.36em">{mark.text}</text>
		</g>
	);
}

export function NotionLayer({ board, marks, turned }: { board: Board; marks: CellMark[]; turned: boolean }) {
	const stones = hasManyPoints(board);
	const tagged = (cell: number) => marks.filter(({ text, cells }) => text && cells.includes(cell));
	const one = (mark: CellMark, cell: number) => {
		const at = board.cells[cell];
		if (!at)
			return null;
		if (stones)
			return <PointMark key={`${mark.title} ${cell}`} board={board} mark={mark} cell={cell} others={tagged(cell)} turned={turned} />;
		return mark.text ? (
			<g key={`${mark.title} ${cell}`} class={`tag paint-${paintOf(board, mark.seat)}`} transform={place(board, cell, turned)}>
				<g transform={`translate(0 ${heightOf(board, mark.seat)})`}>
					<rect x="-33" y="-13" width="66" height="26" rx="13" />
					<text dy="0.35em">{mark.text}</text>
				</g>
			</g>
		) : (
			<g key={`${mark.title} ${cell}`} class="looked-at" transform={place(board, cell, turned)}>
				<path class="edge" d={outline(at, turned)} />
				<path class="halo" d={outline(at, turned)} />
				<path class="rim" d={outline(at, turned)} />
			</g>
		);
	};
	return <g class="over" aria-hidden="true">{marks.map((mark) => mark.cells.map((cell) => one(mark, cell)))}</g>;
}
