// caption.ts - the line below a picture of a game.
// SPDX-License-Identifier: MIT
import { playerName, sideName } from "../board/text";
import type { Board, Play } from "../types";
import { endingOf, isOnePerson } from "./words";

/** "Ann – Level 3 · White won by checkmate". */
export function captionOf(play: Play, board: Board | null): string {
	const players = isOnePerson(play) ? play.title : play.seats.map((seat) => playerName(seat) || sideName(board, seat.seat)).join(" – ");
	if (!play.result)
		return players;
	const watched = { ...play, seats: play.seats.map((seat) => ({ ...seat, you: false, name: "" })) };
	return `${players} · ${endingOf(watched, board).title}`;
}
