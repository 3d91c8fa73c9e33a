// rights.ts - your role in a play, and what the page offers you. The server makes the final decision.
// SPDX-License-Identifier: MIT
import type { Play } from "../types";

export interface Role {
	mine: number[]; // your seats
	seated: boolean;
	alone: boolean; // no other people play: undo and the like need no consent
	myTurn: boolean;
	inProgress: boolean;
	waiting: boolean; // a seat is open
	rollDue: boolean; // the server rolls the dice next
	enteringRoll: boolean; // you roll real dice and enter the result next
	canRoll: boolean; // it is your roll, or that of a computer
	hintsAllowed: boolean; // hints and values are allowed: not during a game between people, nor before it
	turned: boolean; // you play the second side only
}

export function roleOf(play: Play): Role {
	const mine = play.seats.filter((seat) => seat.you).map((seat) => seat.seat);
	const seated = mine.length > 0;
	const inProgress = !play.result && !play.view.over;
	const chance = inProgress && play.view.seat === 0;
	const roller = play.seats.find((seat) => seat.seat === play.view.turn);
	const canRoll = chance && seated && (!roller || roller.you || roller.kind === "computer");
	const alone = seated && !play.seats.some((seat) => seat.kind === "person" && !seat.you);
	const people = play.seats.filter(({ kind }) => kind === "person").length;
	const waiting = inProgress && play.seats.some(({ kind }) => kind === "open");
	return {
		mine, seated, inProgress, waiting, canRoll, alone,
		hintsAllowed: !inProgress || (!waiting && (seated ? alone : people <= 1)), // a spectator could pass them on to a player
		myTurn: inProgress && !play.damaged && mine.includes(play.view.seat),
		rollDue: chance && play.dice?.mode === "server",
		enteringRoll: canRoll && play.dice?.mode === "typed",
		turned: seated && !mine.includes(1),
	};
}
