// Rings.tsx - the marks of cells: coloured rings with dark and light edges, and lines through rows.
// SPDX-License-Identifier: MIT
import type { Board } from "../types";
import { place } from "./drawing";
import { inset, middle } from "./geometry";
import { EDGES, type MarkKind } from "./marks";

const WIDTHS = { dark: 2.4, core: 4.6, light: 2.2 };

/** The lines of a ring touch each other. */
export function Ring({ board, cell, kind, turned }: { board: Board; cell: number; kind: MarkKind; turned: boolean }) {
	const at = board.cells[cell];
	if (!at)
		return null;
	let from = 0;
	return (
		<g class={`ring-mark ${kind}`} transform={place(board, cell, turned)}>
			{EDGES[kind].map((edge) => {
				const width = WIDTHS[edge], by = from + width / 2;
				from += width;
				return <path key={edge} class={edge} d={inset(at, by, turned)} stroke-width={width} />;
			})}
		</g>
	);
}

export function Rings({ board, marks, turned }: { board: Board; marks: [cell: number, kind: MarkKind][]; turned: boolean }) {
	return (
		<g class="under" aria-hidden="true">
			{marks.map(([cell, kind]) => <Ring key={`${cell} ${kind}`} board={board} cell={cell} kind={kind} turned={turned} />)}
		</g>
	);
}

/** Lines along the cells of rows. */
export function RowLines({ board, rows, kind, turned }: { board: Board; rows: number[][]; kind: string; turned: boolean }) {
	const path = rows.map((row) => row.map((cell, i) => {
		const at = board.cells[cell], { x, y } = at ? middle(board, at, turned) : { x: 0, y: 0 };
		return `${i ? "L" : "M"}${x} ${y}`;
	}).join("")).join("");
	return path ? (
		<g class={`over row-line ${kind}`} aria-hidden="true">
			<path class="dark" d={path} />
			<path class="light" d={path} />
			<path class="core" d={path} />
		</g>
	) : null;
}
