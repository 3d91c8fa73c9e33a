// Tabs.tsx - panels of which one is shown, so that they are not longer than the map beside them.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface Tab {
	name: string;
	panel: ComponentChildren;
}

/** onChange: another panel is shown. */
export function Tabs({ label, tabs, onChange }: { label: string; tabs: Tab[]; onChange(): void }) {
	const [shown, setShown] = useState(0);
	const at = Math.min(shown, tabs.length - 1);
	const show = (next: number) => {
		setShown(next);
		onChange();
	};
	/* Only the tab that is shown can be reached with Tab; arrow keys lead to the others. */
	const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
		const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		if (!step)
			return;
		const next = (at + step + tabs.length) % tabs.length;
		event.preventDefault();
		show(next);
		event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
	};
	return (
		<div class="star-tabs">
			<div role="tablist" aria-label={label} onKeyDown={onKeyDown}>
				{tabs.map(({ name }, i) => (
					<button key={name} type="button" role="tab" id={`star-tab-${i}`} aria-selected={i === at} tabIndex={i === at ? 0 : -1}
						{...(i === at ? { "aria-controls": "star-panel" } : {})} onClick={() => show(i)}>{name}</button>
				))}
			</div>
			<div role="tabpanel" id="star-panel" aria-labelledby={`star-tab-${at}`}>{tabs[at]?.panel}</div>
		</div>
	);
}
