// commands.ts - commands of Star Chess: read, written, told in words.
// SPDX-License-Identifier: MIT
import type { Move } from "../types";
import { combat, sectorName, sectorOf, type Galaxy } from "./galaxy";

export type Kind = "move" | "build" | "colonize" | "terraform" | "scrap" | "end";

export interface Command {
	kind: Kind;
	from: number; // the sector; -1: none
	to: number; // of a move; else as from
	count: number; // ships; 0: it has none
}

const KINDS: Kind[] = ["move", "build", "colonize", "terraform", "scrap", "end"];

/** null: no command. The server writes them whole: "move A1 B2 12". */
export function readCommand(text: string): Command | null {
	const [word, ...rest] = text.trim().split(/\s+/);
	const kind = KINDS.find((one) => one === word);
	if (!kind)
		return null;
	const from = sectorOf(rest[0] ?? ""), to = kind === "move" ? sectorOf(rest[1] ?? "") : from;
	if (kind !== "end" && (from < 0 || to < 0))
		return null;
	return { kind, from, to, count: Number(rest[kind === "move" ? 2 : 1] ?? 0) || 0 };
}

export function writeCommand({ kind, from, to, count }: Command): string {
	const words: (string | number)[] = [kind];
	if (kind !== "end")
		words.push(sectorName(from));
	if (kind === "move")
		words.push(sectorName(to));
	if (count)
		words.push(count);
	return words.join(" ");
}

/** What the server says can be ordered. */
export interface Chances {
	moves: { from: number; to: number; most: number }[];
	builds: Map<number, number>; // the most ships, by sector
	scraps: Map<number, number>;
	colonizes: Set<number>;
	terraforms: Set<number>;
	end: boolean;
}

export function chancesOf(moves: Move[]): Chances {
	const found: Chances = { moves: [], builds: new Map(), scraps: new Map(), colonizes: new Set(), terraforms: new Set(), end: false };
	for (const { move } of moves) {
		const command = readCommand(move);
		if (!command)
			continue;
		const { kind, from, to, count } = command; // the largest count is in the text
		if (kind === "move")
			found.moves.push({ from, to, most: count });
		else if (kind === "build")
			found.builds.set(from, count);
		else if (kind === "scrap")
			found.scraps.set(from, count);
		else if (kind === "colonize")
			found.colonizes.add(from);
		else if (kind === "terraform")
			found.terraforms.add(from);
		else
			found.end = true;
	}
	return found;
}

// ---- In words ----

export function shipWords(count: number): string {
	return count === 1 ? "1 ship" : `${count} ships`;
}

/** "Move 12 ships from A1 to B2" */
export function orderWords(command: Command): string {
	const at = command.from < 0 ? "" : sectorName(command.from);
	switch (command.kind) {
	case "move":
		return `Move ${shipWords(command.count)} from ${at} to ${sectorName(command.to)}`;
	case "build":
		return `Build ${shipWords(command.count)} at ${at}`;
	case "scrap":
		return `Scrap ${shipWords(command.count)} at ${at}`;
	case "colonize":
		return `Found a colony at ${at}`;
	case "terraform":
		return `Terraform ${at}`;
	default:
		return "End turn";
	}
}

export const FACTION_NAMES = ["Nobody", "Red", "Yellow", "Green", "Blue"];

export function factionName(faction: number): string {
	return FACTION_NAMES[faction] ?? `Faction ${faction}`;
}

/** What a fight would bring, before it is fought; "": there is none. */
export function fightWords(galaxy: Galaxy, faction: number, sector: number, count: number): string {
	const there = galaxy.sectors[sector];
	if (!there?.ships || there.fleet === faction)
		return "";
	const left = combat(count, there.ships);
	const enemy = `${factionName(there.fleet)}'s ${shipWords(there.ships)}`;
	if (left.coming)
		return `They will fight ${enemy} and win: ${left.coming} of ${count} survive.`;
	return left.there ? `They will fight ${enemy} and lose: all ${count} are destroyed, ${left.there} enemy ships survive.`
		: `They will fight ${enemy}: all ships on both sides are destroyed.`;
}

/** What a command did, from the position before it and after it. */
export function doneWords(before: Galaxy, after: Galaxy, faction: number, command: Command): string {
	if (command.kind === "end")
		return endWords(before, after, faction);
	const told = orderWords(command);
	const there = before.sectors[command.to];
	if ((command.kind !== "move" && command.kind !== "build") || !there?.ships || there.fleet === faction)
		return told;
	const now = after.sectors[command.to];
	const enemy = `${factionName(there.fleet)}'s ${there.ships}`;
	if (!now?.ships)
		return `${told}: fought ${enemy}, both destroyed`;
	return now.fleet === faction ? `${told}: beat ${enemy}, ${now.ships} left` : `${told}: lost to ${enemy}, ${now.ships} enemy ships left`;
}

/** What the end of a turn changed that is no growth: colonies and ships that are gone, who is defeated. */
function endWords(before: Galaxy, after: Galaxy, faction: number): string {
	const told: string[] = [];
	after.reserves.forEach(({ defeated }, i) => {
		if (defeated && !before.reserves[i]?.defeated)
			told.push(`${factionName(i + 1)} is defeated`);
	});
	for (const old of before.sectors) {
		const now = after.sectors[old.index];
		if (!now || after.reserves[old.owner - 1]?.defeated)
			continue;
		if (old.owner && !now.owner)
			told.push(`${factionName(old.owner)}'s colony at ${old.name} is destroyed`);
		else if (old.owner && old.owner !== faction && now.people < old.people)
			told.push(`bombs ${old.name}, ${old.people - now.people} people die`);
	}
	const lost = before.sectors.reduce((sum, old) => sum + (old.fleet === faction ? old.ships - (after.sectors[old.index]?.ships ?? 0) : 0), 0);
	if (lost > 0 && !after.reserves[faction - 1]?.defeated)
		told.push(`scraps ${shipWords(lost)} that it can't support`);
	return told.length ? `End of turn: ${told.join("; ")}` : "End of turn";
}
