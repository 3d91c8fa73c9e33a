// MoveField.tsx - a field to type a move, and buttons to read the position and the legal moves aloud.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { moveName, legalMovesText, positionText } from "../board/text";
import type { Board, View } from "../types";
import { announce } from "../ui/announce";
import { Icon } from "../ui/icons";
import { toast } from "../ui/toast";
import { play as sound } from "./sounds";

interface MoveFieldProps {
	board: Board | null;
	view: View;
	enabled: boolean; // a move can be played now
	readOnly?: boolean; // no move can be played here, now or later
	onMove(move: string): Promise<boolean>;
}

/**
 * The field stays enabled while the opponent thinks and only refuses to send. A disabled field would lose
 * the focus, and the next letters typed would trigger shortcuts of the page.
 */
export function MoveField({ board, view, enabled, readOnly = false, onMove }: MoveFieldProps) {
	const [text, setText] = useState("");
	const [spoken, setSpoken] = useState("");
	const readAloud = (spokenText: string) => {
		setSpoken(spokenText);
		announce(spokenText);
	};
	const submit = (event: Event) => {
		event.preventDefault();
		const move = text.trim();
		if (!move || readOnly)
			return;
		if (!enabled) {
			sound("refused");
			return toast("You can't move right now.");
		}
		/* Cleared at once, so that you can type the next move meanwhile; a refused move comes back. */
		setText("");
		void onMove(move).then((done) => done || setText((now) => now || move));
	};
	return (
		<div class="move-field">
			<form class="row" onSubmit={submit}>
				<input type="text" aria-label="Type a move" placeholder="Type a move" value={text} autocomplete="off" autocapitalize="off"
					spellcheck={false} list="legal-moves" readOnly={readOnly} aria-disabled={readOnly}
					onInput={(event) => setText(event.currentTarget.value)} />
				<button type="submit" aria-disabled={!enabled}>Play</button>
				<button type="button" class="icon" aria-label="Read the position" title="Read the position (key P on the board)"
					onClick={() => readAloud(board ? positionText(board, view) : view.text ?? view.position)}><Icon name="readboard" /></button>
				<button type="button" class="icon" aria-label="Read the legal moves" title="Read the legal moves (key M on the board)"
					onClick={() => readAloud(legalMovesText(view.moves))}><Icon name="readmoves" /></button>
			</form>
			<datalist id="legal-moves">{view.moves.map((move) => <option key={move.move} value={moveName(move)} />)}</datalist>
			{spoken ? (
				<p class="small quiet spoken">
					{spoken} <button type="button" class="text" onClick={() => setSpoken("")}>Hide</button>
				</p>
			) : null}
		</div>
	);
}
