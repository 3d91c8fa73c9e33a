// Guide.tsx - what a reader sees who comes to the bench for the first time, and what its numbers mean.
// SPDX-License-Identifier: MIT
import { Icon } from "../ui/icons";
import type { Run } from "./Bench";
import { COUNTED } from "./Pane";
import { guideText } from "./textrows";

export function Guide({ runs, pane, event, onWatch }: { runs: Run[]; pane: number; event: number; onWatch(): void }) {
	return (
		<div class="lab-guide row">
			<p>{guideText(runs, pane, event)}</p>
			<button type="button" class="primary" onClick={onWatch}><Icon name="play" />Watch from the start</button>
		</div>
	);
}

export function Meanings() {
	return (
		<details class="lab-meanings">
			<summary>What do the numbers mean?</summary>
			<ul>
				{Object.values(COUNTED).map((text) => <li key={text}><strong>{text.slice(0, text.indexOf(":"))}</strong>{text.slice(text.indexOf(":"))}</li>)}
				<li><strong>Window</strong>: alpha … beta, the values that still matter. Alpha is what the side that searches has for certain elsewhere, beta what the
					opponent has. A value outside of the window changes nothing.</li>
			</ul>
		</details>
	);
}
