// MoveChoice.tsx - moves that the clicks leave open, and moves with a number: a small window asks.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import type { Move } from "../types";
import { Dialog } from "../ui/dialog";

interface ChoiceProps {
	moves: Move[];
	onMove(move: string): void;
	onClose(): void;
}

export function MoveChoice({ moves, onMove, onClose }: ChoiceProps) {
	return (
		<Dialog title="Which move?" onClose={onClose}>
			<MoveButtons moves={moves} onMove={onMove} />
		</Dialog>
	);
}

/** Buttons for moves: those of a choice, those that no click enters, all of a game without a board. */
export function MoveButtons({ moves, onMove }: Omit<ChoiceProps, "onClose">) {
	return (
		<div class="row move-buttons" role="group" aria-label="Moves to choose from">
			{moves.map((move) => (move.max
				? <Counted key={move.move} move={move} max={move.max} onMove={onMove} />
				: <button type="button" key={move.move} onClick={() => onMove(move.move)}>{move.move}</button>))}
		</div>
	);
}

/** A move that says how many: 1 to max. Its text has the number in it. */
function Counted({ move, max, onMove }: { move: Move; max: number; onMove(move: string): void }) {
	const [count, setCount] = useState(max);
	return (
		<form class="row" onSubmit={(event) => {
			event.preventDefault();
			onMove(withCount(move.move, count));
		}}>
			<label>
				<span>{move.move.replace(/\s*\d+$/, "")}</span>
				<input type="number" required min={1} max={max} step={1} value={count}
					onInput={(event) => setCount(Number(event.currentTarget.value))} />
			</label>
			<button type="submit">Play</button>
		</form>
	);
}

function withCount(move: string, count: number): string {
	return /\d+$/.test(move) ? move.replace(/\d+$/, String(count)) : `${move} ${count}`;
}
