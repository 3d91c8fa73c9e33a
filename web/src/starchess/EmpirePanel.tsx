// EmpirePanel.tsx - resources now and after this turn, and the standings of the four factions.
// SPDX-License-Identifier: MIT
import { minus, t } from "../messages";
import { fetchPosition, useLoad } from "../pages/parts";
import { factionName } from "./commands";
import { budgetOf, FACTIONS, KEEP, readGalaxy, shipsOf, type Galaxy } from "./galaxy";
import { Sign } from "./mapparts";

interface EmpireProps {
	game: string;
	position: string;
	galaxy: Galaxy;
	me: number;
	scores: number[] | null;
	over: boolean; // no turn follows
}

/** The position after the end of the turn, computed by the server; null: not loaded yet. */
function useForecast(game: string, position: string, enabled: boolean): Galaxy | null {
	const key = enabled ? `${game} ${position}` : "";
	const loaded = useLoad(key, async () => ({ key, galaxy: readGalaxy((await fetchPosition(game, position, ["end"])).position) }));
	return loaded.value && loaded.value.key === key ? loaded.value.galaxy : null;
}

function signed(number: number): string {
	return number > 0 ? `+${number}` : minus(number);
}

export function EmpirePanel({ game, position, galaxy, me, scores, over }: EmpireProps) {
	const turns = galaxy.mover === me && !galaxy.reserves[me - 1]?.defeated;
	const next = useForecast(game, position, turns && !over);
	const reserve = galaxy.reserves[me - 1], after = next?.reserves[me - 1];
	const { materials, credits, consumed, ships, capacity, excess } = budgetOf(galaxy, me);
	const kept = Math.min(ships, capacity);
	return (
		<section class="card empire" aria-labelledby="empire">
			<h2 id="empire">{t("starchess.resourcesOf", { faction: factionName(me) })}</h2>
			<table class="figures">
				<thead><tr><td /><th scope="col">{t("starchess.materials")}</th><th scope="col">{t("starchess.credits")}</th></tr></thead>
				<tbody>
					<tr><th scope="row">{t("starchess.inReserve")}</th><td>{reserve?.materials}</td><td>{reserve?.credits}</td></tr>
					<tr><th scope="row">{t("starchess.coloniesProduce")}</th><td>{signed(materials)}</td><td>{signed(credits)}</td></tr>
					<tr><th scope="row">{t("starchess.coloniesConsume")}</th><td>0</td><td>{signed(-consumed)}</td></tr>
					<tr><th scope="row">{t("starchess.supportFor", { n: kept })}</th><td>{signed(-KEEP.materials * kept)}</td><td>{signed(-KEEP.credits * kept)}</td></tr>
					<tr class="sum"><th scope="row">{turns ? t("starchess.afterTurn") : t("starchess.afterNextTurn")}</th>
						<td>{after?.materials ?? (reserve?.materials ?? 0) + materials - KEEP.materials * kept}</td>
						<td>{after?.credits ?? Math.max(0, (reserve?.credits ?? 0) + credits - consumed - KEEP.credits * kept)}</td></tr>
				</tbody>
			</table>
			<p class={`small${excess ? " warning" : " quiet"}`}>
				{excess ? t("starchess.excess", { n: ships, capacity, excess })
					: t("starchess.capacity", { n: ships, capacity })}
				{next ? ` ${populationText(galaxy, next, me)}` : ""}
			</p>
			<table class="figures standings">
				<caption>{t("starchess.allFactions")}</caption>
				<thead><tr><th scope="col">{t("starchess.faction")}</th><th scope="col">{t("starchess.score")}</th><th scope="col">{t("starchess.ships")}</th><th scope="col">{t("starchess.colonies")}</th><th scope="col"><abbr title={t("starchess.materials")}>{t("starchess.materialsShort")}</abbr></th><th scope="col"><abbr title={t("starchess.credits")}>{t("starchess.creditsShort")}</abbr></th></tr></thead>
				<tbody>
					{FACTIONS.map((faction) => (
						<tr key={faction} class={faction === me ? "me" : undefined}>
							<th scope="row"><Mark faction={faction} />{factionName(faction)}</th>
							{galaxy.reserves[faction - 1]?.defeated ? <td colSpan={5}>{t("starchess.defeated")}</td> : (
								<>
									<td>{minus(scores?.[faction - 1] ?? "")}</td>
									<td>{shipsOf(galaxy, faction)}</td>
									<td>{budgetOf(galaxy, faction).colonies}</td>
									<td>{galaxy.reserves[faction - 1]?.materials}</td>
									<td>{galaxy.reserves[faction - 1]?.credits}</td>
								</>
							)}
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

/** The symbol of a faction in its colour. */
export function Mark({ faction }: { faction: number }) {
	return <svg class={`mark of-${faction}`} viewBox="-16 -16 32 32" width="16" height="16" aria-hidden="true"><Sign faction={faction} /></svg>;
}

function populationText(now: Galaxy, next: Galaxy, faction: number): string {
	const people = (galaxy: Galaxy) => galaxy.sectors.reduce((sum, { owner, people: here }) => sum + (owner === faction ? here : 0), 0);
	const before = people(now), after = people(next);
	return before === after ? t("starchess.peopleSame", { n: before }) : t("starchess.peopleAfter", { n: before, after });
}
