// CountDialog.tsx - how many ships: a window with a stepper, a slider, quick choices, and what that number would mean.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { Dialog } from "../ui/dialog";

export interface CountWish {
	title: string;
	action: string; // the word on the button
	most: number;
	preset: number;
	tell(count: number): string[]; // what it would mean
	order(count: number): string; // the command
}

interface CountProps {
	wish: CountWish;
	onOrder(command: string): void;
	onClose(): void;
}

function quickChoices(most: number): { text: string; count: number }[] {
	const all = [{ text: "1", count: 1 }, { text: "20", count: 20 }, { text: "Half", count: Math.floor(most / 2) }];
	return [...all.filter(({ count }) => count >= 1 && count < most), { text: "All", count: most }];
}

export function CountDialog({ wish, onOrder, onClose }: CountProps) {
	const [count, setCount] = useState(wish.preset);
	const fits = Number.isInteger(count) && count >= 1 && count <= wish.most;
	const step = (by: number) => setCount((now) => Math.min(wish.most, Math.max(1, (Number.isInteger(now) ? now : 1) + by)));
	return (
		<Dialog title={wish.title} onClose={onClose}>
			<form class="stack counting" onSubmit={(event) => {
				event.preventDefault();
				if (fits)
					onOrder(wish.order(count));
			}}>
				<div class="row stepper">
					<input type="number" aria-label={`How many ships, 1 to ${wish.most}`} required min={1} max={wish.most} step={1}
						value={Number.isInteger(count) ? count : ""} onFocus={(event) => event.currentTarget.select()} onInput={(event) => setCount(event.currentTarget.valueAsNumber)} />
					<button type="button" class="icon" aria-label="One fewer" disabled={count <= 1} onClick={() => step(-1)}>−</button>
					<button type="button" class="icon" aria-label="One more" disabled={count >= wish.most} onClick={() => step(1)}>+</button>
					<span class="quiet">of {wish.most}</span>
				</div>
				<input type="range" aria-label="How many ships" min={1} max={wish.most} step={1} value={fits ? count : 1}
					onInput={(event) => setCount(event.currentTarget.valueAsNumber)} />
				<div class="row quick" role="group" aria-label="Quick choices">
					{quickChoices(wish.most).map(({ text, count: many }) => (
						<button type="button" key={text} aria-pressed={count === many} onClick={() => setCount(many)}>{text}</button>
					))}
				</div>
				<div class="told" role="status">{fits && wish.tell(count).map((words) => <p key={words} class="small">{words}</p>)}</div>
				<div class="row">
					<button type="submit" class="primary" disabled={!fits}>{wish.action}</button>
					<button type="button" onClick={onClose}>Cancel</button>
				</div>
			</form>
		</Dialog>
	);
}
