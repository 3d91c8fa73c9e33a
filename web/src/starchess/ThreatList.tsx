// ThreatList.tsx - the list of enemy ships that could reach your sectors within a turn.
// SPDX-License-Identifier: MIT
import { rich, t } from "../messages";
import { factionName } from "./commands";
import { threatCount, type Galaxy } from "./galaxy";
import { threatText } from "./SectorPanel";
import { isMine } from "./StarMap";

export function ThreatList({ galaxy, me }: { galaxy: Galaxy; me: number }) {
	const mine = galaxy.sectors.filter((sector) => isMine(sector, me))
		.sort((a, b) => threatCount(galaxy, me, b.index) - threatCount(galaxy, me, a.index));
	return (
		<section class="card threat-list" aria-label={t("starchess.threatsTo", { faction: factionName(me) })}>
			<p class="small quiet">{t("starchess.threatsAbout")}</p>
			<ul class="sector-facts">
				{mine.map(({ index, name, ships, fleet }) => (
					<li key={index} class={threatCount(galaxy, me, index) ? "bad" : "good"}>
						{rich("starchess.threatsIn",
							{ b: (text) => <strong>{text}</strong>, sector: name, mine: String(fleet === me), n: ships, threats: threatText(galaxy, me, index) })}
					</li>
				))}
				{mine.length ? null : <li>{t("starchess.nothingLeft", { faction: factionName(me) })}</li>}
			</ul>
		</section>
	);
}
