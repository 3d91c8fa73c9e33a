// useDrawing.ts - arrows and circles that you draw on a board: with the right mouse button, or with the key s. Nobody else sees them,
// and they last until the position changes, unless the caller keeps them.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../messages";
import type { Board } from "../types";
import { announce } from "../ui/announce";
import type { Arrow } from "./props";
import { cellAt } from "./useDrag";

/** Shift, Ctrl and Alt choose another colour: tokens.css has them, --drawn-1, ... */
function colourOf(event: MouseEvent | KeyboardEvent): number {
	return event.shiftKey ? 1 : event.ctrlKey || event.metaKey ? 2 : event.altKey ? 3 : 0;
}

export function useDrawing(board: Board, position: string, kept?: Arrow[], keep?: (drawn: Arrow[]) => void) {
	const [own, setOwn] = useState<Arrow[]>([]);
	const drawn = keep ? kept ?? [] : own, setDrawn = keep ?? setOwn;
	const from = useRef<number | null>(null); // where the drawing begins
	const name = (cell: number) => board.cells[cell]?.name ?? "?";
	useEffect(() => {
		setOwn([]);
		from.current = null;
	}, [position]);

	/** Draws a circle on one cell or an arrow between two; the same one once more removes it. */
	function draw(start: number, end: number, colour: number): void {
		const touches = start === end ? [start] : [start, end], kind: Arrow["kind"] = `drawn-${colour + 1}`;
		const there = drawn.find((one) => one.touches.join() === touches.join()), isRemoved = there?.kind === kind;
		setDrawn([...drawn.filter((one) => one !== there), ...(isRemoved ? [] : [{ touches, kind }])]);
		const values = { colour, shape: start === end ? "circle" : "arrow", from: name(start), to: name(end) };
		announce(isRemoved
			? t("board.drawingRemoved", values)
			: t("board.drawn", values));
	}

	return {
		drawn,
		/** Returns whether there was something to remove. */
		clear(): boolean {
			from.current = null;
			if (drawn.length)
				setDrawn([]);
			return drawn.length > 0;
		},
		/** The key on the cell with the focus, or a click with the pen: once for each end. */
		key(event: KeyboardEvent | MouseEvent, cell: number): void {
			if (from.current === null) {
				from.current = cell;
				return announce(t("board.drawingFrom", { cell: name(cell) }));
			}
			draw(from.current, cell, colourOf(event));
			from.current = null;
		},
		onPointerDown(event: PointerEvent): void {
			if (event.button === 2)
				from.current = event.pointerType !== "touch" ? cellAt(event.target) : null;
		},
		onPointerUp(event: PointerEvent): void {
			const end = cellAt(document.elementFromPoint(event.clientX, event.clientY));
			if (event.button === 2 && from.current !== null && end !== null)
				draw(from.current, end, colourOf(event));
			if (event.button === 2)
				from.current = null;
		},
		/** The menu of the browser would cover the board. A finger or a key may open it. */
		onContextMenu(event: MouseEvent): void {
			if ((event as PointerEvent).pointerType === "mouse" && event.button === 2)
				event.preventDefault();
		},
	};
}
