// rights.ts - who one is in a play, and what that allows to ask for. The server decides in the end.
// SPDX-License-Identifier: MIT
import type { Play } from "../types";

export interface Role {
	mine: number[]; // my seats
	seated: boolean;
	alone: boolean; // no other person sits here: undo and the like need nobody's consent
	myTurn: boolean;
	going: boolean;
	throwing: boolean; // a throw is due that the server makes
	typing: boolean; // a throw is due that I type
	mayThrow: boolean; // it is mine, or a computer's, who has no hands
	advised: boolean; // hints and values may be shown: not while one plays against a person
	turned: boolean; // I sit at the second side only
}

export function roleOf(play: Play): Role {
	const mine = play.seats.filter((seat) => seat.you).map((seat) => seat.seat);
	const seated = mine.length > 0;
	const going = !play.result && !play.view.over;
	const chance = going && play.view.seat === 0;
	const thrower = play.seats.find((seat) => seat.seat === play.view.turn);
	const mayThrow = chance && seated && (!thrower || thrower.you || thrower.kind === "computer");
	const alone = seated && !play.seats.some((seat) => seat.kind === "person" && !seat.you);
	return {
		mine, seated, going, mayThrow, alone,
		advised: alone || !seated || !going,
		myTurn: going && mine.includes(play.view.seat),
		throwing: chance && play.dice?.mode === "server",
		typing: mayThrow && play.dice?.mode === "typed",
		turned: seated && !mine.includes(1),
	};
}
