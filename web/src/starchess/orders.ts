// orders.ts - the orders of a sector: those with a number of ships, and which are possible. Pure functions.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { fightText, writeCommand, type LegalOrders } from "./commands";
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

export function moveOrder(galaxy: Galaxy, faction: number, from: number, to: number, most: number): CountOrder {
	const here = galaxy.sectors[from]!;
	return {
		title: t("starchess.moveTitle", { from: sectorName(from), to: sectorName(to) }), action: t("starchess.move"), most, initial: most,
		command: (count) => writeCommand({ kind: "move", from, to, count }),
		describe: (count) => [
			t("starchess.shipsStay", { n: here.ships - count, sector: here.name }),
			...[fightText(galaxy, faction, to, count)].filter(Boolean),
			t("starchess.movedOnce"),
		],
	};
}

export function buildOrder(galaxy: Galaxy, faction: number, at: number, most: number): CountOrder {
	const room = supportRoom(galaxy, faction);
	return {
		title: t("starchess.buildTitle", { sector: sectorName(at) }), action: t("starchess.build"), most, initial: room > 0 ? Math.min(most, room) : most,
		command: (count) => writeCommand({ kind: "build", from: at, to: at, count }),
		describe: (count) => [
			t("starchess.buildCosts", { materials: count * SHIP.materials, credits: count * SHIP.credits, workers: count * SHIP.workers }),
			...[fightText(galaxy, faction, at, count)].filter(Boolean),
			count > room
				? t("starchess.supportRoom", { room: Math.max(0, room), n: count - Math.max(0, room) })
				: t("starchess.supportCosts", { materials: count * KEEP.materials, credits: count * KEEP.credits }),
		],
	};
}

export function scrapOrder(galaxy: Galaxy, at: number, most: number): CountOrder {
	const here = galaxy.sectors[at]!;
	return {
		title: t("starchess.scrapTitle", { sector: sectorName(at) }), action: t("starchess.scrap"), most, initial: 1,
		command: (count) => writeCommand({ kind: "scrap", from: at, to: at, count }),
		describe: (count) => [t("starchess.scrapFirst"), t("starchess.shipsLeft", { n: here.ships - count })],
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
			text: t("starchess.moveReady", { n: sector.ready }), can: legal.moves.some(({ from }) => from === at),
			why: !fleet ? t("starchess.whyNoShips") : sector.ready ? t("starchess.whyNoSector") : t("starchess.whyMoved"),
		},
		build: {
			text: most ? t("starchess.buildUpTo", { most }) : t("starchess.buildShips"), can: most > 0,
			why: !colony ? t("starchess.whyColony") : reserve.materials < SHIP.materials || reserve.credits < SHIP.credits
				? t("starchess.whyCosts", { materials: reserve.materials, credits: reserve.credits, shipMaterials: SHIP.materials, shipCredits: SHIP.credits }) : workers < SHIP.workers ? t("starchess.whyWorked") : t("starchess.whyMaximum"),
		},
		colonize: {
			text: t("starchess.foundWith", { n: SETTLERS }), can: legal.colonizes.has(at),
			why: sector.owner ? t("starchess.whyOwned") : !fleet || sector.ready < SETTLERS ? t("starchess.whySettlers", { n: SETTLERS }) : t("starchess.whyNot"),
		},
		terraform: {
			text: t("starchess.terraformFor", { n: TERRAFORM }), can: legal.terraforms.has(at),
			why: !colony ? t("starchess.whyColony") : sector.terran ? t("starchess.whyTerran") : t("starchess.whyMaterials", { n: TERRAFORM, has: reserve.materials }),
		},
		scrap: { text: t("starchess.scrapShips"), can: legal.scraps.has(at), why: t("starchess.whyNoShips") },
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
		return t("starchess.guideFound", { sector: sectorName(settled) });
	if (galaxy.sectors.some(({ fleet, owner, ready, ships }) => fleet === me && owner !== me && ships >= SETTLERS && ready < SETTLERS))
		return t("starchess.guideWait");
	if (mine.length === 1 && home.ready >= SETTLERS)
		return t("starchess.guideStart", { sector: home.name });
	if (legal.builds.size)
		return t("starchess.guideBuild");
	return t("starchess.guideEnd", { ...SHIP });
}
