// showcase.ts - what the first page shows, and in which order: pure functions and data.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Game, NewPlay } from "../types";
import { firstOpponent } from "./opponents";

/** Most people come for these. */
const BEST = ["chess", "reversi", "connect4", "draughts", "backgammon", "starchess"];

const SECTIONS: { title: string; names: string[] }[] = [
	{ title: t("gallery.classics"), names: ["noughts", "morris", "gomoku", "minichess", "noughts3d", "hexapawn"] },
	{ title: t("gallery.curiosities"), names: ["race", "warptrog"] },
];

/** Not to be played but to be looked at: part of the laboratory. */
const EXHIBITS = ["diagram"];

/** The games to choose from, in the order of the first page: without the exhibits of the laboratory, unless one is chosen already. */
export function offered(games: Game[], chosen = ""): Game[] {
	const { best, others } = shelvesOf(games);
	return [...best, ...others.flatMap((shelf) => shelf.games), ...games.filter(({ name }) => EXHIBITS.includes(name) && name === chosen.split(":", 1)[0])];
}

export interface Shelf {
	title: string;
	games: Game[];
}

/** The best games, and the others by sections; games of plug-ins come last. */
export function shelvesOf(games: Game[]): { best: Game[]; others: Shelf[] } {
	const pick = (names: string[]) => names.flatMap((name) => games.find((game) => game.name === name) ?? []);
	const named = new Set([BEST, EXHIBITS, ...SECTIONS.map(({ names }) => names)].flat());
	const others = [
		...SECTIONS.map(({ title, names }) => ({ title, games: pick(names) })),
		{ title: t("gallery.moreGames"), games: games.filter(({ name }) => !named.has(name)) },
	];
	return { best: pick(BEST), others: others.filter((shelf) => shelf.games.length > 0) };
}

export interface Door {
	to: string;
	title: string;
	text: string;
}

export const DOORS: Door[] = [
	{ to: "/puzzles", title: t("gallery.puzzles"), text: t("gallery.puzzlesText") },
	{ to: "/learn", title: t("gallery.learn"), text: t("gallery.learnText") },
	{ to: "/lab", title: t("gallery.lab"), text: t("gallery.labText") },
	{ to: "/lessons", title: t("gallery.lessons"), text: t("gallery.lessonsText") },
];

/** A game against the computer: at the level that was chosen last, else at an easy one. */
export function quickPlay(game: Game, computers: Record<string, string>): NewPlay {
	const last = computers[game.name];
	const spec = game.ladders.flatMap(({ levels }) => levels).find((level) => level.spec === last)?.spec ?? (firstOpponent(game) || "human");
	return { game: game.name, seats: ["human", ...Array.from({ length: game.seats - 1 }, () => spec)] };
}

/** What "Play now" starts: the last game, else chess, else the first of all. */
export function gameToPlay(games: Game[], last: string): Game | undefined {
	const find = (name: string) => games.find((game) => game.name === name);
	return find(last) ?? find("chess") ?? games[0];
}
