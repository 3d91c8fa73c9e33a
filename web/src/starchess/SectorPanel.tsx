// SectorPanel.tsx - the sector that is selected: what is there, what threatens it, and what can be ordered.
// SPDX-License-Identifier: MIT
import { factionName, shipWords, type Chances } from "./commands";
import { HOMES, incomeOf, isBlockaded, mostPeople, reachOf, sectorName, threatsTo, type Galaxy, type Sector } from "./galaxy";
import { isMine } from "./StarMap";
import { doingsAt, type Doing } from "./wishes";

interface SectorProps {
	galaxy: Galaxy;
	me: number;
	sector: number | null;
	chances: Chances | null; // null: nothing can be ordered now
	onSend(from: number, to: number): void;
	onBuild(at: number): void;
	onScrap(at: number): void;
	onOrder(command: string): void;
}

export function SectorPanel(props: SectorProps) {
	const { galaxy, me, sector: at, chances } = props;
	const sector = at === null ? undefined : galaxy.sectors[at];
	if (!sector)
		return (
			<section class="card sector-panel" aria-label="Sector">
				<p class="quiet">{chances
					? "Select a sector on the map to see it and to give orders there. To move ships, click their sector and then a highlighted one next to it, or drag them there."
					: "Select a sector on the map to see it."}</p>
			</section>
		);
	return (
		<section class="card sector-panel" aria-label={`Sector ${sector.name}`}>
			<h2>Sector {sector.name}</h2>
			<ul class="sector-facts">
				<li>{planetWords(sector)}</li>
				{sector.owner ? <li>{colonyWords(sector)}</li> : null}
				<li>{fleetWords(galaxy, sector)}</li>
				{isMine(sector, me) ? <li class={threatsTo(galaxy, me, sector.index).length ? "bad" : "good"}>{threatWords(galaxy, me, sector.index)}</li> : null}
			</ul>
			{chances && isMine(sector, me) ? <Orders {...props} chances={chances} at={sector.index} /> : null}
		</section>
	);
}

function planetWords({ terran, owner, index }: Sector): string {
	const kind = terran ? "Terran planet" : "Barren planet";
	if (!owner)
		return `${kind}, no colony`;
	return HOMES[owner - 1] === index ? `${kind}, the home world of ${factionName(owner)}` : `${kind}, a colony of ${factionName(owner)}`;
}

function colonyWords(sector: Sector): string {
	const { materials, credits, consumed } = incomeOf(sector);
	const people = `${sector.people} people (maximum ${mostPeople(sector)})`;
	if (isBlockaded(sector))
		return `${people}; blockaded: it produces nothing and does not grow`;
	const gives = [`${materials} materials`, credits ? `${credits} credits` : "", consumed ? `and consumes ${consumed} credits` : ""].filter(Boolean);
	return `${people}; produces ${gives.join(", ").replace(", and", " and")} per turn`;
}

function fleetWords(galaxy: Galaxy, { fleet, ships, ready, index }: Sector): string {
	if (!ships)
		return "No ships";
	const reach = reachOf(galaxy, index).map(sectorName).join(", ");
	const can = galaxy.mover !== fleet || ready === ships ? "" : ready ? `, ${ready} ready` : ", none ready";
	return `${shipWords(ships)} of ${factionName(fleet)}${can}; can reach${galaxy.mover === fleet && !ready ? " next turn" : ""}: ${reach || "no sector"}`;
}

export function threatWords(galaxy: Galaxy, me: number, at: number): string {
	const threats = threatsTo(galaxy, me, at);
	if (!threats.length)
		return "Not threatened: no enemy ships can arrive within a turn";
	const all = threats.reduce((sum, { ships }) => sum + ships, 0);
	return `Threatened by ${shipWords(all)}: ${threats.map(({ from, faction, ships }) => `${ships} of ${factionName(faction)} in ${sectorName(from)}`).join(", ")}`;
}

function Orders({ galaxy, me, at, chances, onSend, onBuild, onScrap, onOrder }: SectorProps & { at: number; chances: Chances }) {
	const can = doingsAt(galaxy, chances, me, at);
	const ways = chances.moves.filter(({ from }) => from === at);
	return (
		<div class="orders-here" role="group" aria-label={`Orders for ${sectorName(at)}`}>
			{ways.length ? (
				<div class="row ways" role="group" aria-label="Move ships to">
					<span>Move ships to</span>
					{ways.map(({ to }) => <button type="button" key={to} onClick={() => onSend(at, to)}>{sectorName(to)}</button>)}
				</div>
			) : galaxy.sectors[at]?.fleet === me ? <p class="small quiet">Move ships: {can.move.why}.</p> : null}
			<Button doing={can.build} onClick={() => onBuild(at)} />
			{galaxy.sectors[at]?.owner ? null : <Button doing={can.colonize} onClick={() => onOrder(`colonize ${sectorName(at)}`)} />}
			{galaxy.sectors[at]?.owner === me && !galaxy.sectors[at]?.terran
				? <Button doing={can.terraform} onClick={() => onOrder(`terraform ${sectorName(at)}`)} /> : null}
			{can.scrap.can ? <Button doing={can.scrap} onClick={() => onScrap(at)} /> : null}
		</div>
	);
}

/** What cannot be done says why. */
function Button({ doing: { text, can, why }, onClick }: { doing: Doing; onClick(): void }) {
	return (
		<div class="doing">
			<button type="button" aria-disabled={!can} onClick={() => can && onClick()}>{text}</button>
			{can ? null : <span class="small quiet">{why}</span>}
		</div>
	);
}
