// PieceLayer.tsx - the pieces, animated from their old to their new cells.
// SPDX-License-Identifier: MIT
import { useLayoutEffect, useRef } from "preact/hooks";
import { animationsOn } from "../store/settings";
import type { Board, Standing, View } from "../types";
import { PieceGroup } from "./drawing";
import { middle, topOf, type Point } from "./geometry";
import { motionOf, still, type Motion } from "./motion";

const JUMP_MS = 430; // less than the pause before the next chance move

interface LayerProps {
	board: Board;
	view: Pick<View, "standing" | "last">;
	turned: boolean;
	used?: Set<number>; // cells whose piece is dimmed: dice that are used
	lifted: number | null; // the cell of the dragged piece, which is drawn on top
	/** Set after a drag: the piece is already there, so the next change is not animated. */
	dropped: { current: boolean };
}

interface Past {
	board: Board;
	standing: Standing[];
	motion: Motion;
}

export function PieceLayer({ board, view, turned, used, lifted, dropped }: LayerProps) {
	const layer = useRef<SVGGElement>(null);
	const past = useRef<Past | null>(null);
	const before = past.current?.standing ?? [];
	const motion = nextMotion(past, board, view, dropped);
	useLayoutEffect(() => {
		const { seat, move = "", touches = [] } = view.last ?? {};
		for (const { from, to } of motion.slides)
			if (seat === 0 && !move.startsWith("roll") && touches[0] === from && touches[1] === to)
				jump(layer.current, spot(before, from), spot(view.standing, to), to);
			else
				slide(layer.current, [spot(before, from), ...between(touches, from, to).map((cell) => spot(view.standing, cell)), spot(view.standing, to)], to);
		for (const to of motion.comes)
			if (board.cells[to]?.tone === "hole")
				fall(layer.current, board, to, turned);
	}, [motion]);
	function spot(standing: Standing[], cell: number): Point | null {
		const at = board.cells[cell];
		return at ? topOf(board, at, standing.find((one) => one[0] === cell)?.[2] ?? 1, turned) : null;
	}
	const moving = new Set(motion.slides.map(({ to }) => to));
	const height = (cell: number) => (cell === lifted ? 2 : moving.has(cell) ? 1 : 0);
	const order = [...view.standing].sort((a, b) => height(a[0]) - height(b[0]));
	return (
		<g class="pieces" ref={layer} aria-hidden="true">
			{motion.goes.map(([cell, piece, count]) => (
				<PieceGroup key={`gone ${cell} ${piece}`} board={board} cell={cell} piece={piece} count={count}
					turned={turned} motion="goes" />
			))}
			{order.map(([cell, piece, count]) => (
				<PieceGroup key={`${cell} ${piece}`} board={board} cell={cell} piece={piece} count={count}
					turned={turned} motion={used?.has(cell) ? "used" : motion.comes.has(cell) ? "comes" : motion.turns.has(cell) ? "turns" : undefined} />
			))}
		</g>
	);
}

/** The motion since the last change; the same object while nothing changes. */
function nextMotion(past: { current: Past | null }, board: Board, view: LayerProps["view"],
	dropped: { current: boolean }): Motion {
	const before = past.current;
	if (before && before.board === board && String(before.standing) === String(view.standing))
		return before.motion;
	let motion = still;
	if (before && before.board === board && animationsOn()) {
		motion = motionOf(before.standing, view.standing, view.last?.touches ?? []);
		if (dropped.current)
			motion = { ...motion, slides: [] };
	}
	dropped.current = false;
	past.current = { board, standing: view.standing, motion };
	return motion;
}

function mover(layer: SVGGElement | null, cell: number): Element | null {
	return layer?.querySelector(`.piece:not(.goes) > [data-at="${cell}"]`) ?? null;
}

/** The cells of the last move where the piece landed on its way. */
function between(touches: number[], from: number, to: number): number[] {
	const start = touches.indexOf(from), end = touches.lastIndexOf(to);
	return start >= 0 && end === touches.length - 1 ? touches.slice(start + 1, end) : [];
}

function slide(layer: SVGGElement | null, way: (Point | null)[], to: number): void {
	const points = way.filter((point) => point !== null), [start] = points, end = points[points.length - 1];
	if (!start || !end || points.length < 2)
		return;
	const far = Math.hypot(start.x - end.x, start.y - end.y), legs = points.length - 1;
	mover(layer, to)?.animate(
		points.map(({ x, y }) => ({ transform: `translate(${x - end.x}px, ${y - end.y}px)`, easing: "cubic-bezier(.3,.1,.2,1)" })),
		{ duration: legs > 1 ? 260 * legs : Math.min(420, 170 + far / 3) });
}

/** A piece that chance moves vanishes in a whirl and comes out of another one. */
function jump(layer: SVGGElement | null, start: Point | null, end: Point | null, to: number): void {
	if (!start || !end)
		return;
	const at = (here: boolean, size: number, turn: number) => here
		? `translate(0px, 0px) scale(${size}) rotate(${turn}deg)`
		: `translate(${start.x - end.x}px, ${start.y - end.y}px) scale(${size}) rotate(${turn}deg)`;
	mover(layer, to)?.animate([
		{ transform: at(false, 1, 0), opacity: 1, easing: "ease-in" },
		{ transform: at(false, 0.1, 360), opacity: 0.4, offset: 0.45 },
		{ transform: at(true, 0.1, -360), opacity: 0.4, offset: 0.451, easing: "ease-out" },
		{ transform: at(true, 1, 0), opacity: 1 },
	], { duration: JUMP_MS });
}

/** Drops a piece into a rack from above. */
function fall(layer: SVGGElement | null, board: Board, to: number, turned: boolean): void {
	const cell = board.cells[to];
	if (!cell)
		return;
	const { y } = middle(board, cell, turned), high = y - (board.top ?? 0) / 2;
	mover(layer, to)?.animate([
		{ transform: `translate(0, ${-high}px)`, easing: "cubic-bezier(.5,0,.9,.6)" },
		{ transform: "none", offset: 0.7, easing: "ease-out" },
		{ transform: `translate(0, ${-high / 16}px)`, offset: 0.85, easing: "ease-in" },
		{ transform: "none" },
	], { duration: 260 + y / 1.5 });
}
