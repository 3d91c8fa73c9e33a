// actions.ts - sends moves and actions of a play; errors are shown, not thrown.
// SPDX-License-Identifier: MIT
import { sentence } from "../api";
import { t } from "../messages";
import type { Action, PlayMessage } from "../types";
import { sendAgain } from "../reconnect";
import { toast } from "../ui/toast";
import { hostOf } from "./host";
import { play as sound } from "./sounds";

const SAVING_MS = 1000; // after which a move that is still being sent has a message
const STAYS_MS = 1e9; // until it is closed

export interface PlayActions {
	move(move: string): Promise<boolean>;
	act(action: Action): Promise<boolean>;
}

/** "Qh9 isn't a legal move here." The engine may say why: "Ke2: the king would be in check". */
function refusal(text: string): string {
	const [, move, why] = /^move '(.+?)': (.*)$/.exec(text) ?? [];
	return !move ? text : why === "not a legal move here" ? t("play.notLegal", { move }) : `${move}: ${why}`;
}

/** Shows that a move is being sent, if that takes long. Returns a function that ends it. */
function saving(): () => void {
	let close = () => {};
	const timer = setTimeout(() => (close = toast(t("play.saving"), false, STAYS_MS)), SAVING_MS);
	return () => {
		clearTimeout(timer);
		close();
	};
}

/** receive: handles the response of the server. ply: the number of moves so far. */
export function playActions(id: string, receive: (message: PlayMessage) => void, ply?: () => number): PlayActions {
	const host = hostOf(id);
	const send = async (request: Promise<PlayMessage>, isMove = false) => {
		try {
			receive(await request);
			return true;
		} catch (error) {
			const text = sentence(error);
			toast(isMove && /^This could not be stored/.test(text) ? t("play.notStored") : refusal(text), true);
			return false;
		}
	};
	return {
		move: async (move) => {
			const request = ply ? { move, ply: ply() } : { move };
			const saved = saving();
			const done = await send(ply ? sendAgain(() => host.move(id, request)) : host.move(id, request), true);
			saved();
			if (!done)
				sound("refused");
			return done;
		},
		act: (action) => send(host.act(id, action)),
	};
}
