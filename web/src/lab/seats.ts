// seats.ts - how the players of a game with more than two seats are told apart: a letter, a name and a colour for each.
// SPDX-License-Identifier: MIT
import { sideName } from "../board/text";
import type { Board } from "../types";

export interface SeatName {
	letter: string; // as short as a box of the tree needs it
	name: string;
}

/** By the colours of the pieces, or by numbers while there is no board. The first letters are used if they all differ. */
export function seatNames(board: Board | null, seats: number): SeatName[] {
	const names = Array.from({ length: seats }, (_, i) => sideName(board, i + 1));
	const letters = names.map((name) => name.charAt(0));
	const isClear = new Set(letters).size === seats;
	return names.map((name, i) => ({ name, letter: isClear ? letters[i]! : String(i + 1) }));
}
