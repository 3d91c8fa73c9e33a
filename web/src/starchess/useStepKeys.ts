// useStepKeys.ts - keys that step through the commands of a game.
// SPDX-License-Identifier: MIT
import { useEffect, useRef } from "preact/hooks";
import { isShortcut } from "../ui/keys";

/** As on other boards. */
export function useStepKeys(at: number, end: number, onPly: (ply: number | null) => void): void {
	const latest = useRef({ at, end, onPly });
	latest.current = { at, end, onPly };
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			const target = event.target as Element | null;
			if (!isShortcut(event))
				return;
			const way = { ",": -1, ".": 1, ...(target?.closest("[role=grid], [role=slider]") ? {} : { ArrowLeft: -1, ArrowRight: 1 }) }[event.key];
			if (!way)
				return;
			event.preventDefault();
			const { at: now, end: last, onPly: go } = latest.current;
			const next = Math.min(last, Math.max(0, now + way));
			go(next === last ? null : next);
		};
		document.addEventListener("keydown", press);
		return () => document.removeEventListener("keydown", press);
	}, []);
}
