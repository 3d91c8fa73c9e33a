// CountDialog.tsx - a dialog for the number of ships: stepper, slider, quick choices, and the consequences of the number.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { t } from "../messages";
import { Dialog } from "../ui/dialog";

export interface CountOrder {
	title: string;
	action: string; // label of the button
	most: number;
	initial: number;
	describe(count: number): string[]; // what the number means, one sentence each
	command(count: number): string;
}

interface CountProps {
	order: CountOrder;
	onOrder(command: string): void;
	onClose(): void;
}

function quickChoices(most: number): { text: string; count: number }[] {
	const all = [{ text: "1", count: 1 }, { text: "20", count: 20 }, { text: t("starchess.half"), count: Math.floor(most / 2) }];
	return [...all.filter(({ count }) => count >= 1 && count < most), { text: t("starchess.all"), count: most }];
}

export function CountDialog({ order, onOrder, onClose }: CountProps) {
	const [count, setCount] = useState(order.initial);
	const fits = Number.isInteger(count) && count >= 1 && count <= order.most;
	const step = (by: number) => setCount((now) => Math.min(order.most, Math.max(1, (Number.isInteger(now) ? now : 1) + by)));
	return (
		<Dialog title={order.title} onClose={onClose}>
			<form class="stack counting" onSubmit={(event) => {
				event.preventDefault();
				if (fits)
					onOrder(order.command(count));
			}}>
				<div class="row stepper">
					<input type="number" aria-label={t("starchess.howManyUpTo", { most: order.most })} required min={1} max={order.most} step={1}
						value={Number.isInteger(count) ? count : ""} onFocus={(event) => event.currentTarget.select()} onInput={(event) => setCount(event.currentTarget.valueAsNumber)} />
					<button type="button" class="icon" aria-label={t("starchess.oneFewer")} disabled={count <= 1} onClick={() => step(-1)}>−</button>
					<button type="button" class="icon" aria-label={t("starchess.oneMore")} disabled={count >= order.most} onClick={() => step(1)}>+</button>
					<span class="quiet">{t("starchess.ofMost", { most: order.most })}</span>
				</div>
				<input type="range" aria-label={t("starchess.howMany")} min={1} max={order.most} step={1} value={fits ? count : 1}
					onInput={(event) => setCount(event.currentTarget.valueAsNumber)} />
				<div class="row quick" role="group" aria-label={t("starchess.quickChoices")}>
					{quickChoices(order.most).map(({ text, count: many }) => (
						<button type="button" key={text} aria-pressed={count === many} onClick={() => setCount(many)}>{text}</button>
					))}
				</div>
				<div class="told" role="status">{fits && order.describe(count).map((text) => <p key={text} class="small">{text}</p>)}</div>
				<div class="row">
					<button type="submit" class="primary" disabled={!fits}>{order.action}</button>
					<button type="button" onClick={onClose}>{t("ui.cancel")}</button>
				</div>
			</form>
		</Dialog>
	);
}
