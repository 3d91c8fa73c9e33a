// useSpin.ts - turning a board in space: by dragging, by buttons and by keys.
// SPDX-License-Identifier: MIT
import { useRef, useState } from "preact/hooks";
import { animationsOn } from "../store/settings";
import { FIRST_ANGLE } from "./space";

const STEP = 30; // degrees, of a button or key
const TURN_MS = 260;
const FAR_PX = 6;
const DEGREES_PER_PX = 0.5;

export function useSpin() {
	const [angle, setAngle] = useState(FIRST_ANGLE);
	const goal = useRef(FIRST_ANGLE);
	const drag = useRef<{ pointer: number; x: number; angle: number; on: boolean } | null>(null);
	const swallow = useRef(false);

	function turn(steps: number): void {
		const from = angle, begun = performance.now(), to = goal.current + steps * STEP;
		goal.current = to;
		if (!animationsOn())
			return setAngle(to);
		const step = (now: number) => {
			const share = Math.min(1, Math.max(0, (now - begun) / TURN_MS));
			if (goal.current !== to)
				return; // another turn has begun
			setAngle(from + (to - from) * share * (2 - share));
			if (share < 1)
				requestAnimationFrame(step);
		};
		requestAnimationFrame(step);
	}

	return {
		angle, turn,
		onPointerDown(event: PointerEvent): void {
			if (event.button === 0 && event.isPrimary)
				drag.current = { pointer: event.pointerId, x: event.clientX, angle, on: false };
		},
		onPointerMove(event: PointerEvent): void {
			const now = drag.current;
			if (!now || now.pointer !== event.pointerId || (!now.on && Math.abs(event.clientX - now.x) < FAR_PX))
				return;
			if (!now.on)
				(event.currentTarget as Element).setPointerCapture(event.pointerId);
			now.on = true;
			goal.current = now.angle + (now.x - event.clientX) * DEGREES_PER_PX;
			setAngle(goal.current);
		},
		onPointerUp(): void {
			swallow.current = drag.current?.on ?? false;
			drag.current = null;
			window.setTimeout(() => (swallow.current = false), 50);
		},
		onPointerCancel(): void {
			drag.current = null;
		},
		/** A finger that turns the board does not scroll the page. */
		onTouchMove(event: TouchEvent): void {
			if (drag.current?.on && event.cancelable)
				event.preventDefault();
		},
		swallowClick(): boolean {
			const was = swallow.current;
			swallow.current = false;
			return was;
		},
	};
}
