// tabs.tsx - panels of which one is shown, so that they are not longer than the board beside them.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface Tab {
	name: string;
	panel: ComponentChildren;
}

/** id: of the whole, for the ids of its parts. first: the name of the tab that is shown first. onShow: another one is shown. */
export function Tabs({ id, label, tabs, first, onShow }: { id: string; label: string; tabs: Tab[]; first?: string; onShow?(name: string): void }) {
	const [shown, setShown] = useState(first);
	const at = Math.max(0, tabs.findIndex(({ name }) => name === shown));
	const show = (next: number) => {
		const name = tabs[next]?.name ?? "";
		setShown(name);
		onShow?.(name);
	};
	/* Only the tab that is shown can be reached with Tab; arrow keys lead to the others. */
	const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
		const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
		if (next === undefined)
			return;
		const place = (next + tabs.length) % tabs.length;
		event.preventDefault();
		show(place);
		event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[place]?.focus();
	};
	return (
		<div class="tabs">
			<div role="tablist" aria-label={label} onKeyDown={onKeyDown}>
				{tabs.map(({ name }, i) => (
					<button key={name} type="button" role="tab" id={`${id}-tab-${i}`} aria-selected={i === at} tabIndex={i === at ? 0 : -1}
						{...(i === at ? { "aria-controls": `${id}-panel` } : {})} onClick={() => show(i)}>{name}</button>
				))}
			</div>
			<div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${at}`}>{tabs[at]?.panel}</div>
		</div>
	);
}
