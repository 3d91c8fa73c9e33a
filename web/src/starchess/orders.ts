// orders.ts - the orders of a sector: those with a number of ships, and which are possible. Pure functions.
// SPDX-License-Identifier: MIT
import { fightText, shipsText, writeCommand, type LegalOrders } from "./commands";
import type { CountOrder } from "./CountDialog";
import { budgetOf, isSupported, KEEP, SETTLERS, sectorName, SHIP, TERRAFORM, type Galaxy } from "./galaxy";

/** The number of ships that can be built and supported at the end of this turn; negative: there are already too many. */
export function supportRoom(galaxy: Galaxy, faction: number): number {
	const { materials, credits, consumed, ships, excess } = budgetOf(galaxy, faction);
	const reserve = galaxy.reserves[faction - 1] ?? { materials: 0, credits: 0 };
	if (excess)
		return -excess;
	return Math.floor(Math.min(
		(reserve.materials + materials - KEEP.materials * ships) / (SHIP.materials + KEEP.materials),
		(reserve.credits + credits - consumed - KEEP.credits * ships) / (SHIP.credits + KEEP.credits)));
}

function left(count: number, one: string, many: string): string {
	return count ? `${shipsText(count)} ${count === 1 ? one : many}` : `No ships ${many}`;
}

export function moveOrder(galaxy: Galaxy, faction: number, from: number, to: number, most: number): CountOrder {
	const here = galaxy.sectors[from]!;
	return {
		title: `Move ships from ${sectorName(from)} to ${sectorName(to)}`, action: "Move", most, initial: most,
		command: (count) => writeCommand({ kind: "move", from, to, count }),
		describe: (count) => [
			`${left(here.ships - count, "stays", "stay")} in ${here.name}.`,
			...[fightText(galaxy, faction, to, count)].filter(Boolean),
			"Ships that have moved can't act again this turn.",
		],
	};
}

export function buildOrder(galaxy: Galaxy, faction: number, at: number, most: number): CountOrder {
	const room = supportRoom(galaxy, faction);
	return {
		title: `Build ships at ${sectorName(at)}`, action: "Build", most, initial: room > 0 ? Math.min(most, room) : most,
		command: (count) => writeCommand({ kind: "build", from: at, to: at, count }),
		describe: (count) => [
			`Costs ${count * SHIP.materials} materials and ${count * SHIP.credits} credits, and takes ${count * SHIP.workers} workers.`,
			...[fightText(galaxy, faction, at, count)].filter(Boolean),
			count > room
				? `You can support ${room > 0 ? `only ${room} more` : "no more ships"}: at the end of the turn ${shipsText(count - Math.max(0, room))} would be scrapped.`
				: `Support costs ${count * KEEP.materials} materials and ${count * KEEP.credits} credits each turn.`,
		],
	};
}

export function scrapOrder(galaxy: Galaxy, at: number, most: number): CountOrder {
	const here = galaxy.sectors[at]!;
	return {
		title: `Scrap ships at ${sectorName(at)}`, action: "Scrap", most, initial: 1,
		command: (count) => writeCommand({ kind: "scrap", from: at, to: at, count }),
		describe: (count) => ["Ships that can't move this turn are scrapped first. You get nothing back.", `${left(here.ships - count, "is", "are")} left.`],
	};
}

/** An order, and whether it is possible. */
export interface OrderOption {
	text: string;
	can: boolean;
	why: string; // why it is not possible
}

export function orderOptions(galaxy: Galaxy, legal: LegalOrders, faction: number, at: number): Record<"move" | "build" | "colonize" | "terraform" | "scrap", OrderOption> {
	const sector = galaxy.sectors[at]!;
	const reserve = galaxy.reserves[faction - 1] ?? { materials: 0, credits: 0, defeated: true };
	const fleet = sector.fleet === faction, colony = sector.owner === faction;
	const most = legal.builds.get(at) ?? 0;
	const workers = sector.people - sector.worked;
	return {
		move: {
			text: `Move ships (${sector.ready} ready)`, can: legal.moves.some(({ from }) => from === at),
			why: !fleet ? "you have no ships here" : sector.ready ? "no neighbouring sector is near one of your colonies" : "these ships moved or were built this turn",
		},
		build: {
			text: most ? `Build ships (up to ${most})` : "Build ships", can: most > 0,
			why: !colony ? "only in your own colony" : reserve.materials < SHIP.materials || reserve.credits < SHIP.credits
				? `you have ${reserve.materials} materials and ${reserve.credits} credits; a ship costs ${SHIP.materials} and ${SHIP.credits}` : workers < SHIP.workers ? "all colonists have worked this turn" : "the fleet has reached its maximum size",
		},
		colonize: {
			text: `Found a colony (${SETTLERS} ships)`, can: legal.colonizes.has(at),
			why: sector.owner ? "this planet already has a colony" : !fleet || sector.ready < SETTLERS ? `needs ${SETTLERS} ships that have not moved this turn` : "not possible now",
		},
		terraform: {
			text: `Terraform (${TERRAFORM} materials)`, can: legal.terraforms.has(at),
			why: !colony ? "only in your own colony" : sector.terran ? "the planet is already terran" : `costs ${TERRAFORM} materials; you have ${reserve.materials}`,
		},
		scrap: { text: "Scrap ships", can: legal.scraps.has(at), why: "you have no ships here" },
	};
}

/** The sectors whose fleet will be scrapped at the end of the turn, because no own colony is near. */
export function strandedAt(galaxy: Galaxy, faction: number): number[] {
	return galaxy.sectors.filter(({ fleet, index }) => fleet === faction && !isSupported(galaxy, faction, index)).map(({ index }) => index);
}

const GUIDED = 5; // turns

/** What to do next, for the first turns of a newcomer; null: nothing in particular. */
export function guideText(galaxy: Galaxy, me: number, legal: LegalOrders): string | null {
	const mine = galaxy.sectors.filter(({ owner }) => owner === me);
	const home = mine[0], reserve = galaxy.reserves[me - 1];
	if (galaxy.turn > GUIDED || !home || !reserve)
		return null;
	const settled = [...legal.colonizes][0];
	if (settled !== undefined)
		return `Your ships have arrived in ${sectorName(settled)}. Select it and found a colony: that is how your empire grows.`;
	if (galaxy.sectors.some(({ fleet, owner, ready, ships }) => fleet === me && owner !== me && ships >= SETTLERS && ready < SETTLERS))
		return "Your ships are on their way. End the turn; next turn they can found a colony.";
	if (mine.length === 1 && home.ready >= SETTLERS)
		return `Start with your home world ${home.name}: select it and move all its ships to a planet next to it. A barren planet is best, because it produces the most materials.`;
	if (legal.builds.size)
		return "Your colonies pay for ships. Select one of them and build as many as you can support, then send them to the next planet.";
	return `Ships cost ${SHIP.materials} materials and ${SHIP.credits} credits each. End the turn to let your colonies produce them.`;
}
