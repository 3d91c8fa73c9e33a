// useDrag.ts - drag and drop of pieces by mouse, pen and finger.
// SPDX-License-Identifier: MIT
import { useRef } from "preact/hooks";

interface Drag {
	pointer: number;
	from: number;
	x: number;
	y: number;
	scale: number; // board units per pixel
	piece: SVGElement | null;
	on: boolean; // it has moved far enough to count as a drag
}

const FAR_PX = 6;

export interface DragHandlers {
	onPointerDown(event: PointerEvent): void;
	onPointerMove(event: PointerEvent): void;
	onPointerUp(event: PointerEvent): void;
	onPointerCancel(event: PointerEvent): void;
	/** A finger on a piece drags the piece, not the page. (touch-action has no effect inside SVG.) */
	onTouchMove(event: TouchEvent): void;
	/** True once after a drag: the click that follows it must be ignored. */
	swallowClick(): boolean;
}

export function cellAt(target: EventTarget | null): number | null {
	const cell = (target as Element | null)?.closest?.("[data-cell]")?.getAttribute("data-cell");
	return cell === null || cell === undefined ? null : Number(cell);
}

/** can(from): whether the piece can be dragged; begin(from): a drag starts; drop(from, to): returns true if a move was played; over(cell): what the piece is over. */
export function useDrag(can: (from: number) => boolean, begin: (from: number) => void,
	drop: (from: number, to: number | null) => boolean, over: (cell: number | null) => void = () => {}): DragHandlers {
	const drag = useRef<Drag | null>(null);
	const swallow = useRef(false);

	function finish(event: PointerEvent, to: number | null): void {
		const now = drag.current;
		drag.current = null;
		if (!now?.on || event.pointerId !== now.pointer)
			return;
		swallow.current = true;
		window.setTimeout(() => (swallow.current = false), 50);
		over(event.pointerType === "mouse" ? to : null);
		const played = drop(now.from, to === now.from ? null : to);
		now.piece?.classList.remove("dragged");
		if (now.piece && !played)
			now.piece.style.transform = "";
		else if (now.piece)
			/* It stays where it was dropped until the server confirms the move. */
			window.setTimeout(() => now.piece && (now.piece.style.transform = ""), 250);
	}

	return {
		onPointerDown(event) {
			const from = cellAt(event.target);
			if (from === null || event.button !== 0 || !event.isPrimary || !can(from))
				return;
			const svg = event.currentTarget as SVGSVGElement;
			const scale = 1 / (svg.getScreenCTM()?.a ?? 1);
			const piece = svg.querySelector<SVGElement>(`.piece:not(.goes) > [data-at="${from}"]`);
			drag.current = { pointer: event.pointerId, from, x: event.clientX, y: event.clientY, scale, piece, on: false };
		},
		onPointerMove(event) {
			const now = drag.current;
			if (!now || event.pointerId !== now.pointer)
				return;
			const dx = event.clientX - now.x, dy = event.clientY - now.y;
			if (!now.on && Math.hypot(dx, dy) < FAR_PX)
				return;
			if (!now.on) {
				now.on = true;
				(event.currentTarget as Element).setPointerCapture(event.pointerId);
				now.piece?.classList.add("dragged");
				begin(now.from);
			}
			if (now.piece)
				now.piece.style.transform = `translate(${dx * now.scale}px, ${dy * now.scale}px)`;
			over(cellAt(document.elementFromPoint(event.clientX, event.clientY))); // the event itself goes to the board, which has captured the pointer
		},
		onPointerUp(event) {
			finish(event, cellAt(document.elementFromPoint(event.clientX, event.clientY)));
		},
		onPointerCancel(event) {
			finish(event, null);
		},
		onTouchMove(event) {
			if (drag.current && event.cancelable)
				event.preventDefault();
		},
		swallowClick() {
			const was = swallow.current;
			swallow.current = false;
			return was;
		},
	};
}
