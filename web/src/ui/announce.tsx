// announce.tsx - announcements for screen readers: one polite live region for the whole page.
// SPDX-License-Identifier: MIT
import { createStore, useStore } from "../store/store";

const announcement = createStore({ text: "", turn: 0 });

/** Announces a sentence, even if it is the same as before. */
export function announce(text: string): void {
	announcement.set({ text, turn: announcement.get().turn + 1 });
}

export function Announcer() {
	const { text, turn } = useStore(announcement);
	/* Alternates between two regions, because a region whose text does not change is not announced. */
	return (
		<div class="unseen" id="announcer">
			<p aria-live="polite">{turn % 2 ? text : ""}</p>
			<p aria-live="polite">{turn % 2 ? "" : text}</p>
		</div>
	);
}
