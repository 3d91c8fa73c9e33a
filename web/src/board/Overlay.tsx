// Overlay.tsx - what is drawn over the pieces: dots for legal moves, focus, arrows and values.
// SPDX-License-Identifier: MIT
import type { Board, Standing } from "../types";
import { CountOn, place } from "./drawing";
import { plane, topOf, type Point } from "./geometry";
import { Ring } from "./Rings";
import type { Arrow, Badge } from "./props";

interface OverlayProps {
	board: Board;
	standing: Standing[];
	mover: number; // the pieces of this seat are not captured; 0: of none
	paired: boolean; // arrows are pairs of cells
	targets: Set<number>;
	focus: number;
	turned: boolean;
	arrows: Arrow[];
	badges: Map<number, Badge>; // by cell
}

export function Overlay({ board, standing, mover, paired, targets, focus, turned, arrows, badges }: OverlayProps) {
	const ring = board.cells[focus];
	const lines = paired ? arrows.flatMap(pairs) : arrows;
	return (
		<g class="over" aria-hidden="true">
			{[...targets].map((cell) => (
				<Target key={cell} board={board} cell={cell} there={standing.find(([at]) => at === cell)} mover={mover} turned={turned} />
			))}
			{[...lines].reverse().map((arrow, i) => (
				<ArrowPath key={i} board={board} arrow={arrow} standing={standing} turned={turned} />
			))}
			{[...badges].map(([cell, badge]) => (
				<BadgeOn key={cell} board={board} cell={cell} badge={badge} isAside={standing.some(([at]) => at === cell)} turned={turned} />
			))}
			{ring ? <g class="focus-ring"><Ring board={board} cell={focus} kind="focus" turned={turned} /></g> : null}
		</g>
	);
}

const LETTER = 12; // approximate width of a letter of a small badge

/** The value of a move: in the middle of an empty cell, in a corner of a cell with a piece, which stays visible. */
function BadgeOn({ board, cell, badge, isAside, turned }: { board: Board; cell: number; badge: Badge; isAside: boolean; turned: boolean }) {
	const at = board.cells[cell], width = isAside ? LETTER * badge.text.length + 16 : 68, height = isAside ? 26 : 34;
	if (!at)
		return null;
	const x = isAside ? (at.width - width) / 2 - 2 : 0, y = isAside ? (height - at.height) / 2 + 2 : 0;
	return (
		<g class={`badge ${badge.tone}${isAside ? " aside" : ""}`} transform={place(board, cell, turned)}>
			<rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={height / 2} />
			<text x={x} y={y} dy="0.35em">{badge.text}</text>
		</g>
	);
}

/** Each step of a move gets an arrow. */
function pairs({ touches, kind }: Arrow): Arrow[] {
	return Array.from({ length: Math.ceil(touches.length / 2) }, (_, i) => ({ touches: touches.slice(2 * i, 2 * i + 2), kind }));
}

interface TargetProps {
	board: Board;
	cell: number;
	there: Standing | undefined; // the pieces on the cell
	mover: number;
	turned: boolean;
}

/** A ring around a piece that would be captured, else a dot where the piece would stand. */
function Target({ board, cell, there, mover, turned }: TargetProps) {
	const at = board.cells[cell];
	if (!at)
		return null;
	const size = Math.min(at.width, at.height);
	const on = `on-${at.tone === "none" || at.shape === "point" ? board.ground : at.tone}`;
	const taken = there && (!mover || board.pieces[there[1]]?.seat !== mover);
	const { x, y } = topOf(board, at, taken ? there[2] : (there?.[2] ?? 0) + 1, turned);
	const transform = `translate(${x} ${y}) ${plane(at)}`;
	return taken
		? <g class={`target taken ${on}`} transform={transform}><circle class="dark" r={size * 0.44} /><circle class="light" r={size * 0.44} /></g>
		: <circle class={`target ${on}${there ? " own" : ""}`} r={size * (at.stack ? 0.17 : 0.12)} transform={transform} />;
}

function ArrowPath({ board, arrow, standing, turned }: { board: Board; arrow: Arrow; standing: Standing[]; turned: boolean }) {
	/* From the last piece of a stack to the place of the next one. */
	const points = arrow.touches.flatMap((i, at) => {
		const cell = board.cells[i], count = standing.find(([on]) => on === i)?.[2] ?? 0;
		return cell ? [topOf(board, cell, Math.max(1, at ? count + 1 : count), turned)] : [];
	});
	const [first] = points;
	if (!first)
		return null;
	if (points.length === 1)
		return (
			<>
				<g class={`arrow ring ${arrow.kind}`} transform={`translate(${first.x} ${first.y}) ${planeOf(board, arrow.touches[0])}`}>
					<circle class="edge" r="38" />
					<circle class="halo" r="38" />
					<circle class="shaft" r="38" />
				</g>
				{standing.filter(([cell]) => cell === arrow.touches[0]).map(([cell, , count]) => <CountOn key={cell} board={board} cell={cell} count={count} turned={turned} />)}
			</>
		);
	return (
		<g class={`arrow ${arrow.kind}`}>
			<path class="edge" d={shaft(points)} />
			<path class="head-edge" d={head(points)} />
			<path class="halo" d={shaft(points)} />
			<path class="head" d={head(points)} />
			<path class="shaft" d={shaft(points)} />
		</g>
	);
}

function planeOf(board: Board, cell = -1): string {
	const at = board.cells[cell];
	return at ? plane(at) : "";
}

function unit(from: Point, to: Point): Point {
	const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
	return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

/** Ends where the head begins. */
function shaft(points: Point[]): string {
	const end = points[points.length - 1]!, before = points[points.length - 2]!;
	const u = unit(before, end);
	const line = [...points.slice(0, -1), { x: end.x - 26 * u.x, y: end.y - 26 * u.y }];
	return line.map(({ x, y }, i) => `${i ? "L" : "M"}${x} ${y}`).join("");
}

function head(points: Point[]): string {
	const end = points[points.length - 1]!, u = unit(points[points.length - 2]!, end);
	const base = { x: end.x - 32 * u.x, y: end.y - 32 * u.y };
	return `M${end.x} ${end.y}L${base.x - 20 * u.y} ${base.y + 20 * u.x}L${base.x + 20 * u.y} ${base.y - 20 * u.x}Z`;
}
