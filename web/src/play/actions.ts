// actions.ts - sends moves and actions of a play; errors are shown, not thrown.
// SPDX-License-Identifier: MIT
import type { Action, PlayMessage } from "../types";
import { toastError } from "../ui/toast";
import { hostOf } from "./host";
import { play as sound } from "./sounds";

export interface PlayActions {
	move(move: string): Promise<boolean>;
	act(action: Action): Promise<boolean>;
}

/** receive: handles the response of the server. */
export function playActions(id: string, receive: (message: PlayMessage) => void): PlayActions {
	const host = hostOf(id);
	const send = async (request: Promise<PlayMessage>) => {
		try {
			receive(await request);
			return true;
		} catch (error) {
			toastError(error);
			return false;
		}
	};
	return {
		move: async (move) => {
			const done = await send(host.move(id, { move }));
			if (!done)
				sound("refused");
			return done;
		},
		act: (action) => send(host.act(id, action)),
	};
}
