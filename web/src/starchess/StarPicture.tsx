// StarPicture.tsx - the map of Star Chess as a small picture, drawn from the pieces of its board.
// SPDX-License-Identifier: MIT
import { useEffect } from "preact/hooks";
import type { MapLook } from "../board/looks";
import { boardShown } from "../engine/core";
import type { Standing } from "../types";
import { FACTIONS, sectorName, SECTORS, type Sector } from "./galaxy";
import { CELL, Fleet, MAP_SIZE, middleOf, Planet } from "./mapparts";

/* The cells and pieces of the board, as src/games/starchess/board.c numbers them. */
const PARTS = 3; // cells of a sector: planet, ships that are ready, other ships
const KINDS = FACTIONS.length + 1; // planets of nobody and of each faction: terran ones, then barren ones, then fleets

/** The sectors that the pieces show. */
export function sectorsOf(standing: Standing[]): Sector[] {
	const sectors = Array.from({ length: SECTORS }, (_, index): Sector =>
		({ index, name: sectorName(index), terran: false, owner: 0, people: 0, worked: 0, fleet: 0, ships: 0, ready: 0 }));
	for (const [cell, piece, count] of standing) {
		const sector = sectors[Math.floor(cell / PARTS)];
		if (!sector)
			continue;
		if (cell % PARTS === 0) {
			sector.terran = piece < KINDS;
			sector.owner = piece % KINDS;
			sector.people = count;
		} else {
			sector.fleet = piece - 2 * KINDS + 1;
			sector.ships += count;
			sector.ready += cell % PARTS === 1 ? count : 0;
		}
	}
	return sectors;
}

/** only: the sector to show alone. */
export function StarPicture({ standing, look, only }: { standing: Standing[]; look?: MapLook; only?: number }) {
	useEffect(boardShown, []);
	const at = middleOf(only ?? 0);
	return (
		<svg class={`board picture starmap ${look?.set ?? ""}`} style={look?.theme} viewBox={only === undefined ? `0 0 ${MAP_SIZE} ${MAP_SIZE}` : `${at.x - CELL / 2} ${at.y - CELL / 2} ${CELL} ${CELL}`} aria-hidden="true">
			{sectorsOf(standing).filter(({ index }) => only === undefined || index === only).map((sector) => {
				const { x, y } = middleOf(sector.index);
				return (
					<g key={sector.index} transform={`translate(${x} ${y})`}>
						<rect class="face" x={-CELL / 2} y={-CELL / 2} width={CELL} height={CELL} rx="12" />
						<Planet sector={sector} />
						{sector.ships ? <Fleet sector={sector} /> : null}
					</g>
				);
			})}
		</svg>
	);
}
