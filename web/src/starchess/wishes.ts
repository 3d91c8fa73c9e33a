// wishes.ts - orders that ask for a number, with what the number would mean: pure functions.
// SPDX-License-Identifier: MIT
import { fightWords, shipWords, writeCommand, type Chances } from "./commands";
import type { CountWish } from "./CountDialog";
import { budgetOf, isSupported, KEEP, SETTLERS, sectorName, SHIP, TERRAFORM, type Galaxy } from "./galaxy";

/** Ships that can be built and supported at the end of this turn; below 0: there are too many already. */
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
	return count ? `${shipWords(count)} ${count === 1 ? one : many}` : `No ships ${many}`;
}

export function moveWish(galaxy: Galaxy, faction: number, from: number, to: number, most: number): CountWish {
	const here = galaxy.sectors[from]!;
	return {
		title: `Move ships from ${sectorName(from)} to ${sectorName(to)}`, action: "Move", most, preset: most,
		order: (count) => writeCommand({ kind: "move", from, to, count }),
		tell: (count) => [
			`${left(here.ships - count, "stays", "stay")} in ${here.name}.`,
			...[fightWords(galaxy, faction, to, count)].filter(Boolean),
			"Ships that have moved can't act again this turn.",
		],
	};
}

export function buildWish(galaxy: Galaxy, faction: number, at: number, most: number): CountWish {
	const room = supportRoom(galaxy, faction);
	return {
		title: `Build ships at ${sectorName(at)}`, action: "Build", most, preset: room > 0 ? Math.min(most, room) : most,
		order: (count) => writeCommand({ kind: "build", from: at, to: at, count }),
		tell: (count) => [
			`Costs ${count * SHIP.materials} materials and ${count * SHIP.credits} credits, and takes ${count * SHIP.workers} workers.`,
			...[fightWords(galaxy, faction, at, count)].filter(Boolean),
			count > room
				? `You can support ${room > 0 ? `only ${room} more` : "no more ships"}: at the end of the turn ${shipWords(count - Math.max(0, room))} would be scrapped.`
				: `Support costs ${count * KEEP.materials} materials and ${count * KEEP.credits} credits each turn.`,
		],
	};
}

export function scrapWish(galaxy: Galaxy, at: number, most: number): CountWish {
	const here = galaxy.sectors[at]!;
	return {
		title: `Scrap ships at ${sectorName(at)}`, action: "Scrap", most, preset: 1,
		order: (count) => writeCommand({ kind: "scrap", from: at, to: at, count }),
		tell: (count) => ["Ships that can't move this turn are scrapped first. You get nothing back.", `${left(here.ships - count, "is", "are")} left.`],
	};
}

/** What one can do in a sector, or why not. */
export interface Doing {
	text: string;
	can: boolean;
	why: string; // not
}

export function doingsAt(galaxy: Galaxy, chances: Chances, faction: number, at: number): Record<"move" | "build" | "colonize" | "terraform" | "scrap", Doing> {
	const sector = galaxy.sectors[at]!;
	const reserve = galaxy.reserves[faction - 1] ?? { materials: 0, credits: 0, defeated: true };
	const fleet = sector.fleet === faction, colony = sector.owner === faction;
	const most = chances.builds.get(at) ?? 0;
	const workers = sector.people - sector.worked;
	return {
		move: {
			text: `Move ships (${sector.ready} ready)`, can: chances.moves.some(({ from }) => from === at),
			why: !fleet ? "you have no ships here" : sector.ready ? "no neighbouring sector is near one of your colonies" : "these ships moved or were built this turn",
		},
		build: {
			text: most ? `Build ships (up to ${most})` : "Build ships", can: most > 0,
			why: !colony ? "only in your own colony" : reserve.materials < SHIP.materials || reserve.credits < SHIP.credits
				? `a ship costs ${SHIP.materials} materials and ${SHIP.credits} credits; you have ${reserve.materials} and ${reserve.credits}` : workers < SHIP.workers ? "all colonists have worked this turn" : "the fleet has reached its maximum size",
		},
		colonize: {
			text: `Found a colony (${SETTLERS} ships)`, can: chances.colonizes.has(at),
			why: sector.owner ? "this planet already has a colony" : !fleet || sector.ready < SETTLERS ? `needs ${SETTLERS} ships that have not moved this turn` : "not possible now",
		},
		terraform: {
			text: `Terraform (${TERRAFORM} materials)`, can: chances.terraforms.has(at),
			why: !colony ? "only in your own colony" : sector.terran ? "the planet is already terran" : `costs ${TERRAFORM} materials; you have ${reserve.materials}`,
		},
		scrap: { text: "Scrap ships", can: chances.scraps.has(at), why: "you have no ships here" },
	};
}

/** A fleet that would be scrapped at the end of the turn for want of a colony beside it. */
export function strandedAt(galaxy: Galaxy, faction: number): number[] {
	return galaxy.sectors.filter(({ fleet, index }) => fleet === faction && !isSupported(galaxy, faction, index)).map(({ index }) => index);
}
