// commands.ts - Star Chess commands: parsing, formatting, and descriptions.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
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

/** "Move 12 ships from A1 to B2" */
export function orderText(command: Command): string {
	const at = command.from < 0 ? "" : sectorName(command.from);
	switch (command.kind) {
	case "move":
		return t("starchess.orderMove", { n: command.count, from: at, to: sectorName(command.to) });
	case "build":
		return t("starchess.orderBuild", { n: command.count, sector: at });
	case "scrap":
		return t("starchess.orderScrap", { n: command.count, sector: at });
	case "colonize":
		return t("starchess.orderColonize", { sector: at });
	case "terraform":
		return t("starchess.orderTerraform", { sector: at });
	default:
		return t("starchess.endTurn");
	}
}

export const FACTION_NAMES = [t("starchess.faction0"), t("starchess.faction1"), t("starchess.faction2"), t("starchess.faction3"), t("starchess.faction4")];

export function factionName(faction: number): string {
	return FACTION_NAMES[faction] ?? t("starchess.factionNumber", { n: faction });
}

/** The outcome of a fight before it happens; "": no fight. */
export function fightText(galaxy: Galaxy, faction: number, sector: number, count: number): string {
	const there = galaxy.sectors[sector];
	if (!there?.ships || there.fleet === faction)
		return "";
	const left = combat(count, there.ships);
	const values = { faction: factionName(there.fleet), ships: there.ships, n: count };
	if (left.coming)
		return t("starchess.fightWin", { ...values, left: left.coming });
	return left.there ? t("starchess.fightLose", { ...values, left: left.there })
		: t("starchess.fightDraw", values);
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
	const values = { order, enemy: factionName(there.fleet), ships: there.ships, left: now?.ships ?? 0 };
	if (!now?.ships)
		return t("starchess.outcomeDraw", values);
	return now.fleet === faction ? t("starchess.outcomeWin", values)
		: t("starchess.outcomeLose", values);
}

/** What the end of a turn changed, except growth: colonies and ships lost, factions defeated. */
function endText(before: Galaxy, after: Galaxy, faction: number): string {
	const events: string[] = [];
	after.reserves.forEach(({ defeated }, i) => {
		if (defeated && !before.reserves[i]?.defeated)
			events.push(t("starchess.isDefeated", { faction: factionName(i + 1) }));
	});
	for (const old of before.sectors) {
		const now = after.sectors[old.index];
		if (!now || after.reserves[old.owner - 1]?.defeated)
			continue;
		if (old.owner && !now.owner)
			events.push(t("starchess.isDestroyed", { faction: factionName(old.owner), sector: old.name }));
		else if (old.owner && old.owner !== faction && now.people < old.people)
			events.push(t("starchess.bombs", { sector: old.name, n: old.people - now.people }));
	}
	const lost = before.sectors.reduce((sum, old) => sum + (old.fleet === faction ? old.ships - (after.sectors[old.index]?.ships ?? 0) : 0), 0);
	if (lost > 0 && !after.reserves[faction - 1]?.defeated)
		events.push(t("starchess.scraps", { n: lost }));
	return events.length ? t("starchess.turnEnded", { events: events.join("; ") }) : t("starchess.endOfTurn");
}
