// toast.tsx - short messages in a corner of the page.
// SPDX-License-Identifier: MIT
import { createStore, useStore } from "../store/store";
import { sentence } from "../api";

interface Toast {
	id: number;
	text: string;
	bad: boolean;
}

const toasts = createStore<Toast[]>([]);
let count = 0;

export function toast(text: string, bad = false): void {
	const id = ++count;
	toasts.set([...toasts.get().slice(-2), { id, text, bad }]);
	window.setTimeout(() => toasts.set(toasts.get().filter((one) => one.id !== id)), bad ? 7000 : 3500);
}

/** For catch(): shows the error. */
export function toastError(error: unknown): void {
	toast(sentence(error), true);
}

export function Toasts() {
	return (
		<div class="toasts" role="status">
			{useStore(toasts).map((one) => (
				<p key={one.id} class={one.bad ? "toast bad" : "toast"}>{one.text}</p>
			))}
		</div>
	);
}
