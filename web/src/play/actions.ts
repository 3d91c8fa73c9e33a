// actions.ts - sends moves and actions of a play; errors are shown, not thrown.
// SPDX-License-Identifier: MIT
import { post } from "../api";
import type { Action, PlayMessage } from "../types";
import { toastError } from "../ui/toast";
import { play as sound } from "./sounds";

export interface PlayActions {
	move(move: string): Promise<boolean>;
	act(action: Action): Promise<boolean>;
}

/** receive: handles the response of the server. */
export function playActions(id: string, receive: (message: PlayMessage) => void): PlayActions {
	const path = `/api/v1/plays/${encodeURIComponent(id)}`;
	const send = async (to: string, body: unknown) => {
		try {
			const answer = await post<PlayMessage | null>(`${path}/${to}`, body);
			if (answer && "type" in answer)
				receive(answer);
			return true;
		} catch (error) {
			toastError(error);
			return false;
		}
	};
	return {
		move: async (move) => {
			const done = await send("moves", { move });
			if (!done)
				sound("refused");
			return done;
		},
		act: (action) => send("actions", action),
	};
}
