// MoveField.tsx - moves by their names: a field to type one, and the position read aloud.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { moveName, movesWords, positionWords } from "../board/words";
import type { Board, View } from "../types";
import { announce } from "../ui/announce";
import { Icon } from "../ui/icons";

interface MoveFieldProps {
	board: Board | null;
	view: View;
	enabled: boolean;
	onMove(move: string): Promise<boolean>;
}

export function MoveField({ board, view, enabled, onMove }: MoveFieldProps) {
	const [text, setText] = useState("");
	const [spoken, setSpoken] = useState("");
	const say = (words: string) => {
		setSpoken(words);
		announce(words);
	};
	return (
		<div class="move-field">
			<form class="row" onSubmit={(event) => {
				event.preventDefault();
				if (text.trim())
					void onMove(text.trim()).then((done) => done && setText(""));
			}}>
				<input type="text" aria-label="Type a move" placeholder="Type a move" value={text} autocomplete="off" autocapitalize="off"
					spellcheck={false} list="legal-moves" disabled={!enabled} onInput={(event) => setText(event.currentTarget.value)} />
				<button type="submit" disabled={!enabled}>Play</button>
				<button type="button" class="icon" aria-label="Read the position" title="Read the position (key P on the board)"
					onClick={() => say(board ? positionWords(board, view) : view.text ?? view.position)}><Icon name="speak" /></button>
				<button type="button" class="icon" aria-label="Read the legal moves" title="Read the legal moves (key M on the board)"
					onClick={() => say(movesWords(view.moves))}><Icon name="book" /></button>
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
