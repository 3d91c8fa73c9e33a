// StoneLayer.tsx - what boards with many points show over their stones: the last move, rows that won, forbidden points, the preview.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Board, Standing, View } from "../types";
import { PieceShape, place } from "./drawing";
import { fit, middle } from "./geometry";
import { isOccupied, pointText } from "./stones";
import { capital } from "./text";
import type { Preview } from "./usePreview";

/** A dot on the last stone, and rings around the stones of a row that won. */
export function StoneMarks({ board, view, turned }: { board: Board; view: Pick<View, "marks" | "last" | "standing">; turned: boolean }) {
	const last = (view.last?.touches ?? []).filter((cell) => isOccupied(view.standing, cell));
	return (
		<g class="over stone-marks" aria-hidden="true">
			{view.marks.map((cell) => (
				<g key={`won ${cell}`} class="won" transform={place(board, cell, turned)}><circle class="dark" r="40" /><circle class="light" r="40" /><circle class="core" r="40" /></g>
			))}
			{last.map((cell) => <circle key={`last ${cell}`} class={`last on-${paintAt(board, view.standing, cell)}`} r="15" transform={place(board, cell, turned)} />)}
		</g>
	);
}

function paintAt(board: Board, standing: Standing[], cell: number): string {
	return board.pieces[standing.find(([at]) => at === cell)?.[1] ?? -1]?.paint ?? "none";
}

const CROSS = "M-21-21L21 21M-21 21L21-21";

export function ForbiddenMarks({ board, cells, turned }: { board: Board; cells: number[]; turned: boolean }) {
	return (
		<g class="over forbidden" aria-hidden="true">
			{cells.map((cell) => <path key={cell} d={CROSS} transform={place(board, cell, turned)} />)}
		</g>
	);
}

/** The stone before it is placed. For a finger, which hides it, with the name of the point. */
export function StonePreview({ board, preview, piece, forbidden, turned }: {
	board: Board; preview: Preview; piece: number; forbidden: boolean; turned: boolean;
}) {
	const cell = board.cells[preview.cell], kind = board.pieces[piece];
	if (!cell || !kind)
		return null;
	return (
		<g class={forbidden ? "over preview forbidden" : "over preview"} aria-hidden="true">
			<g class="stone" transform={place(board, preview.cell, turned)}><PieceShape kind={kind} transform={fit(cell)} /></g>
			{forbidden ? <path d={CROSS} transform={place(board, preview.cell, turned)} /> : null}
			{preview.touched ? <PointName board={board} cell={preview.cell} turned={turned} /> : null}
		</g>
	);
}

/** Lines through the previewed point, below the stones. */
export function CrossHair({ board, cell, turned }: { board: Board; cell: number; turned: boolean }) {
	const { x, y } = middle(board, board.cells[cell]!, turned);
	const xs = board.cells.map((one) => one.x), ys = board.cells.map((one) => one.y);
	return <path class="under cross-hair" aria-hidden="true" d={`M${Math.min(...xs)} ${y}H${Math.max(...xs)}M${x} ${Math.min(...ys)}V${Math.max(...ys)}`} />;
}

/** Readable on a phone whatever the size of the board, and above the finger if there is room. */
function PointName({ board, cell, turned }: { board: Board; cell: number; turned: boolean }) {
	const size = board.width / 19;
	const { x, y } = middle(board, board.cells[cell]!, turned);
	const high = y > 3.5 * size ? y - 2.4 * size : y + 2.4 * size;
	const across = Math.min(Math.max(x, 1.6 * size), board.width - 1.6 * size);
	return (
		<g class="point-name" transform={`translate(${across} ${high})`}>
			<rect x={-1.5 * size} y={-0.8 * size} width={3 * size} height={1.6 * size} rx={0.5 * size} />
			<text style={{ fontSize: size }} dy="0.35em">{board.cells[cell]?.name}</text>
		</g>
	);
}

/** For fingers, below the board: it stays while the computer moves, so that nothing jumps. */
export function PlaceBar({ board, preview, on, onPlace }: { board: Board; preview: Preview | null; on: boolean; onPlace(cell: number): void }) {
	const cell = preview?.touched ? preview.cell : null;
	return (
		<div class="place-bar">
			<span>{cell !== null ? capital(pointText(board.cells[cell]?.name ?? "?")) : on ? t("board.tapTwice") : ""}</span>
			<button type="button" class="primary" disabled={cell === null} onClick={() => cell !== null && onPlace(cell)}>{t("board.place")}</button>
		</div>
	);
}
