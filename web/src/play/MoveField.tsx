// MoveField.tsx - a field to type a move, and buttons to read the position and the legal moves aloud.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { moveName, legalMovesText, positionText } from "../board/text";
import { t } from "../messages";
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
			return toast(t("play.cannotMoveNow"));
		}
		/* Cleared at once, so that you can type the next move meanwhile; a refused move comes back. */
		setText("");
		void onMove(move).then((done) => done || setText((now) => now || move));
	};
	return (
		<div class="move-field">
			<form class="row" onSubmit={submit}>
				<input type="text" aria-label={t("play.typeMove")} placeholder={t("play.typeMove")} value={text} autocomplete="off" autocapitalize="off"
					spellcheck={false} list="legal-moves" readOnly={readOnly} aria-disabled={readOnly}
					onInput={(event) => setText(event.currentTarget.value)} />
				<button type="submit" aria-disabled={!enabled}>{t("play.play")}</button>
				<button type="button" class="icon" aria-label={t("play.readPosition")} title={t("play.readPositionKey")}
					onClick={() => readAloud(board ? positionText(board, view) : view.text ?? view.position)}><Icon name="readboard" /></button>
				<button type="button" class="icon" aria-label={t("play.readMoves")} title={t("play.readMovesKey")}
					onClick={() => readAloud(legalMovesText(view.moves))}><Icon name="readmoves" /></button>
			</form>
			<datalist id="legal-moves">{view.moves.map((move) => <option key={move.move} value={moveName(move)} />)}</datalist>
			{spoken ? (
				<p class="small quiet spoken">
					{spoken} <button type="button" class="text" onClick={() => setSpoken("")}>{t("ui.hide")}</button>
				</p>
			) : null}
		</div>
	);
}
