// StarBoard.tsx - the map as a board component, for the analysis board and matches.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useState } from "preact/hooks";
import type { BoardProps } from "../board/props";
import { t } from "../messages";
import { CountDialog, type CountOrder } from "./CountDialog";
import { legalOrders, readCommand, type Command } from "./commands";
import { readGalaxy } from "./galaxy";
import { Legend } from "./Legend";
import { SectorPanel } from "./SectorPanel";
import { StarMap } from "./StarMap";
import { buildOrder, moveOrder, scrapOrder } from "./orders";

const PARTS = 3; // cells per sector in the board description of the server

/** The command for an arrow over these cells: a move, or an order within a sector. */
function commandOf(touches: number[]): Command | null {
	const [from, to] = [touches[0], touches[touches.length - 1]].map((cell) => cell === undefined ? -1 : Math.floor(cell / PARTS));
	if (from === undefined || to === undefined || from < 0)
		return null;
	return { kind: from === to ? "colonize" : "move", from, to, count: 0 };
}

export function StarBoard({ view, interactive = false, onMove, arrows = [], label }: BoardProps) {
	const galaxy = useMemo(() => readGalaxy(view.position), [view.position]);
	const legal = useMemo(() => legalOrders(view.moves), [view.moves]);
	const [selected, setSelected] = useState<number | null>(null);
	const [counting, setCounting] = useState<CountOrder | null>(null);
	useEffect(() => setCounting(null), [view.position]);
	if (!galaxy)
		return <pre class="text-board">{view.text ?? view.position}</pre>;
	const me = galaxy.mover;
	const targets = (from: number) => interactive ? legal.moves.filter((move) => move.from === from).map(({ to }) => to) : [];
	const send = (from: number, to: number) => {
		const way = legal.moves.find((move) => move.from === from && move.to === to);
		if (way)
			setCounting(moveOrder(galaxy, me, from, to, way.most));
	};
	const last = view.last && readCommand(view.last.move);
	const planned = arrows.flatMap(({ touches }) => {
		const command = commandOf(touches);
		return command ? [{ command, faction: me, planned: true }] : [];
	});
	return (
		<div class="star-board stack">
			<StarMap galaxy={galaxy} me={me} targets={targets} selected={selected} onSelect={setSelected} onSend={send} threats={false}
				arrows={[...(last && view.last ? [{ command: last, faction: view.last.seat }] : []), ...planned]} label={label ?? t("starchess.map", { turn: galaxy.turn })} />
			<div class="row map-tools"><Legend /></div>
			<SectorPanel galaxy={galaxy} me={me} sector={selected} legal={interactive ? legal : null} onSend={send}
				onBuild={(at) => setCounting(buildOrder(galaxy, me, at, legal.builds.get(at) ?? 1))}
				onScrap={(at) => setCounting(scrapOrder(galaxy, at, legal.scraps.get(at) ?? 1))} onOrder={(command) => onMove?.(command)} />
			{counting ? <CountDialog order={counting} onClose={() => setCounting(null)} onOrder={(command) => {
				setCounting(null);
				onMove?.(command);
			}} /> : null}
		</div>
	);
}
