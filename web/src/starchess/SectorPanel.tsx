// SectorPanel.tsx - the selected sector: its contents, threats, and possible orders.
// SPDX-License-Identifier: MIT
import { factionName, shipsText, type LegalOrders } from "./commands";
import { HOMES, incomeOf, isBlockaded, mostPeople, reachOf, sectorName, threatsTo, type Galaxy, type Sector } from "./galaxy";
import { isMine } from "./StarMap";
import { orderOptions, type OrderOption } from "./orders";

interface SectorProps {
	galaxy: Galaxy;
	me: number;
	sector: number | null;
	legal: LegalOrders | null; // null: no orders possible now
	onSend(from: number, to: number): void;
	onBuild(at: number): void;
	onScrap(at: number): void;
	onOrder(command: string): void;
}

export function SectorPanel(props: SectorProps) {
	const { galaxy, me, sector: at, legal } = props;
	const sector = at === null ? undefined : galaxy.sectors[at];
	if (!sector)
		return (
			<section class="card sector-panel" aria-label="Sector">
				<p class="quiet">{legal
					? "Select a sector on the map to see it and to give orders there. To move ships, click their sector and then a highlighted one next to it, or drag them there."
					: "Select a sector on the map to see it."}</p>
			</section>
		);
	return (
		<section class="card sector-panel" aria-label={`Sector ${sector.name}`}>
			<h2>Sector {sector.name}</h2>
			<ul class="sector-facts">
				<li>{planetText(sector)}</li>
				{sector.owner ? <li>{colonyText(sector)}</li> : null}
				<li>{fleetText(galaxy, sector)}</li>
				{isMine(sector, me) ? <li class={threatsTo(galaxy, me, sector.index).length ? "bad" : "good"}>{threatText(galaxy, me, sector.index)}</li> : null}
			</ul>
			{legal && isMine(sector, me) ? <Orders {...props} legal={legal} at={sector.index} /> : null}
		</section>
	);
}

function planetText({ terran, owner, index }: Sector): string {
	const kind = terran ? "Terran planet" : "Barren planet";
	if (!owner)
		return `${kind}, no colony`;
	return HOMES[owner - 1] === index ? `${kind}, the home world of ${factionName(owner)}` : `${kind}, a colony of ${factionName(owner)}`;
}

function colonyText(sector: Sector): string {
	const { materials, credits, consumed } = incomeOf(sector);
	const people = `${sector.people} people (maximum ${mostPeople(sector)})`;
	if (isBlockaded(sector))
		return `${people}; blockaded: it produces nothing and does not grow`;
	const gives = [`${materials} materials`, credits ? `${credits} credits` : "", consumed ? `and consumes ${consumed} credits` : ""].filter(Boolean);
	return `${people}; produces ${gives.join(", ").replace(", and", " and")} per turn`;
}

function fleetText(galaxy: Galaxy, { fleet, ships, ready, index }: Sector): string {
	if (!ships)
		return "No ships";
	const reach = reachOf(galaxy, index).map(sectorName).join(", ");
	const can = galaxy.mover !== fleet || ready === ships ? "" : ready ? `, ${ready} ready` : ", none ready";
	return `${shipsText(ships)} of ${factionName(fleet)}${can}; can reach${galaxy.mover === fleet && !ready ? " next turn" : ""}: ${reach || "no sector"}`;
}

export function threatText(galaxy: Galaxy, me: number, at: number): string {
	const threats = threatsTo(galaxy, me, at);
	if (!threats.length)
		return "Not threatened: no enemy ships can arrive within a turn";
	const all = threats.reduce((sum, { ships }) => sum + ships, 0);
	return `Threatened by ${shipsText(all)}: ${threats.map(({ from, faction, ships }) => `${ships} of ${factionName(faction)} in ${sectorName(from)}`).join(", ")}`;
}

function Orders({ galaxy, me, at, legal, onSend, onBuild, onScrap, onOrder }: SectorProps & { at: number; legal: LegalOrders }) {
	const can = orderOptions(galaxy, legal, me, at);
	const ways = legal.moves.filter(({ from }) => from === at);
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

/** A button for an order, with the reason if it is not possible. */
function Button({ doing: { text, can, why }, onClick }: { doing: OrderOption; onClick(): void }) {
	return (
		<div class="doing">
			<button type="button" aria-disabled={!can} onClick={() => can && onClick()}>{text}</button>
			{can ? null : <span class="small quiet">{why}</span>}
		</div>
	);
}
