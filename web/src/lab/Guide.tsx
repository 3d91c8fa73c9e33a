// Guide.tsx - what a reader sees who comes to the bench for the first time, and what its numbers mean.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { rich, t } from "../messages";
import { Icon } from "../ui/icons";
import type { Run } from "./Bench";
import { COUNTED } from "./Pane";
import { guideText, stepText, termsText } from "./textrows";

/** Above the picture: at first what it shows, then where the search is, and in the end what came out (end). */
export function Guide({ isNew, runs, pane, event, isPlaying, end, onWatch }: {
	isNew: boolean; runs: Run[]; pane: number; event: number; isPlaying: boolean; end: ComponentChildren; onWatch(): void;
}) {
	const terms = termsText(runs);
	return (
		<div class="lab-guide row">
			<div>
				{end ?? <p>{isNew ? guideText(runs, pane, event) : stepText(runs, pane, event)}</p>}
				{terms && <p class="small quiet">{terms}</p>}
			</div>
			{(isNew || end) && !isPlaying && <button type="button" class="primary" onClick={onWatch}><Icon name="play" />{end && !isNew ? t("lab.watchAgain") : t("lab.watchFromStart")}</button>}
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
