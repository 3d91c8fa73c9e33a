// keys.ts - keyboard shortcuts of a page.
// SPDX-License-Identifier: MIT
import { useEffect, useRef } from "preact/hooks";

/** Whether a key may be a shortcut: not while you type, nor in a dialog, nor with a modifier. */
export function isShortcut(event: KeyboardEvent): boolean {
	const target = event.target as Element | null;
	return !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented &&
		!target?.closest("input, select, textarea, dialog");
}

const FOCUS_KEY = /^(Tab|Enter| |Home|End|PageUp|PageDown|Arrow\w+)$/; // moves the focus, or acts on what has it

/** Whether the mouse or a finger was used last, not a key for the focus: then boards hide the focus, whatever other key is pressed. */
export function isPointing(): boolean {
	return document.documentElement.classList.contains("pointing");
}

export function watchPointing(): void {
	const note = (pointing: boolean) => document.documentElement.classList.toggle("pointing", pointing);
	document.addEventListener("pointerdown", () => note(true), true);
	document.addEventListener("keydown", (event) => FOCUS_KEY.test(event.key) && note(false), true);
}

/** Single keys, as long as the component is shown. */
export function useKeys(keys: Record<string, () => void>): void {
	const latest = useRef(keys);
	latest.current = keys;
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			const run = latest.current[event.key];
			if (!run || !isShortcut(event))
				return;
			event.preventDefault();
			run();
		};
		document.addEventListener("keydown", press);
		return () => document.removeEventListener("keydown", press);
	}, []);
}
