// ThreatList.tsx - the list of enemy ships that could reach your sectors within a turn.
// SPDX-License-Identifier: MIT
import { factionName } from "./commands";
import { threatCount, type Galaxy } from "./galaxy";
import { threatText } from "./SectorPanel";
import { isMine } from "./StarMap";

export function ThreatList({ galaxy, me }: { galaxy: Galaxy; me: number }) {
	const mine = galaxy.sectors.filter((sector) => isMine(sector, me))
		.sort((a, b) => threatCount(galaxy, me, b.index) - threatCount(galaxy, me, a.index));
	return (
		<section class="card threat-list" aria-label={`Threats to ${factionName(me)}`}>
			<p class="small quiet">Enemy ships that are in your sectors or could arrive within a turn, as the computer counts them. They may belong to
				several fleets, and not all of them need to come.</p>
			<ul class="sector-facts">
				{mine.map(({ index, name, ships, fleet }) => (
					<li key={index} class={threatCount(galaxy, me, index) ? "bad" : "good"}>
						<strong>{name}</strong>{fleet === me ? ` (${ships} of yours)` : ""}: {threatText(galaxy, me, index)}
					</li>
				))}
				{mine.length ? null : <li>{factionName(me)} has nothing left on the map.</li>}
			</ul>
		</section>
	);
}
