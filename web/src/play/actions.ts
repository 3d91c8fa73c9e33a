// actions.ts - sends moves and actions of a play; errors are shown, not thrown.
// SPDX-License-Identifier: MIT
import { sentence } from "../api";
import { t } from "../messages";
import type { Action, PlayMessage } from "../types";
import { sendAgain } from "../reconnect";
import { toast } from "../ui/toast";
import { hostOf } from "./host";
import { play as sound } from "./sounds";

export interface PlayActions {
	move(move: string): Promise<boolean>;
	act(action: Action): Promise<boolean>;
}

/** "Qh9 isn't a legal move here." The engine may say why: "Ke2: the king would be in check". */
function refusal(text: string): string {
	const [, move, why] = /^move '(.+?)': (.*)$/.exec(text) ?? [];
	return !move ? text : why === "not a legal move here" ? t("play.notLegal", { move }) : `${move}: ${why}`;
}

/** receive: handles the response of the server. ply: the number of moves so far. */
export function playActions(id: string, receive: (message: PlayMessage) => void, ply?: () => number): PlayActions {
	const host = hostOf(id);
	const send = async (request: Promise<PlayMessage>) => {
		try {
			receive(await request);
			return true;
		} catch (error) {
			toast(refusal(sentence(error)), true);
			return false;
		}
	};
	return {
		move: async (move) => {
			const request = ply ? { move, ply: ply() } : { move };
			const done = await send(ply ? sendAgain(() => host.move(id, request)) : host.move(id, request));
			if (!done)
				sound("refused");
			return done;
		},
		act: (action) => send(host.act(id, action)),
	};
}
