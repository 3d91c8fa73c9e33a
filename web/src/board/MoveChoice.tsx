// MoveChoice.tsx - a dialog for moves that clicks do not distinguish, and buttons for moves without clicks.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { t } from "../messages";
import type { Board, Move } from "../types";
import { Dialog } from "../ui/dialog";
import { PieceShape } from "./drawing";
import { moveName } from "./text";

interface ChoiceProps {
	moves: Move[];
	onMove(move: string): void;
	onClose(): void;
}

/** at: the square where the moves end, as drawn. */
export function MoveChoice({ board, moves, onMove, onClose, at }: ChoiceProps & { board: Board; at: Element | null }) {
	const pieces = moves.every(({ piece }) => piece !== undefined && board.pieces[piece]);
	if (pieces && at)
		return <AtSquare at={at} count={moves.length} onClose={onClose}><PieceButtons board={board} moves={moves} onMove={onMove} /></AtSquare>;
	return (
		<Dialog title={pieces ? t("board.whichPiece") : t("board.whichMove")} onClose={onClose}>
			{pieces ? <PieceButtons board={board} moves={moves} onMove={onMove} /> : <MoveButtons moves={moves} onMove={onMove} />}
		</Dialog>
	);
}

const SMALLEST = 44; // px, of a button for a finger

/** A dialog that stands on a square and grows into the board. A click beside it closes it, as Escape does. */
function AtSquare({ at, count, onClose, children }: { at: Element; count: number; onClose(): void; children: ComponentChildren }) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		const element = dialog.current, before = document.activeElement;
		if (!element)
			return;
		const { left, top, bottom, width } = at.getBoundingClientRect(), size = Math.max(width, SMALLEST);
		const around = at.closest("svg")?.getBoundingClientRect();
		const isLow = around ? (top + bottom) / 2 > (around.top + around.bottom) / 2 : false;
		const high = isLow ? bottom - count * size : top;
		element.style.setProperty("--square", `${size}px`);
		element.style.left = `${Math.max(4, Math.min(left + (width - size) / 2, innerWidth - size - 4))}px`;
		element.style.top = `${Math.max(4, Math.min(high, innerHeight - count * size - 4))}px`;
		element.classList.toggle("low", isLow);
		element.showModal();
		element.querySelector("button")?.focus();
		return () => {
			if (before instanceof HTMLElement || before instanceof SVGElement)
				before.focus();
		};
	}, []);
	return (
		<dialog ref={dialog} class="at-square" aria-label={t("board.whichPiece")} onClose={onClose}
			onClick={(event) => event.target === dialog.current && dialog.current?.close()}>{children}</dialog>
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
		<div class="row move-buttons piece-buttons" role="group" aria-label={t("board.pieceChoices")} onKeyDown={walk}>
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
		<div class="row move-buttons" role="group" aria-label={t("board.moveChoices")}>
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
			<button type="submit">{t("board.playMove")}</button>
		</form>
	);
}

function withCount(move: string, count: number): string {
	return /\d+$/.test(move) ? move.replace(/\d+$/, String(count)) : `${move} ${count}`;
}
