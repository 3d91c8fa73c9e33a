// heard.ts - what players have said in the play that is shown.
// SPDX-License-Identifier: MIT
import { createStore } from "../store/store";
import type { PhraseMessage } from "../types";

const MOST = 8;

export const heard = createStore<{ id: string; phrases: PhraseMessage[] }>({ id: "", phrases: [] });

/** A phrase that comes again, after a reconnection, is not new. */
export function hear(id: string, message: PhraseMessage): void {
	const before = heard.get(), phrases = before.id === id ? before.phrases : [];
	if (!phrases.some(({ number }) => number >= message.number))
		heard.set({ id, phrases: [...phrases, message].slice(-MOST) });
}
