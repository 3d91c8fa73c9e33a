// galaxy.ts - a Star Chess position, parsed from its text (SC1), with reach, threats and income.
// SPDX-License-Identifier: MIT
//
// Sectors count A1 A2 A3 A4 B1 ... D4 from 0: column * 4 + row. Factions are seats, 1 to 4; 0 is nobody.

export const SIDE = 4;
export const SECTORS = SIDE * SIDE;
export const FACTIONS = [1, 2, 3, 4];
export const HOMES = [0, 3, 15, 12]; // of factions 1 to 4
export const SETTLERS = 20; // ships that become a colony
export const TERRAFORM = 1000; // materials
export const MOST_SHIPS = 999;
export const SHIP = { materials: 20, credits: 40, workers: 10 }; // cost to build one
export const KEEP = { materials: 10, credits: 20 }; // cost to support one for a turn

export interface Sector {
	index: number;
	name: string;
	terran: boolean;
	owner: number; // of the colony
	people: number;
	worked: number; // people who have worked this turn
	fleet: number; // whose ships
	ships: number;
	ready: number; // ships that can still move or colonise
}

export interface Reserve {
	materials: number;
	credits: number;
	defeated: boolean;
}

export interface Galaxy {
	turn: number;
	mover: number;
	reserves: Reserve[]; // of factions 1 to 4
	sectors: Sector[];
}

export function sectorName(index: number): string {
	return "ABCD".charAt(Math.floor(index / SIDE)) + String(1 + index % SIDE);
}

/** -1: not a sector. */
export function sectorOf(name: string): number {
	const column = "ABCD".indexOf(name.charAt(0).toUpperCase()), row = Number(name.slice(1)) - 1;
	return column >= 0 && name.length === 2 && row >= 0 && row < SIDE ? column * SIDE + row : -1;
}

/** "B", "T1:1000:0", "T1:1000:0/1:20:20", "B0/2:5:5" */
function readSector(index: number, text: string): Sector | null {
	const match = /^([TB])(?:0|(\d):(\d+):(\d+))(?:\/(\d):(\d+):(\d+))?$/.exec(text);
	if (!match)
		return null;
	const number = (i: number) => Number(match[i] ?? 0);
	return {
		index, name: sectorName(index), terran: match[1] === "T", owner: number(2), people: number(3), worked: number(4),
		fleet: number(5), ships: number(6), ready: number(7),
	};
}

function readReserve(text: string | undefined): Reserve {
	const [materials, credits] = (text ?? "").split(",").map(Number);
	return text === "-" || materials === undefined || credits === undefined
		? { materials: 0, credits: 0, defeated: text === "-" } : { materials, credits, defeated: false };
}

/** null: not a Star Chess position. */
export function readGalaxy(position: string): Galaxy | null {
	const [kind, ...rest] = position.split(" ");
	if (kind !== "SC1")
		return null;
	const fields = new Map(rest.map((field) => [field.slice(0, field.indexOf("=")), field.slice(field.indexOf("=") + 1)]));
	const sectors = Array.from({ length: SECTORS }, (_, i) => readSector(i, fields.get(sectorName(i)) ?? ""));
	if (sectors.some((sector) => sector === null))
		return null;
	return {
		turn: Number(fields.get("turn")), mover: Number(fields.get("move")), sectors: sectors as Sector[],
		reserves: FACTIONS.map((faction) => readReserve(fields.get(`f${faction}`))),
	};
}

/** The text of a position, as the server writes it. */
export function writeGalaxy({ turn, mover, reserves, sectors }: Galaxy): string {
	const reserve = ({ materials, credits, defeated }: Reserve, i: number) => `f${i + 1}=${defeated ? "-" : `${materials},${credits}`}`;
	const sector = ({ name, terran, owner, people, worked, fleet, ships, ready }: Sector) =>
		`${name}=${terran ? "T" : "B"}${owner ? `${owner}:${people}:${worked}` : "0"}${fleet ? `/${fleet}:${ships}:${ready}` : ""}`;
	return [`SC1 turn=${turn} move=${mover}`, ...reserves.map(reserve), ...sectors.map(sector)].join(" ");
}

export function distance(a: number, b: number): number {
	return Math.max(Math.abs(Math.floor(a / SIDE) - Math.floor(b / SIDE)), Math.abs(a % SIDE - b % SIDE));
}

export function isHome(sector: number, faction: number): boolean {
	return HOMES[faction - 1] === sector;
}

/** Whether ships of a faction can be there: one of its colonies is at most one sector away. */
export function isSupported(galaxy: Galaxy, faction: number, sector: number): boolean {
	return galaxy.sectors.some((one) => one.owner === faction && distance(one.index, sector) <= 1);
}

/** The sectors that the fleet of a sector can reach within one turn, without the sector itself. */
export function reachOf(galaxy: Galaxy, from: number): number[] {
	const faction = galaxy.sectors[from]?.fleet ?? 0;
	return faction ? galaxy.sectors.filter(({ index }) => distance(index, from) === 1 && isSupported(galaxy, faction, index))
		.map(({ index }) => index) : [];
}

/** The same for the current turn: ships of the faction to move that are not ready cannot move. */
export function reachNow(galaxy: Galaxy, from: number): number[] {
	const sector = galaxy.sectors[from];
	return sector && sector.fleet === galaxy.mover && !sector.ready ? [] : reachOf(galaxy, from);
}

export interface Threat {
	from: number; // a sector
	faction: number;
	ships: number;
}

/** Enemy fleets that are in a sector or can reach it in their next turn. */
export function threatsTo(galaxy: Galaxy, faction: number, sector: number): Threat[] {
	return galaxy.sectors.filter(({ index, fleet }) => fleet && fleet !== faction &&
		(index === sector || reachOf(galaxy, index).includes(sector)))
		.map(({ index, fleet, ships }) => ({ from: index, faction: fleet, ships }));
}

export function threatCount(galaxy: Galaxy, faction: number, sector: number): number {
	return threatsTo(galaxy, faction, sector).reduce((sum, { ships }) => sum + ships, 0);
}

/** Whether enemy ships are in the sector of a colony. */
export function isBlockaded({ owner, fleet }: Sector): boolean {
	return owner > 0 && fleet > 0 && fleet !== owner;
}

// ---- Economy ----

export interface Income {
	materials: number;
	credits: number; // produced
	consumed: number; // credits
}

export function incomeOf(sector: Sector): Income {
	const { people, terran } = sector;
	if (!sector.owner || isBlockaded(sector))
		return { materials: 0, credits: 0, consumed: 0 };
	return terran ? { materials: Math.min(people, 200), credits: Math.min(people, 1000), consumed: 0 }
		: { materials: Math.min(5 * people, 1000), credits: 0, consumed: Math.min(people, 200) };
}

export function mostPeople({ terran }: Sector): number {
	return terran ? 1000 : 200;
}

export interface Budget extends Income {
	ships: number;
	colonies: number;
	capacity: number; // number of ships that can be supported at the end of the turn
	excess: number; // ships that will be scrapped then
}

/** The budget at the end of a faction's turn, without further orders. */
export function budgetOf(galaxy: Galaxy, faction: number): Budget {
	const own = galaxy.sectors.filter(({ owner }) => owner === faction);
	const sum = (of: (income: Income) => number) => own.reduce((total, sector) => total + of(incomeOf(sector)), 0);
	const materials = sum((one) => one.materials), credits = sum((one) => one.credits), consumed = sum((one) => one.consumed);
	const ships = galaxy.sectors.reduce((total, { fleet, ships: here, index }) =>
		total + (fleet === faction && isSupported(galaxy, faction, index) ? here : 0), 0);
	const reserve = galaxy.reserves[faction - 1] ?? { materials: 0, credits: 0 };
	const capacity = Math.min(Math.floor((reserve.materials + materials) / KEEP.materials),
		Math.floor(Math.max(0, reserve.credits + credits - consumed) / KEEP.credits));
	return { materials, credits, consumed, ships, colonies: own.length, capacity, excess: Math.max(0, ships - capacity) };
}

export function shipsOf(galaxy: Galaxy, faction: number): number {
	return galaxy.sectors.reduce((sum, { fleet, ships }) => sum + (fleet === faction ? ships : 0), 0);
}

/** The ships of `coming` and `there` that survive a fight. */
export function combat(coming: number, there: number): { coming: number; there: number } {
	const large = Math.max(coming, there), small = Math.min(coming, there);
	const left = large === small ? 0 : large - (large < 2 * small ? small : large < 3 * small ? Math.floor(small / 2) : 0);
	return coming > there ? { coming: left, there: 0 } : { coming: 0, there: left };
}
