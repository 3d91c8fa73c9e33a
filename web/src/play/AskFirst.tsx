// AskFirst.tsx - a question before a draw is offered or the game is given up.
// SPDX-License-Identifier: MIT
import { useEffect, useRef } from "preact/hooks";
import { t } from "../messages";

/** A question below the buttons. It covers neither the board nor the clocks. */
export function AskFirst({ title, yes, kind, onClose, onYes }: { title: string; yes: string; kind: string; onClose(): void; onYes(): void }) {
	const first = useRef<HTMLButtonElement>(null);
	useEffect(() => {
		const before = document.activeElement;
		first.current?.focus();
		return () => before instanceof HTMLElement && before.focus();
	}, []);
	return (
		<div class="ask-first" role="group" aria-label={title} onKeyDown={(event) => {
			if (event.key !== "Escape")
				return;
			event.preventDefault();
			onClose();
		}}>
			<p>{title}</p>
			<div class="row">
				<button type="button" class={kind} ref={first} onClick={() => {
					onYes();
					onClose();
				}}>{yes}</button>
				<button type="button" onClick={onClose}>{t("play.resignNo")}</button>
			</div>
		</div>
	);
}
