// pass.ts - plays a pass that is the only legal move, after a moment to see it.
// SPDX-License-Identifier: MIT
import { useEffect } from "preact/hooks";
import { sendAgain } from "../reconnect";
import { settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Play, PlayMessage } from "../types";
import { hostOf } from "./host";

const SEEN_MS = 900;

/** Whether the player to move can do nothing but pass. */
export function mustPass({ view }: Pick<Play, "view">): boolean {
	return view.seat !== 0 && view.moves.length === 1 && view.moves[0]?.move === "pass";
}

/** on: it is your turn. Passes at once if computers reply at once. */
export function useAutoPass(on: boolean, play: Play, receive: (message: PlayMessage) => void): void {
	const { autopass, instant } = useStore(settings);
	const due = on && autopass && mustPass(play);
	useEffect(() => {
		if (!due)
			return;
		/* Another tab may have passed already: then there is nothing to do. */
		const pass = () => hostOf(play.id).move(play.id, { move: "pass", ply: play.line.length });
		const timer = setTimeout(() => sendAgain(pass).then(receive, () => {}), instant ? 0 : SEEN_MS);
		return () => clearTimeout(timer);
	}, [due, play.id, play.version]);
}
