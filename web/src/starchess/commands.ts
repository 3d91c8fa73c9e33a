// commands.ts - Star Chess commands: parsing, formatting, and descriptions.
// SPDX-License-Identifier: MIT
import type { Move } from "../types";
import { combat, sectorName, sectorOf, type Galaxy } from "./galaxy";

export type Kind = "move" | "build" | "colonize" | "terraform" | "scrap" | "end";

export interface Command {
	kind: Kind;
	from: number; // the sector; -1: none
	to: number; // of a move; else the same as from
	count: number; // ships; 0: the command has no count
}

const KINDS: Kind[] = ["move", "build", "colonize", "terraform", "scrap", "end"];

/** null: not a command. The server writes full words: "move A1 B2 12". */
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
	const parts: (string | number)[] = [kind];
	if (kind !== "end")
		parts.push(sectorName(from));
	if (kind === "move")
		parts.push(sectorName(to));
	if (count)
		parts.push(count);
	return parts.join(" ");
}

/** The legal orders. */
export interface LegalOrders {
	moves: { from: number; to: number; most: number }[];
	builds: Map<number, number>; // maximum number of ships, by sector
	scraps: Map<number, number>;
	colonizes: Set<number>;
	terraforms: Set<number>;
	end: boolean;
}

export function legalOrders(moves: Move[]): LegalOrders {
	const found: LegalOrders = { moves: [], builds: new Map(), scraps: new Map(), colonizes: new Set(), terraforms: new Set(), end: false };
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

// ---- As text ----

export function shipsText(count: number): string {
	return count === 1 ? "1 ship" : `${count} ships`;
}

/** "Move 12 ships from A1 to B2" */
export function orderText(command: Command): string {
	const at = command.from < 0 ? "" : sectorName(command.from);
	switch (command.kind) {
	case "move":
		return `Move ${shipsText(command.count)} from ${at} to ${sectorName(command.to)}`;
	case "build":
		return `Build ${shipsText(command.count)} at ${at}`;
	case "scrap":
		return `Scrap ${shipsText(command.count)} at ${at}`;
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

/** The outcome of a fight before it happens; "": no fight. */
export function fightText(galaxy: Galaxy, faction: number, sector: number, count: number): string {
	const there = galaxy.sectors[sector];
	if (!there?.ships || there.fleet === faction)
		return "";
	const left = combat(count, there.ships);
	const enemy = `${factionName(there.fleet)}'s ${shipsText(there.ships)}`;
	if (left.coming)
		return `They will fight ${enemy} and win: ${left.coming} of ${count} survive.`;
	return left.there ? `They will fight ${enemy} and lose: all ${count} are destroyed, ${left.there} enemy ships survive.`
		: `They will fight ${enemy}: all ships on both sides are destroyed.`;
}

/** A command with its outcome, from the positions before and after it. */
export function outcomeText(before: Galaxy, after: Galaxy, faction: number, command: Command): string {
	if (command.kind === "end")
		return endText(before, after, faction);
	const order = orderText(command);
	const there = before.sectors[command.to];
	if ((command.kind !== "move" && command.kind !== "build") || !there?.ships || there.fleet === faction)
		return order;
	const now = after.sectors[command.to];
	const enemy = `${factionName(there.fleet)}'s ${there.ships}`;
	if (!now?.ships)
		return `${order}: fought ${enemy}, both destroyed`;
	return now.fleet === faction ? `${order}: beat ${enemy}, ${now.ships} left` : `${order}: lost to ${enemy}, ${now.ships} enemy ships left`;
}

/** What the end of a turn changed, except growth: colonies and ships lost, factions defeated. */
function endText(before: Galaxy, after: Galaxy, faction: number): string {
	const events: string[] = [];
	after.reserves.forEach(({ defeated }, i) => {
		if (defeated && !before.reserves[i]?.defeated)
			events.push(`${factionName(i + 1)} is defeated`);
	});
	for (const old of before.sectors) {
		const now = after.sectors[old.index];
		if (!now || after.reserves[old.owner - 1]?.defeated)
			continue;
		if (old.owner && !now.owner)
			events.push(`${factionName(old.owner)}'s colony at ${old.name} is destroyed`);
		else if (old.owner && old.owner !== faction && now.people < old.people)
			events.push(`bombs ${old.name}, ${old.people - now.people} people die`);
	}
	const lost = before.sectors.reduce((sum, old) => sum + (old.fleet === faction ? old.ships - (after.sectors[old.index]?.ships ?? 0) : 0), 0);
	if (lost > 0 && !after.reserves[faction - 1]?.defeated)
		events.push(`scraps ${shipsText(lost)} that it can't support`);
	return events.length ? `End of turn: ${events.join("; ")}` : "End of turn";
}
