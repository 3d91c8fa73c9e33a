// actions.ts - what one can ask of a play; failures are shown, not thrown.
// SPDX-License-Identifier: MIT
import { post } from "../api";
import type { Action, PlayMessage } from "../types";
import { toastError } from "../ui/toast";

export interface Ask {
	move(move: string): Promise<boolean>;
	act(action: Action): Promise<boolean>;
}

/** hear takes what the server answers. */
export function askOf(id: string, hear: (message: PlayMessage) => void): Ask {
	const path = `/api/v1/plays/${encodeURIComponent(id)}`;
	const send = async (to: string, body: unknown) => {
		try {
			const answer = await post<PlayMessage | null>(`${path}/${to}`, body);
			if (answer && "type" in answer)
				hear(answer);
			return true;
		} catch (error) {
			toastError(error);
			return false;
		}
	};
	return {
		move: (move) => send("moves", { move }),
		act: (action) => send("actions", action),
	};
}
