// newplay.ts - the choices of the new-game form, and the request for the server: pure functions.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Game, NewPlay, Opening } from "../types";
import { classicOf, firstOpponent } from "./opponents";

function timeWords(n: number, unit: "m" | "s", increment: number): string {
	return increment ? t("newgame.clockIncrement", { n, unit, increment }) : t("newgame.clockEach", { n, unit });
}

export const CLOCKS: { terms: string; text: string }[] = [
	{ terms: "", text: t("newgame.noClock") },
	{ terms: "1m", text: timeWords(1, "m", 0) },
	{ terms: "180+2", text: timeWords(3, "m", 2) },
	{ terms: "5m", text: timeWords(5, "m", 0) },
	{ terms: "300+3", text: timeWords(5, "m", 3) },
	{ terms: "10m", text: timeWords(10, "m", 0) },
	{ terms: "900+10", text: timeWords(15, "m", 10) },
	{ terms: "30m", text: timeWords(30, "m", 0) },
];
export const MOST_MINUTES = 10080, MOST_INCREMENT = 3600, MOST_DAYS = 14; // that the server accepts, or more than anybody wants

/** Minutes for each player and seconds for each move, as the server reads them. */
export function customClock(minutes: number, increment: number): string {
	return increment ? `${60 * minutes}+${increment}` : `${60 * minutes}`;
}

/** A time control as the server writes it: "5m", "90s", "5m+3s" or "3d/move". */
export function clockWords(terms: string): string {
	const [, days] = /^(\d+)d\/move$/.exec(terms) ?? [];
	if (days)
		return t("newgame.clockDays", { n: days });
	const [, number, unit, seconds] = /^(\d+)([ms])(?:\+(\d+)s)?$/.exec(terms) ?? [];
	if (!number)
		return t("newgame.clockOther", { clock: terms });
	return timeWords(Number(number), unit as "m" | "s", Number(seconds ?? 0));
}

/** Sets of options that are chosen together. `more`: other options that matter with them. `drawn`: one of those that begins at random. */
export interface Format {
	text: string;
	options: Record<string, string>;
	more: string[];
	drawn?: string;
}

function matchTo(length: number): Format {
	return { text: t("newgame.matchTo", { n: length }), options: { match: String(length), cube: "0" }, more: ["crawford"] };
}

export const FORMATS: Record<string, Format[]> = {
	backgammon: [
		{ text: t("newgame.singleGame"), options: { match: "0", cube: "0" }, more: [] },
		{ text: t("newgame.singleWithCube"), options: { match: "0", cube: "1" }, more: ["jacoby", "beavers"] },
		...[1, 3, 5, 7, 11].map(matchTo),
	],
	chess: [
		{ text: t("newgame.orthodox"), options: { start: "normal" }, more: [] },
		{ text: "Chess960", options: { start: "960" }, more: ["number"], drawn: "number" },
	],
};

/** The options of a format that was chosen; random(n) is a number from 0 to n - 1. */
export function formatOptions(game: Game, { options, drawn }: Format, random: (below: number) => number): Record<string, string> {
	const option = game.options.find(({ name }) => name === drawn);
	return option ? { ...options, [option.name]: String(option.min + random(option.max - option.min + 1)) } : options;
}

/** The format that these options make; undefined: none of them. */
export function formatOf(game: Game, options: Record<string, string>): Format | undefined {
	const value = (name: string) => options[name] ?? String(game.options.find((option) => option.name === name)?.preset);
	return FORMATS[game.name]?.find((format) => Object.entries(format.options).every(([name, wanted]) => value(name) === wanted));
}

export type Opponent = "level" | "link" | "lobby" | "screen" | "levels" | "mix";

export interface NewGameChoices {
	opponent: Opponent;
	computer: string; // the player spec of the opponent
	computers: string[]; // the player spec of each seat, if computers play each other
	mix: string[]; // custom: for each seat "human", "open" or a player spec
	seat: number; // yours, from 1; 0: random
	clock: string;
	typedDice: boolean;
	from: "start" | "text" | "opening";
	opening: Opening | null;
	position: string;
	isPrivate: boolean | null; // null: as usual
	options: Record<string, string>;
}

export function gameText(game: Game, options: Record<string, string>): string {
	const changed = game.options
		.filter((option) => options[option.name] !== undefined && options[option.name] !== String(option.preset))
		.map((option) => `${option.name}=${options[option.name]}`);
	return changed.length ? `${game.name}:${changed.join(",")}` : game.name;
}

/** The request that the form sends. `random(n)` returns a number from 0 to n - 1. */
export function playRequest(game: Game, choices: NewGameChoices, random: (below: number) => number): NewPlay {
	const all = Array.from({ length: game.seats }, (_, i) => i + 1);
	const mine = choices.seat || 1 + random(game.seats);
	const others = choices.opponent === "level" ? choices.computer : "open";
	let seats = all.map((seat) => seat === mine ? "human" : others);
	if (choices.opponent === "screen")
		seats = all.map(() => "human");
	if (choices.opponent === "levels")
		seats = all.map((seat) => choices.computers[seat - 1] ?? choices.computer);
	if (choices.opponent === "mix")
		seats = all.map((seat) => choices.mix[seat - 1] ?? choices.computer);
	const play: NewPlay = { game: gameText(game, choices.options), seats };
	if (choices.from === "text" && choices.position.trim())
		play.position = choices.position.trim();
	if (choices.from === "opening" && choices.opening) {
		play.moves = choices.opening.moves;
		if (choices.opening.position !== "start")
			play.position = choices.opening.position;
	}
	if (choices.clock)
		play.clock = choices.clock;
	if (game.chance)
		play.dice = choices.typedDice ? "typed" : "server";
	if (choices.isPrivate !== null || choices.opponent === "link")
		play.private = isPrivate(choices);
	return play;
}

/** Unless you choose, games against computers are private, as for the server. */
export function isPrivate({ isPrivate, opponent }: Pick<NewGameChoices, "isPrivate" | "opponent">): boolean {
	return opponent === "link" || (isPrivate ?? (opponent === "level" || opponent === "levels"));
}

/**
 * The change of the choices when a computer is chosen: for one seat of a game between computers, or for the opponent
 * (seat null). Some classic opponents need a start position and a side of their own.
 */
export function chooseComputer(game: Game, choices: NewGameChoices, spec: string, seat: number | null): Partial<NewGameChoices> {
	const computers = choices.computers.map((old, i) => i + 1 === seat ? spec : old);
	const change: Partial<NewGameChoices> = seat === null ? { computer: spec } : { computers };
	const before = classicOf(game, seat === null ? choices.computer : choices.computers[seat - 1] ?? "");
	const { position, seat: needed } = classicOf(game, spec) ?? { position: null, seat: null };
	if (position)
		Object.assign(change, { from: "text", position });
	else if (before?.position && choices.position === before.position)
		Object.assign(change, { from: "start", position: "" });
	if (seat === null && needed && (choices.seat === needed || !choices.seat))
		change.seat = needed === 1 ? 2 : 1;
	return change;
}

/** The options of "gomoku:size=19,..." */
export function optionsOf(game: string): Record<string, string> {
	const text = game.split(":").slice(1).join(":");
	return Object.fromEntries(text.split(",").filter((part) => part.includes("="))
		.map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));
}

/** preferred: the computer opponent of the last game. */
export function defaultChoices(game: Game, named: string, position: string | null, preferred?: string): NewGameChoices {
	const computer = firstOpponent(game, preferred);
	return {
		opponent: computer ? "level" : "link", computer, computers: Array.from({ length: game.seats }, () => computer),
		mix: Array.from({ length: game.seats }, (_, i) => i === 0 ? "human" : computer || "open"), seat: 1, clock: "",
		typedDice: false, from: position ? "text" : "start", position: position ?? "", opening: null, isPrivate: null, options: optionsOf(named),
	};
}
