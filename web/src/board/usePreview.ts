// usePreview.ts - the preview of a stone: a mouse shows it under the pointer; a finger chooses a point and taps it again to play.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../messages";
import type { Board } from "../types";
import { announce } from "../ui/announce";
import type { Point } from "./geometry";
import { nearestCell, pointText } from "./stones";

export interface Preview {
	cell: number;
	touched: boolean; // chosen by a finger: it waits for the second tap
}

const NEAR_CELLS = 1.6; // a finger this near to the preview moves it, and not the page

interface PreviewOptions {
	board: Board;
	turned: boolean;
	on: boolean; // a stone can be placed now
	position: string; // another one ends the preview
	isFree(cell: number): boolean;
	place(cell: number): void;
}

export function usePreview({ board, turned, on, position, isFree, place }: PreviewOptions) {
	const [chosen, setChosen] = useState<Preview | null>(null);
	const finger = useRef<{ adjusts: boolean; moved: boolean } | null>(null); // null: the pointer is no finger
	const preview = on && chosen && isFree(chosen.cell) ? chosen : null;
	useEffect(() => setChosen(null), [position, on]);

	function show(cell: number, touched: boolean): void {
		if (!isFree(cell))
			return touched ? undefined : setChosen(null);
		if (chosen?.cell === cell && chosen.touched === touched)
			return;
		setChosen({ cell, touched });
		if (touched)
			announce(t("board.tapAgain", { point: pointText(board.cells[cell]?.name ?? "?") }));
	}

	return {
		preview,
		handlers: {
			onPointerDown(event: PointerEvent) {
				if (event.pointerType !== "touch")
					return void (finger.current = null);
				const at = placeOf(event), near = preview?.touched ? board.cells[preview.cell] : undefined;
				const spot = near && board.cells[nearestCell(board, at, turned)];
				const adjusts = Boolean(near && spot && Math.hypot(near.x - spot.x, near.y - spot.y) < NEAR_CELLS * near.width);
				finger.current = { adjusts: adjusts && event.isPrimary, moved: false };
			},
			onPointerMove(event: PointerEvent) {
				if (!on || (event.pointerType === "touch" && !finger.current?.adjusts))
					return;
				const cell = nearestCell(board, placeOf(event), turned);
				if (finger.current && cell !== preview?.cell)
					finger.current.moved = true;
				show(cell, finger.current !== null);
			},
			onPointerLeave(event: PointerEvent) {
				if (event.pointerType !== "touch")
					setChosen(null);
			},
			/** A finger on the preview moves the preview, not the page. */
			onTouchMove(event: TouchEvent) {
				if (finger.current?.adjusts && event.cancelable)
					event.preventDefault();
			},
			onClick(event: MouseEvent) {
				const cell = nearestCell(board, placeOf(event), turned);
				const moved = finger.current?.moved ?? false;
				if (!on || moved)
					return;
				if (!finger.current || (preview?.touched && preview.cell === cell))
					return place(cell);
				show(cell, true);
			},
		},
	};
}

function placeOf(event: MouseEvent): Point {
	const svg = event.currentTarget as SVGSVGElement;
	const to = svg.getScreenCTM()?.inverse();
	return new DOMPoint(event.clientX, event.clientY).matrixTransform(to);
}
