// Legend.tsx - the legend of the map.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t } from "../messages";
import { Dialog } from "../ui/dialog";
import { FACTION_NAMES } from "./commands";
import { Mark } from "./EmpirePanel";
import type { Sector } from "./galaxy";
import { Fleet, Planet, ThreatBadge } from "./mapparts";

const NOTHING: Sector = { index: 5, name: "B2", terran: true, owner: 0, people: 0, worked: 0, fleet: 0, ships: 0, ready: 0 };

function Sample({ children }: { children: ComponentChildren }) {
	return (
		<svg class="board starmap sample" viewBox="-100 -100 200 200" aria-hidden="true">
			<rect class="face" x="-100" y="-100" width="200" height="200" rx="12" />
			{children}
		</svg>
	);
}

const SIGNS: { text: string; sector: Partial<Sector>; threat?: number }[] = [
	{ text: t("starchess.legendTerran"), sector: {} },
	{ text: t("starchess.legendBarren"), sector: { terran: false } },
	{ text: t("starchess.legendColony"), sector: { index: 0, owner: 1, people: 1000 } },
	{ text: t("starchess.legendFleet"), sector: { fleet: 4, ships: 30, ready: 12 } },
	{ text: t("starchess.legendBlockade"), sector: { owner: 3, people: 240, fleet: 4, ships: 8, ready: 8 } },
	{ text: t("starchess.legendThreats"), sector: { owner: 1, people: 90, fleet: 1, ships: 9, ready: 9 }, threat: 24 },
];

export function Legend() {
	const [open, setOpen] = useState(false);
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>{t("starchess.legend")}</button>
			{open ? (
				<Dialog title={t("starchess.legendTitle")} onClose={() => setOpen(false)}>
					<ul class="legend">
						{SIGNS.map(({ text, sector, threat }) => {
							const full = { ...NOTHING, ...sector };
							return (
								<li key={text}>
									<Sample><Planet sector={full} />{full.ships ? <Fleet sector={full} /> : null}{threat ? <ThreatBadge count={threat} /> : null}</Sample>
									<span>{text}</span>
								</li>
							);
						})}
						<li><span class="row">{[1, 2, 3, 4].map((faction) => <span key={faction} class="row"><Mark faction={faction} />{FACTION_NAMES[faction]}</span>)}</span></li>
					</ul>
					<button type="button" onClick={() => setOpen(false)}>{t("ui.close")}</button>
				</Dialog>
			) : null}
		</>
	);
}
