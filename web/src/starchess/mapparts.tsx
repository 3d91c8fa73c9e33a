// mapparts.tsx - the parts of the map: planet, fleet, threat count, and the arrow of moving ships.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Command } from "./commands";
import { HOMES, isBlockaded, SIDE, type Sector } from "./galaxy";

export const CELL = 200, GAP = 6, EDGE = 40;
export const MAP_SIZE = EDGE + SIDE * (CELL + GAP);

export function middleOf(sector: number): { x: number; y: number } {
	const column = Math.floor(sector / SIDE), row = sector % SIDE;
	return { x: EDGE + column * (CELL + GAP) + CELL / 2, y: (SIDE - 1 - row) * (CELL + GAP) + CELL / 2 };
}

const LANDS = "M-30-14Q-22-32-6-30T4-16Q-2-6-14-8T-30-14ZM4 4Q14-6 26 0T24 20Q12 30 6 20T4 4ZM-22 12Q-12 8-8 16T-16 26Z";
const ROCKS = "M-17-12a9 9 0 1 0 .1 0M14-2a11 11 0 1 0 .1 0M-9 16a6 6 0 1 0 .1 0M8-30a5 5 0 1 0 .1 0";
const SHIP = "M0-42L14 10 38 34 14 28 0 40-14 28-38 34-14 10Z";
const STAR = "M0-13L3.800-4.500 13-4 6 2 8.500 11 0 6-8.500 11-6 2-13-4-3.800-4.500Z";

/** A symbol for each faction besides its colour: triangle, disc, square, diamond. */
const SIGNS = ["", "M0-13L13 10H-13Z", "M0-12a12 12 0 1 1-.1 0Z", "M-11-11H11V11H-11Z", "M0-15L13 0 0 15-13 0Z"];

export function Sign({ faction }: { faction: number }) {
	return <path class="sign" d={SIGNS[faction] ?? ""} />;
}

export function Planet({ sector }: { sector: Sector }) {
	const { owner, terran, people, index } = sector;
	return (
		<g class="planet" transform="translate(-46 -14)">
			<circle class={terran ? "globe terran" : "globe barren"} r="40" />
			<path class={terran ? "lands" : "rocks"} d={terran ? LANDS : ROCKS} />
			<circle class="shade" r="40" fill="url(#piece-shade)" />
			{owner ? (
				<>
					<circle class={`ring of-${owner}`} r="41" />
					{isBlockaded(sector) ? <circle class="blockade" r="50" /> : null}
					<g class={`of-${owner}`}><circle class="badge-back" r="19" /><Sign faction={owner} /></g>
					{HOMES[owner - 1] === index ? <path class="home" d={STAR} transform="translate(34 -38)" /> : null}
					<text class="people" y="76">{people}</text>
				</>
			) : null}
		</g>
	);
}

const BAR = 76;

/** The bar below the ships shows how many of them are ready. */
export function Fleet({ sector: { fleet, ships, ready } }: { sector: Sector }) {
	return (
		<g class={`fleet of-${fleet}${ready ? "" : " idle"}`} transform="translate(50 -14)">
			<path class="ship" d={SHIP} transform="translate(0 -2) scale(0.88)" />
			<path class="shade" d={SHIP} transform="translate(0 -2) scale(0.88)" fill="url(#piece-shade)" />
			<g transform="translate(0 4) scale(0.62)"><Sign faction={fleet} /></g>
			<text class="ships" y="76">{ships}</text>
			<rect class="bar" x={-BAR / 2} y="84" width={BAR} height="8" rx="4" />
			{ready ? <rect class="bar-ready" x={-BAR / 2} y="84" width={Math.max(8, BAR * ready / ships)} height="8" rx="4" /> : null}
		</g>
	);
}

export function ThreatBadge({ count }: { count: number }) {
	const wide = 44 + 18 * String(count).length;
	return (
		<g class="threat" transform={`translate(${96 - wide} -96)`}>
			<rect width={wide} height="40" rx="10" />
			<path d="M20 8L33 32H7Z" />
			<text x={wide - 8} y="30">{count}</text>
		</g>
	);
}

const DOING: Record<Command["kind"], (count: number) => string> = {
	move: () => "", end: () => "", build: (count) => `+${count}`, scrap: (count) => `−${count}`, colonize: () => t("starchess.badgeColony"), terraform: () => t("starchess.terranWord"),
};

/** What is ordered in a sector, on the map. */
export function OrderBadge({ command: { kind, count }, faction }: { command: Command; faction: number }) {
	const text = DOING[kind](count);
	const wide = 28 + 16 * text.length;
	return (
		<g class={`flight of-${faction}`} transform="translate(0 -74)">
			<g class="many"><rect x={-wide / 2} y="-20" width={wide} height="40" rx="20" /><text dy="0.35em">{text}</text></g>
		</g>
	);
}

interface ArrowProps {
	from: { x: number; y: number };
	to: { x: number; y: number };
	faction: number;
	count: number;
	planned: boolean;
}

export function ArrowLine({ from, to, faction, count, planned }: ArrowProps) {
	const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
	const u = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
	const a = { x: from.x + 40 * u.x, y: from.y + 40 * u.y }, b = { x: to.x - 34 * u.x, y: to.y - 34 * u.y };
	const neck = { x: b.x - 26 * u.x, y: b.y - 26 * u.y };
	const head = `M${b.x} ${b.y}L${neck.x - 17 * u.y} ${neck.y + 17 * u.x}L${neck.x + 17 * u.y} ${neck.y - 17 * u.x}Z`;
	const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
	return (
		<g class={`flight of-${faction}${planned ? " planned" : ""}`}>
			<path class="halo" d={`M${a.x} ${a.y}L${neck.x} ${neck.y}`} />
			<path class="head" d={head} />
			<path class="shaft" d={`M${a.x} ${a.y}L${neck.x} ${neck.y}`} />
			{count ? <g class="many" transform={`translate(${middle.x} ${middle.y})`}><rect x="-31" y="-20" width="62" height="40" rx="20" /><text dy="0.35em">{count}</text></g> : null}
		</g>
	);
}
