// toast.tsx - short messages at the top of the page, where neither a board nor its buttons are: one at a time.
// SPDX-License-Identifier: MIT
import { useEffect, useRef } from "preact/hooks";
import { sentence } from "../api";
import { t } from "../messages";
import { createStore, useStore } from "../store/store";
import { Icon } from "./icons";

interface Toast {
	id: number;
	text: string;
	bad: boolean;
}

const now = createStore<Toast | null>(null);
let count = 0;

/** A newer message replaces an older one. Returns a function that closes it. */
export function toast(text: string, bad = false, ms = bad ? 6000 : 3500): () => void {
	const id = ++count;
	const close = () => void (now.get()?.id === id && now.set(null));
	now.set({ id, text, bad });
	window.setTimeout(close, ms);
	return close;
}

/** For catch(): shows the error. */
export function toastError(error: unknown): void {
	toast(sentence(error), true);
}

export function Toasts() {
	const one = useStore(now), place = useRef<HTMLDivElement>(null);
	/* What is shown last is on top, also of a dialog. */
	useEffect(() => {
		if (one) {
			place.current?.hidePopover?.();
			place.current?.showPopover?.();
		}
	}, [one]);
	return (
		<div class="toasts" role="status" popover="manual" ref={place}>
			{one ? (
				<p key={one.id} class={one.bad ? "toast bad" : "toast"}>
					<span>{one.text}</span>
					<button type="button" class="icon" aria-label={t("ui.dismiss")} title={t("ui.dismiss")} onClick={() => now.set(null)}><Icon name="close" /></button>
				</p>
			) : null}
		</div>
	);
}
