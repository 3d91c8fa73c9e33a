// SectorPanel.tsx - the selected sector: its contents, threats, and possible orders.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { factionName, type LegalOrders } from "./commands";
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
			<section class="card sector-panel" aria-label={t("starchess.sector")}>
				<p class="quiet">{legal
					? t("starchess.selectToOrder")
					: t("starchess.selectToSee")}</p>
			</section>
		);
	return (
		<section class="card sector-panel" aria-label={t("starchess.sectorName", { name: sector.name })}>
			<h2>{t("starchess.sectorName", { name: sector.name })}</h2>
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
	const state = !owner ? "empty" : HOMES[owner - 1] === index ? "home" : "colony";
	return t("starchess.planet", { terran: String(terran), state, faction: factionName(owner) });
}

function colonyText(sector: Sector): string {
	const values = { ...incomeOf(sector), people: sector.people, most: mostPeople(sector) };
	if (isBlockaded(sector))
		return t("starchess.colonyBlockaded", values);
	return sector.terran ? t("starchess.colonyTerran", values)
		: t("starchess.colonyBarren", values);
}

function fleetText(galaxy: Galaxy, { fleet, ships, ready, index }: Sector): string {
	if (!ships)
		return t("starchess.noShips");
	const reach = reachOf(galaxy, index).map(sectorName).join(", ");
	const state = galaxy.mover !== fleet || ready === ships ? "all" : ready ? "some" : "none";
	return t("starchess.fleet",
		{ n: ships, faction: factionName(fleet), state, ready, sectors: reach || t("starchess.noSector") });
}

export function threatText(galaxy: Galaxy, me: number, at: number): string {
	const threats = threatsTo(galaxy, me, at);
	if (!threats.length)
		return t("starchess.notThreatened");
	const all = threats.reduce((sum, { ships }) => sum + ships, 0);
	const list = threats.map(({ from, faction, ships }) => t("starchess.threatFrom", { n: ships, faction: factionName(faction), sector: sectorName(from) })).join(", ");
	return t("starchess.threatened", { n: all, list });
}

function Orders({ galaxy, me, at, legal, onSend, onBuild, onScrap, onOrder }: SectorProps & { at: number; legal: LegalOrders }) {
	const can = orderOptions(galaxy, legal, me, at);
	const ways = legal.moves.filter(({ from }) => from === at);
	return (
		<div class="orders-here" role="group" aria-label={t("starchess.ordersFor", { sector: sectorName(at) })}>
			{ways.length ? (
				<div class="row ways" role="group" aria-label={t("starchess.moveShipsTo")}>
					<span>{t("starchess.moveShipsTo")}</span>
					{ways.map(({ to }) => <button type="button" key={to} onClick={() => onSend(at, to)}>{sectorName(to)}</button>)}
				</div>
			) : galaxy.sectors[at]?.fleet === me ? <p class="small quiet">{t("starchess.cannotMove", { why: can.move.why })}</p> : null}
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
