// useZen.ts - zen mode: only the board, the seats with their clocks and the status are visible (play.css).
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { t } from "../messages";
import { announce } from "../ui/announce";

export interface Zen {
	on: boolean;
	toggle(): void;
}

export function useZen(): Zen {
	const [on, setOn] = useState(false);
	useEffect(() => {
		if (!on)
			return;
		document.documentElement.classList.add("zen");
		announce(t("play.zen"));
		/* Escape first cancels what is half entered, whose handler comes before this one or prevents the default. */
		const leave = (event: KeyboardEvent) => event.key === "Escape" && !event.defaultPrevented && setOn(false);
		window.addEventListener("keydown", leave);
		return () => {
			document.documentElement.classList.remove("zen");
			window.removeEventListener("keydown", leave);
		};
	}, [on]);
	return { on, toggle: () => setOn((now) => !now) };
}
