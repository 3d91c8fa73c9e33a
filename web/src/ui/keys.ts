// keys.ts - keyboard shortcuts of a page.
// SPDX-License-Identifier: MIT
import { useEffect, useRef } from "preact/hooks";

/** Whether a key may be a shortcut: not while you type, nor in a dialog, nor with a modifier. */
export function isShortcut(event: KeyboardEvent): boolean {
	const target = event.target as Element | null;
	return !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented &&
		!target?.closest("input, select, textarea, dialog");
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
