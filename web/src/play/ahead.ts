// ahead.ts - shows a move that the server has not taken yet, and the answer of a computer that thinks in this browser.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { fetchPosition } from "../pages/parts";
import type { Play } from "../types";

export const AHEAD_MS = 500; // of waiting for the server, until the move is shown without it

export interface Ahead {
	play: Play | null; // with the moves that are shown ahead
	/** Adds a move; nothing happens if it is not legal or cannot be shown. */
	show(move: string): void;
	/** Only what the server has taken. */
	clear(): void;
}

/** Whether the moves of a play are ahead of the server. Half turns, so that no request mistakes them for those of the server. */
export function isAhead({ turn }: Pick<Play, "turn">): boolean {
	return !Number.isInteger(turn);
}

/** The next message about the play replaces what is shown. Dice and clocks are the server's. */
export function useAhead(play: Play | null): Ahead {
	const [ahead, setAhead] = useState<{ play: Play; base: Play } | null>(null);
	const shown = play && ahead?.base.id === play.id && ahead.base.version === play.version ? ahead.play : play;
	const show = (move: string) => {
		if (!play || !shown || play.dice || play.clocks || shown.view.over)
			return;
		fetchPosition(shown.game, shown.start, [...shown.line.map((one) => one.move), move]).then((view) => {
			const { move: text, short } = view.last ?? { move };
			const thinking = !view.over && shown.seats.some(({ seat, kind }) => seat === view.seat && kind === "computer");
			const line = [...shown.line, { move: text, ...(short ? { short } : {}), seat: shown.view.seat, seconds: null }];
			setAhead({ base: play, play: { ...shown, view, line, thinking, turn: play.turn + line.length - play.line.length - 0.5 } });
		}, () => {}); // the server refuses it, too
	};
	return { play: shown, show, clear: () => setAhead(null) };
}
