// drawing.tsx - the static parts of a board as SVG: background, cells, lines, labels, and a piece in its cell.
// SPDX-License-Identifier: MIT
import { useEffect } from "preact/hooks";
import { boardShown } from "../engine/core";
import { animationsOn } from "../store/settings";
import type { Board, Piece, View } from "../types";
import { fit, inset, inStack, middle, outline, pointOn, spread, stackOf } from "./geometry";
import { meaningOf } from "./marks";
import { isRack } from "./treats";

type Seen = Pick<View, "marks" | "last" | "standing"> & { over?: boolean };

interface GroundProps {
	board: Board;
	view: Seen;
	turned: boolean;
	coordinates: boolean;
}

/** Everything below the pieces, for pictures. The interactive board draws its own cells. */
export function Ground({ board, view, turned, coordinates }: GroundProps) {
	return (
		<>
			<Back board={board} />
			{board.cells.map((cell, i) => (
				<path key={i} class={cellClass(board, view, i)} d={cell.shape === "point" ? inset(cell, 0) : outline(cell, turned)} transform={place(board, i, turned)} />
			))}
			<Lines board={board} turned={turned} />
			{coordinates ? <Labels board={board} turned={turned} /> : null}
		</>
	);
}

export function cellClass(board: Board, view: Seen, i: number): string {
	const cell = board.cells[i];
	const last = view.last?.touches.includes(i) ? " last" : "";
	const mark = view.marks.includes(i) ? ` mark mark-${meaningOf(board, view, i)}` : "";
	const owner = cell?.owner ? ` owner-${cell.owner}` : "";
	return `cell shape-${cell?.shape} tone-${cell?.tone}${owner}${last}${mark}`;
}

export function place(board: Board, i: number, turned: boolean): string {
	const cell = board.cells[i];
	if (!cell)
		return "";
	const { x, y } = middle(board, cell, turned);
	return `translate(${x} ${y})`;
}

export function Back({ board }: { board: Board }) {
	useEffect(boardShown, []);
	const top = board.top ?? 0;
	return (
		<>
			<rect class={`ground tone-${isRack(board) ? "hole" : board.ground}`} y={top} width={board.width} height={board.height - top} rx="14" />
			<Paths paths={board.under} />
		</>
	);
}

function Paths({ paths = [] }: { paths: Board["under"] }) {
	return <>{paths.map(([style, path], i) => <path key={i} class={`under ${style}`} d={path} />)}</>;
}

/** The front of a rack, with its holes: discs fall behind it. */
export function Front({ board }: { board: Board }) {
	if (!isRack(board))
		return null;
	const { width, height, top = 0 } = board, r = 14;
	const holes = board.cells.map(({ x, y, width: wide }) => `M${x - wide / 2} ${y}a${wide / 2} ${wide / 2} 0 1 0 ${wide} 0a${wide / 2} ${wide / 2} 0 1 0 ${-wide} 0Z`).join("");
	return (
		<path class="under front tone-frame" fill-rule="evenodd" d={`M0 ${top + r}a${r} ${r} 0 0 1 ${r} ${-r}H${width - r}a${r} ${r} 0 0 1 ${r} ${r}V${height - r}
			a${r} ${r} 0 0 1 ${-r} ${r}H${r}a${r} ${r} 0 0 1 ${-r} ${-r}Z${holes}`} />
	);
}

/** The pictures of empty cells, in looks that have them. While chance moves their colours change, as on the screen of 1983. */
export function CellPictures({ board, view, turned }: { board: Board; view: Pick<View, "standing" | "marks">; turned: boolean }) {
	if (!board.cells.some(({ picture }) => picture))
		return null;
	const occupied = new Set(view.standing.map(([cell]) => cell));
	return (
		<g class={view.marks.length && animationsOn() ? "pictures sweeps" : "pictures"} aria-hidden="true">
			{board.cells.map(({ picture }, i) => (picture && !occupied.has(i)
				? <path key={i} d={picture} transform={place(board, i, turned)} /> : null))}
		</g>
	);
}

export function Lines({ board, turned }: { board: Board; turned: boolean }) {
	const half = turned ? `rotate(180 ${board.width / 2} ${board.height / 2})` : undefined;
	return (
		<g class={`under ground-${board.ground}`} aria-hidden="true">
			<g class="lines" transform={half}>
				{board.lines.map(([x1, y1, x2, y2], i) => (x1 === x2 && y1 === y2
					? <circle key={i} cx={x1} cy={y1} r="7" />
					: <path key={i} d={`M${x1} ${y1}L${x2} ${y2}`} />))}
			</g>
			<Paths paths={board.above} />
		</g>
	);
}

/** The coordinates, also those in the corners of cells: a mark of the cell must not cover them. */
export function Labels({ board, turned }: { board: Board; turned: boolean }) {
	return (
		<g class={`under ground-${board.ground}`} aria-hidden="true">
			{board.labels.map((label, i) => {
				const { x, y } = pointOn(board, label, turned);
				return (
					<text key={i} class={onCell(board, label.x, label.y)} style={board.label_size ? { fontSize: board.label_size } : undefined}
						x={x} y={y} dy="0.35em">{label.text}</text>
				);
			})}
		</g>
	);
}

const CUBE_SIZES = [0, 60, 54, 40]; // by the number of digits
const LETTER = 14; // approximate width of a letter

/** A prompt at the lower edge of the board. */
export function Prompt({ board, text }: { board: Board; text: string }) {
	const width = text.length * LETTER + 40;
	return (
		<g class="prompt" aria-hidden="true" transform={`translate(${board.width / 2} ${board.height - 32})`}>
			<rect x={-width / 2} y="-24" width={width} height="48" rx="24" />
			<text dy="0.35em">{text}</text>
		</g>
	);
}

/** A label on a cell uses the colours of the cell, others those of the background. */
function onCell(board: Board, x: number, y: number): string {
	const cell = board.cells.find((one) => !one.tilt && Math.abs(one.x - x) < one.width / 2 && Math.abs(one.y - y) < one.height / 2);
	return cell ? `on-${cell.tone}` : "on-ground";
}

/** A piece in a box of 100 units around its centre. The number on a doubling cube is text. */
export function PieceShape({ kind, transform }: { kind: Piece; transform?: string }) {
	const cube = /^cube (\d+)$/.exec(kind.name)?.[1];
	return (
		<g class={`paint-${kind.paint}${kind.seat === null ? " neutral" : ""}${kind.set ? ` set-${kind.set}` : ""}`} transform={transform}>
			<path class="body" d={kind.body} />
			{kind.set === "shaded" ? <path class="shade" d={kind.body} fill="url(#piece-shade)" /> : null}
			{cube ? <text class="cube-value" style={{ fontSize: CUBE_SIZES[cube.length] ?? 30 }} dy="0.36em">{cube}</text>
				: kind.detail ? <path class="detail" d={kind.detail} /> : null}
		</g>
	);
}

interface PieceProps {
	board: Board;
	cell: number;
	piece: number;
	count: number;
	turned: boolean;
	motion?: string | undefined; // a CSS class: how it appears or disappears
}

/** The last piece of a stack is the one that moves. */
export function PieceGroup({ board, cell, piece, count, turned, motion }: PieceProps) {
	const kind = board.pieces[piece], at = board.cells[cell];
	if (!kind || !at)
		return null;
	const many = !at.stack && count > 1 ? spread(count) : null;
	if (many) {
		const shape = ({ x, y }: { x: number; y: number }, i: number) =>
			<PieceShape key={i} kind={kind} transform={`${fit(at)} translate(${x} ${y}) scale(${many.size})`} />;
		return (
			<g class={motion ? `piece ${motion}` : "piece"} transform={place(board, cell, turned)}>
				{many.places.slice(0, -1).map(shape)}
				<g class="mover" data-at={cell}>{many.places.slice(-1).map(shape)}</g>
			</g>
		);
	}
	const places = stackOf(at, count, turned).map((distance) => inStack(at, distance)), top = places.pop() ?? { x: 0, y: 0 };
	return (
		<g class={motion ? `piece ${motion}` : "piece"} transform={place(board, cell, turned)}>
			{places.map(({ x, y }, i) => <PieceShape key={i} kind={kind} transform={`translate(${x} ${y}) ${fit(at)}`} />)}
			<g class="mover" data-at={cell}>
				<PieceShape kind={kind} transform={at.stack ? `translate(${top.x} ${top.y}) ${fit(at)}` : fit(at)} />
				{at.stack ? count > places.length + 1
					? <text class={`stacked on-${kind.paint}`} x={top.x} y={top.y} dy="0.35em">{count}</text> : null
					: count === 1 ? null : <Count count={count} size={Math.min(at.width, at.height)} />}
			</g>
		</g>
	);
}

/** The count of a cell once more, above what covers it; nothing if its pieces are all drawn. */
export function CountOn({ board, cell, count, turned }: Omit<PieceProps, "piece">) {
	const at = board.cells[cell];
	if (!at || at.stack || count < 2 || spread(count))
		return null;
	return <g transform={place(board, cell, turned)}><Count count={count} size={Math.min(at.width, at.height)} /></g>;
}

function Count({ count, size }: { count: number; size: number }) {
	const at = size * 0.3;
	return (
		<g class="count" transform={`translate(${at} ${at})`}>
			<circle r="17" />
			<text dy="0.35em">{count}</text>
		</g>
	);
}
