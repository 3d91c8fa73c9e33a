// Guide.tsx - what a reader sees who comes to the bench for the first time, and what its numbers mean.
// SPDX-License-Identifier: MIT
import { rich, t } from "../messages";
import { Icon } from "../ui/icons";
import type { Run } from "./Bench";
import { COUNTED } from "./Pane";
import { guideText } from "./textrows";

export function Guide({ runs, pane, event, onWatch }: { runs: Run[]; pane: number; event: number; onWatch(): void }) {
	return (
		<div class="lab-guide row">
			<p>{guideText(runs, pane, event)}</p>
			<button type="button" class="primary" onClick={onWatch}><Icon name="play" />{t("lab.watchFromStart")}</button>
		</div>
	);
}

export function Meanings() {
	return (
		<details class="lab-meanings">
			<summary>{t("lab.numbersMean")}</summary>
			<ul>
				{[...Object.values(COUNTED), { term: t("lab.window"), meaning: t("lab.windowMeaning") }].map(({ term, meaning }) =>
					<li key={term}>{rich("lab.term", { term: <strong>{term}</strong>, meaning })}</li>)}
			</ul>
		</details>
	);
}
