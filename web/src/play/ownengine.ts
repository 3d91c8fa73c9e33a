// ownengine.ts - whether this browser's engine thinks for the computers of a play: pure functions. The server makes the final decision.
// SPDX-License-Identifier: MIT
import type { NewPlay, Play } from "../types";
import { roleOf } from "./rights";

/** It remembers its games on the server. */
const LEARNER = "learn";

/** Whether you decide for the computers: nobody else plays, or nobody at all and the play is yours. */
export function commandsComputers(play: Play): boolean {
	const people = play.seats.some((seat) => seat.kind === "person");
	return people ? roleOf(play).alone : play.owner;
}

/** Clocks and verified dice: the server is the referee, and thinks itself. */
export function counts({ clocks, dice }: Pick<Play, "clocks" | "dice">): boolean {
	return clocks !== null || dice?.mode === "server";
}

/** Perfect play may need tables that only the server has. */
export function needsOf(specs: (string | null)[]): { needs?: "perfect" } {
	return specs.includes("perfect") ? { needs: "perfect" } : {};
}

/** Whether the server lets your engine think for the computers of this play. */
export function canThinkHere(play: Play): boolean {
	const computers = play.seats.filter((seat) => seat.kind === "computer");
	return computers.length > 0 && !computers.some(({ spec }) => spec === LEARNER) && !counts(play) && commandsComputers(play) &&
		!play.result && !play.view.over;
}

/** The same for a play that is to be created. */
export function canThinkInNew({ seats, clock, dice, record }: NewPlay): boolean {
	const computers = seats?.filter((seat) => seat !== "human" && seat !== "open") ?? [];
	return computers.length > 0 && !computers.includes(LEARNER) && !clock && dice !== "server" && !record;
}
