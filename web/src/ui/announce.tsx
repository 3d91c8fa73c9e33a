// announce.tsx - what a screen reader hears: one polite live region for the whole page.
// SPDX-License-Identifier: MIT
import { createStore, useStore } from "../store/store";

const said = createStore({ text: "", turn: 0 });

/** Says a sentence aloud, also if it is the same as before. */
export function announce(text: string): void {
	said.set({ text, turn: said.get().turn + 1 });
}

export function Announcer() {
	const { text, turn } = useStore(said);
	/* Two regions in turn: a region whose text stays the same would keep silent. */
	return (
		<div class="unseen" id="announcer">
			<p aria-live="polite">{turn % 2 ? text : ""}</p>
			<p aria-live="polite">{turn % 2 ? "" : text}</p>
		</div>
	);
}
