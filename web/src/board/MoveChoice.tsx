// MoveChoice.tsx - a dialog for moves that clicks do not distinguish, and buttons for moves without clicks.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import type { Board, Move } from "../types";
import { Dialog } from "../ui/dialog";
import { PieceShape } from "./drawing";
import { moveName } from "./text";

interface ChoiceProps {
	moves: Move[];
	onMove(move: string): void;
	onClose(): void;
}

export function MoveChoice({ board, moves, onMove, onClose }: ChoiceProps & { board: Board }) {
	const pieces = moves.every(({ piece }) => piece !== undefined && board.pieces[piece]);
	return (
		<Dialog title={pieces ? "Which piece?" : "Which move?"} onClose={onClose}>
			{pieces ? <PieceButtons board={board} moves={moves} onMove={onMove} /> : <MoveButtons moves={moves} onMove={onMove} />}
		</Dialog>
	);
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Moves that differ in the promoted piece: buttons with its picture. Arrow keys move the focus, as Tab does. */
function PieceButtons({ board, moves, onMove }: Omit<ChoiceProps, "onClose"> & { board: Board }) {
	const walk = (event: KeyboardEvent) => {
		const buttons = [...(event.currentTarget as Element).querySelectorAll("button")];
		const step = STEPS[event.key], at = buttons.indexOf(event.target as HTMLButtonElement);
		if (!step || at < 0)
			return;
		event.preventDefault();
		buttons[(at + step + buttons.length) % buttons.length]?.focus();
	};
	return (
		<div class="row move-buttons piece-buttons" role="group" aria-label="Pieces to choose from" onKeyDown={walk}>
			{moves.map((move) => {
				const kind = board.pieces[move.piece ?? -1];
				return kind && (
					<button type="button" key={move.move} title={kind.name} aria-label={`${kind.name}, ${moveName(move)}`}
						onClick={() => onMove(move.move)}>
						<svg class="board picture" viewBox="-50 -50 100 100" aria-hidden="true"><PieceShape kind={kind} /></svg>
						<span>{moveName(move)}</span>
					</button>
				);
			})}
		</div>
	);
}

/** Buttons for moves: of a choice, without clicks, or of a game without a board. */
export function MoveButtons({ moves, onMove, text = moveName, keys = {} }: Omit<ChoiceProps, "onClose"> & {
	text?: (move: Move) => string; keys?: Record<string, string>;
}) {
	return (
		<div class="row move-buttons" role="group" aria-label="Moves to choose from">
			{moves.map((move) => (move.max
				? <Counted key={move.move} move={move} max={move.max} onMove={onMove} />
				: <button type="button" key={move.move} title={keys[move.move] && `${text(move)} (${keys[move.move]})`} onClick={() => onMove(move.move)}>
					{text(move)}</button>))}
		</div>
	);
}

/** A move with a count from 1 to max, which is part of its text. */
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
