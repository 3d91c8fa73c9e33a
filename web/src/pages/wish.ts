// wish.ts - what somebody wants of a new game, and what is asked of the server for it: pure functions.
// SPDX-License-Identifier: MIT
import type { Game, NewPlay, Opening } from "../types";
import { firstOpponent } from "./opponents";

export const CLOCKS: { terms: string; text: string }[] = [
	{ terms: "", text: "No clock" },
	{ terms: "1m", text: "1 minute each" },
	{ terms: "180+2", text: "3 minutes + 2 s per move" },
	{ terms: "5m", text: "5 minutes each" },
	{ terms: "300+3", text: "5 minutes + 3 s per move" },
	{ terms: "10m", text: "10 minutes each" },
	{ terms: "900+10", text: "15 minutes + 10 s per move" },
	{ terms: "30m", text: "30 minutes each" },
];

export type Opponent = "level" | "link" | "lobby" | "screen" | "levels" | "mix";

export interface Wish {
	opponent: Opponent;
	computer: string; // what its seat asks for
	computers: string[]; // of each seat, level against level
	mix: string[]; // what each seat asks for, any mix: "human", "open" or a computer
	seat: number; // mine, from 1; 0: by lot
	clock: string;
	typedDice: boolean;
	from: "start" | "text" | "opening";
	opening: Opening | null;
	position: string;
	isPrivate: boolean;
	options: Record<string, string>;
}

export function gameText(game: Game, options: Record<string, string>): string {
	const changed = game.options
		.filter((option) => options[option.name] !== undefined && options[option.name] !== String(option.preset))
		.map((option) => `${option.name}=${options[option.name]}`);
	return changed.length ? `${game.name}:${changed.join(",")}` : game.name;
}

/** What the form asks of the server. `lot` gives a number below its argument. */
export function playOf(game: Game, wish: Wish, lot: (below: number) => number): NewPlay {
	const all = Array.from({ length: game.seats }, (_, i) => i + 1);
	const mine = wish.seat || 1 + lot(game.seats);
	const others = wish.opponent === "level" ? wish.computer : "open";
	let seats = all.map((seat) => seat === mine ? "human" : others);
	if (wish.opponent === "screen")
		seats = all.map(() => "human");
	if (wish.opponent === "levels")
		seats = all.map((seat) => wish.computers[seat - 1] ?? wish.computer);
	if (wish.opponent === "mix")
		seats = all.map((seat) => wish.mix[seat - 1] ?? wish.computer);
	const play: NewPlay = { game: gameText(game, wish.options), seats };
	if (wish.from === "text" && wish.position.trim())
		play.position = wish.position.trim();
	if (wish.from === "opening" && wish.opening) {
		play.moves = wish.opening.moves;
		if (wish.opening.position !== "start")
			play.position = wish.opening.position;
	}
	if (wish.clock)
		play.clock = wish.clock;
	if (game.chance)
		play.dice = wish.typedDice ? "typed" : "server";
	if (wish.isPrivate || wish.opponent === "link")
		play.private = true;
	return play;
}

/** The options of "gomoku:size=19,..." */
export function optionsOf(game: string): Record<string, string> {
	const text = game.split(":").slice(1).join(":");
	return Object.fromEntries(text.split(",").filter((part) => part.includes("="))
		.map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));
}

/** liked: the computer that was played last. */
export function firstWish(game: Game, named: string, position: string | null, liked?: string): Wish {
	const computer = firstOpponent(game, liked);
	return {
		opponent: computer ? "level" : "link", computer, computers: Array.from({ length: game.seats }, () => computer),
		mix: Array.from({ length: game.seats }, (_, i) => i === 0 ? "human" : computer || "open"), seat: 1, clock: "",
		typedDice: false, from: position ? "text" : "start", position: position ?? "", opening: null, isPrivate: false, options: optionsOf(named),
	};
}
