// entries.ts - finished games of the server and of this browser in one list: pure functions.
// SPDX-License-Identifier: MIT
import { playerName } from "../board/text";
import { t } from "../messages";
import { baseName } from "../pages/parts";
import { localId } from "../play/local";
import type { StoredGame } from "../store/games";
import type { FinishedGame } from "../types";

export type Outcome = "won" | "lost" | "draw" | "other";

export interface Player {
	kind: string;
	name: string;
	spec: string | null; // of a computer; null: also if it is not known
	you: boolean;
}

export interface PlayedGame {
	id: string; // of the play
	game: string; // with its options
	title: string;
	players: Player[];
	outcome: Outcome;
	ended: number; // seconds since 1970
	stored: string | null; // the id in this browser; null: the server has it only
	onServer: boolean;
	rated: boolean; // played from the start by the same players, nothing taken back, no hints
}

/** other: you played all sides, or only watched, or nobody won. */
export function outcomeOf(result: string | null, players: Player[]): Outcome {
	const winner = players[Number(/^win (\d+)$/.exec(result ?? "")?.[1] ?? 0) - 1];
	const own = players.filter(({ you }) => you).length;
	if (!own || own === players.length)
		return "other";
	if (!winner)
		return result === "draw" ? "draw" : "other";
	return winner.you ? "won" : "lost";
}

/** The same as the server's hosted_is_rated, from the lines of a game. */
export function isRated(lines: string[]): boolean {
	const [, header, ...events] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
	const { given, dice } = JSON.parse(lines[0] ?? "{}") as { given?: number; dice?: string };
	let started = false;
	return given === 1 && dice !== "typed" && header?.["position"] === "start" && events.every((event) => {
		started ||= "move" in event;
		return !("undo" in event || "redo" in event || event["play"] === "help" || (started && (event["play"] === "sit" || event["play"] === "swap")));
	});
}

export function ofServer({ id, game, title, seats, result, ended, rated = false }: FinishedGame): PlayedGame {
	const players = seats.map(({ kind, name, spec, you }) => ({ kind, name, spec, you }));
	return { id, game, title, players, outcome: outcomeOf(result, players), ended, stored: null, onServer: true, rated };
}

export function ofBrowser({ id, game, title, seats, result, updated, lines }: StoredGame): PlayedGame {
	const players = seats.map(({ kind, name, spec }) => ({ kind, name, spec: spec ?? null, you: kind === "person" }));
	return { id: localId(id), game, title, players, outcome: outcomeOf(result, players), ended: updated / 1000, stored: id, onServer: false, rated: isRated(lines) };
}

/** Latest first. A game that was copied to the server is there once. */
export function allGames(server: FinishedGame[], browser: StoredGame[]): PlayedGame[] {
	const copies = new Map(browser.flatMap((one) => one.uploaded ? [[one.uploaded, ofBrowser(one)] as const] : []));
	const there = server.map((one) => {
		const { stored = null, ended = one.ended } = copies.get(one.id) ?? {}; // the server knows only when it was copied
		return { ...ofServer(one), stored, ended };
	});
	const known = new Set(there.map(({ stored }) => stored));
	const here = browser.filter(({ id, result }) => result !== null && !known.has(id)).map(ofBrowser);
	return [...there, ...here].sort((a, b) => b.ended - a.ended);
}

export function opponentsOf({ players }: Pick<PlayedGame, "players">): string {
	const others = players.filter(({ you }) => !you);
	return others.length ? others.map((one) => playerName(one) || t("history.someone")).join(", ") : t("history.yourself");
}

export interface Search {
	game: string; // without options; "": all
	opponent: string; // part of a name
	outcome: Outcome | "";
	since: string; // a day, as in a date field; "": any
	until: string; // that day is included
}

export const NO_SEARCH: Search = { game: "", opponent: "", outcome: "", since: "", until: "" };

/** The seconds of the beginning of a day here. */
function secondsOf(day: string): number {
	return new Date(`${day}T00:00`).getTime() / 1000;
}

export function isFound(one: PlayedGame, { game, opponent, outcome, since, until }: Search): boolean {
	return (!game || baseName(one.game) === game) && (!outcome || one.outcome === outcome) &&
		opponentsOf(one).toLowerCase().includes(opponent.trim().toLowerCase()) &&
		(!since || one.ended >= secondsOf(since)) && (!until || one.ended < secondsOf(until) + 86400);
}

const OUTCOMES: Record<Outcome, string> = { won: t("history.won"), lost: t("history.lost"), draw: t("history.draw"), other: t("history.outcomeOther") };

export function outcomeText(outcome: Outcome): string {
	return OUTCOMES[outcome];
}

/** How many of each: "12 games: 7 won, 1 draw, 4 lost". */
export function sumText(games: PlayedGame[]): string {
	const count = (outcome: Outcome) => games.filter((one) => one.outcome === outcome).length;
	return t("history.sum", { n: games.length, won: count("won"), draws: count("draw"), lost: count("lost") });
}
