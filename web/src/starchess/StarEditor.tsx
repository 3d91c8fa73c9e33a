// StarEditor.tsx - the board editor of Star Chess: a position is edited sector by sector and checked by the server as text.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../messages";
import { factionName } from "./commands";
import { FACTIONS, HOMES, MOST_SHIPS, readGalaxy, SETTLERS, writeGalaxy, type Galaxy, type Reserve, type Sector } from "./galaxy";
import { Legend } from "./Legend";
import { StarMap } from "./StarMap";

interface EditorProps {
	position: string; // the last legal position
	onText(text: string): void;
}

export function StarEditor({ position, onText }: EditorProps) {
	const [galaxy, setGalaxy] = useState<Galaxy | null>(() => readGalaxy(position));
	const [selected, setSelected] = useState<number | null>(0);
	/* Keeps an illegal setup as it is. */
	useEffect(() => setGalaxy((now) => now && writeGalaxy(now) === position ? now : readGalaxy(position) ?? now), [position]);
	if (!galaxy)
		return <p role="status">{t("ui.loading")}</p>;
	const change = (next: Galaxy) => {
		const whole = withDefeats(next);
		setGalaxy(whole);
		onText(writeGalaxy(whole));
	};
	const sector = selected === null ? null : galaxy.sectors[selected] ?? null;
	const changeSector = (part: Partial<Sector>) => sector && change({
		...galaxy, sectors: galaxy.sectors.map((one) => one.index === sector.index ? tidy({ ...one, ...part }) : one),
	});
	return (
		<div class="star-editor stack">
			<StarMap galaxy={galaxy} me={galaxy.mover} targets={() => []} selected={selected} onSelect={setSelected} onSend={() => {}} threats={false} arrows={[]}
				label={t("starchess.mapEditor")} />
			<div class="row map-tools"><Legend /></div>
			{sector ? <SectorForm sector={sector} onChange={changeSector} /> : <p class="quiet">{t("starchess.selectToChange")}</p>}
			<section class="card stack" aria-label={t("starchess.factions")}>
				<div class="row">
					<NumberField label={t("starchess.turn")} value={galaxy.turn} min={1} max={9999} onChange={(turn) => change({ ...galaxy, turn })} />
					<Choice label={t("starchess.sideToMove")} value={galaxy.mover} onChange={(mover) => change({ ...galaxy, mover })}>
						{FACTIONS.map((faction) => <option key={faction} value={faction}>{factionName(faction)}</option>)}
					</Choice>
				</div>
				{FACTIONS.map((faction) => {
					const reserve = galaxy.reserves[faction - 1]!;
					const set = (part: Partial<Reserve>) => change({ ...galaxy, reserves: galaxy.reserves.map((one, i) => i === faction - 1 ? { ...one, ...part } : one) });
					return reserve.defeated ? <p key={faction} class="small quiet">{t("starchess.editorDefeated", { faction: factionName(faction) })}</p> : (
						<div key={faction} class="row">
							<NumberField label={t("starchess.materialsOf", { faction: factionName(faction) })} value={reserve.materials} min={0} max={999999999} onChange={(materials) => set({ materials })} />
							<NumberField label={t("starchess.creditsOf", { faction: factionName(faction) })} value={reserve.credits} min={0} max={999999999} onChange={(credits) => set({ credits })} />
						</div>
					);
				})}
			</section>
		</div>
	);
}

/** Makes the numbers consistent: no people without a colony, no more ready ships than ships. */
export function tidy(sector: Sector): Sector {
	const owner = sector.owner, fleet = sector.ships > 0 ? sector.fleet : 0;
	const people = owner ? Math.max(SETTLERS, sector.people) : 0, ships = fleet ? sector.ships : 0;
	return { ...sector, people, worked: Math.min(sector.worked, people), fleet, ships, ready: Math.min(sector.ready, ships) };
}

/** A faction without a colony on its home world is defeated and owns nothing. */
export function withDefeats(galaxy: Galaxy): Galaxy {
	const lost = (faction: number) => galaxy.sectors[HOMES[faction - 1] ?? 0]?.owner !== faction;
	const sectors = galaxy.sectors.map((sector) => tidy({
		...sector, owner: sector.owner && lost(sector.owner) ? 0 : sector.owner, ships: sector.fleet && lost(sector.fleet) ? 0 : sector.ships,
	}));
	const reserves = galaxy.reserves.map((reserve, i) => lost(i + 1) ? { materials: 0, credits: 0, defeated: true } : { ...reserve, defeated: false });
	return { ...galaxy, sectors, reserves };
}

function SectorForm({ sector, onChange }: { sector: Sector; onChange(part: Partial<Sector>): void }) {
	return (
		<section class="card stack" aria-label={t("starchess.sectorName", { name: sector.name })}>
			<h2>{t("starchess.sectorName", { name: sector.name })}</h2>
			<div class="row">
				<Choice label={t("starchess.planetField")} value={sector.terran ? 1 : 0} onChange={(terran) => onChange({ terran: terran === 1 })}>
					<option value={1}>{t("starchess.terranWord")}</option><option value={0}>{t("starchess.barrenWord")}</option>
				</Choice>
				<Choice label={t("starchess.colonyOf")} value={sector.owner} onChange={(owner) => onChange({ owner })}><Factions /></Choice>
				{sector.owner ? <NumberField label={t("starchess.people")} value={sector.people} min={SETTLERS} max={1000} onChange={(people) => onChange({ people })} /> : null}
				{sector.owner ? <NumberField label={t("starchess.worked")} value={sector.worked} min={0} max={sector.people} onChange={(worked) => onChange({ worked })} /> : null}
			</div>
			<div class="row">
				<Choice label={t("starchess.shipsOf")} value={sector.fleet} onChange={(fleet) => onChange(fleet ? { fleet, ships: sector.ships || 20, ready: sector.ships ? sector.ready : 20 } : { fleet, ships: 0 })}><Factions /></Choice>
				{sector.fleet ? <NumberField label={t("starchess.ships")} value={sector.ships} min={1} max={MOST_SHIPS} onChange={(ships) => onChange({ ships, ready: sector.ready === sector.ships ? ships : sector.ready })} /> : null}
				{sector.fleet ? <NumberField label={t("starchess.ready")} value={sector.ready} min={0} max={sector.ships} onChange={(ready) => onChange({ ready })} /> : null}
			</div>
		</section>
	);
}

function Factions() {
	return <><option value={0}>{t("starchess.nobody")}</option>{FACTIONS.map((faction) => <option key={faction} value={faction}>{factionName(faction)}</option>)}</>;
}

function Choice({ label, value, onChange, children }: { label: string; value: number; onChange(value: number): void; children: ComponentChildren }) {
	return (
		<label class="field"><span>{label}</span>
			<select value={String(value)} onChange={(event) => onChange(Number(event.currentTarget.value))}>{children}</select>
		</label>
	);
}

/** Accepts a number within its bounds; otherwise restores the old value. */
function NumberField({ label, value, min, max, onChange }: { label: string; value: number; min: number; max: number; onChange(value: number): void }) {
	return (
		<label class="field"><span>{label}</span>
			<input type="number" min={min} max={max} step={1} value={value} onChange={(event) => {
				const next = event.currentTarget.valueAsNumber;
				if (Number.isInteger(next) && next >= min && next <= max)
					onChange(next);
				else
					event.currentTarget.value = String(value);
			}} />
		</label>
	);
}
