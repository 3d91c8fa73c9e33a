// dialog.tsx - a modal dialog: it traps the focus, closes on Escape and restores the focus.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../messages";
import { Icon } from "./icons";

interface DialogProps {
	title: string;
	onClose(): void;
	children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		const before = document.activeElement, isTouch = matchMedia("(pointer: coarse)").matches && !before?.matches(":focus-visible");
		dialog.current?.showModal();
		/* Focus the contents, not the close button. After a touch, a field would open the keyboard of the screen. */
		const first = isTouch ? "button" : ":is(button, input, select, textarea)";
		/* Contents that are loaded later get it when they are there. */
		const focus = () => {
			const field = dialog.current?.querySelector<HTMLElement>(`:scope > .inside > header ~ * ${first}`);
			field?.focus();
			if (field)
				later.disconnect();
		};
		const later = new MutationObserver(focus);
		later.observe(dialog.current!, { childList: true, subtree: true });
		focus();
		return () => {
			later.disconnect();
			if (before instanceof HTMLElement || before instanceof SVGElement)
				before.focus();
		};
	}, []);
	return (
		<dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}
			onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
			<div class="inside">
				<header>
					<h2 id="dialog-title">{title}</h2>
					<button type="button" class="icon" aria-label={t("ui.close")} onClick={() => dialog.current?.close()}>
						<Icon name="close" />
					</button>
				</header>
				{children}
			</div>
		</dialog>
	);
}
