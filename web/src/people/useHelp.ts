// useHelp.ts - a game against a computer in which you use hints or values does not count for your rating.
// SPDX-License-Identifier: MIT
import { useEffect } from "preact/hooks";
import type { PlayActions } from "../play/actions";
import { roleOf } from "../play/rights";
import type { Play } from "../types";

export function useHelp(on: boolean, play: Play, actions: PlayActions): void {
	const { alone, inProgress } = roleOf(play);
	const counts = on && alone && inProgress && play.seats.some(({ kind }) => kind === "computer");
	useEffect(() => {
		if (counts)
			void actions.act({ action: "help" });
	}, [counts, play.id]);
}
