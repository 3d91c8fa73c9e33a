// StarBoard.tsx - the map in place of a board: on the analysis page and in matches.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useState } from "preact/hooks";
import type { BoardProps } from "../board/props";
import { CountDialog, type CountWish } from "./CountDialog";
import { chancesOf, readCommand, type Command } from "./commands";
import { readGalaxy } from "./galaxy";
import { Legend } from "./Legend";
import { SectorPanel } from "./SectorPanel";
import { StarMap } from "./StarMap";
import { buildWish, moveWish, scrapWish } from "./wishes";

const PARTS = 3; // cells of a sector, on the board that the game describes

/** What an arrow over such cells means: ships that go, or something done in a sector. */
function commandOf(touches: number[]): Command | null {
	const [from, to] = [touches[0], touches[touches.length - 1]].map((cell) => cell === undefined ? -1 : Math.floor(cell / PARTS));
	if (from === undefined || to === undefined || from < 0)
		return null;
	return { kind: from === to ? "colonize" : "move", from, to, count: 0 };
}

export function StarBoard({ view, interactive = false, onMove, arrows = [], label }: BoardProps) {
	const galaxy = useMemo(() => readGalaxy(view.position), [view.position]);
	const chances = useMemo(() => chancesOf(view.moves), [view.moves]);
	const [selected, setSelected] = useState<number | null>(null);
	const [wish, setWish] = useState<CountWish | null>(null);
	useEffect(() => setWish(null), [view.position]);
	if (!galaxy)
		return <pre class="text-board">{view.text ?? view.position}</pre>;
	const me = galaxy.mover;
	const targets = (from: number) => interactive ? chances.moves.filter((move) => move.from === from).map(({ to }) => to) : [];
	const send = (from: number, to: number) => {
		const way = chances.moves.find((move) => move.from === from && move.to === to);
		if (way)
			setWish(moveWish(galaxy, me, from, to, way.most));
	};
	const last = view.last && readCommand(view.last.move);
	const planned = arrows.flatMap(({ touches }) => {
		const command = commandOf(touches);
		return command ? [{ command, faction: me, planned: true }] : [];
	});
	return (
		<div class="star-board stack">
			<StarMap galaxy={galaxy} me={me} targets={targets} selected={selected} onSelect={setSelected} onSend={send} threats={false}
				arrows={[...(last && view.last ? [{ command: last, faction: view.last.seat }] : []), ...planned]} label={label ?? `Star Chess map, turn ${galaxy.turn}`} />
			<div class="row map-tools"><Legend /></div>
			<SectorPanel galaxy={galaxy} me={me} sector={selected} chances={interactive ? chances : null} onSend={send}
				onBuild={(at) => setWish(buildWish(galaxy, me, at, chances.builds.get(at) ?? 1))}
				onScrap={(at) => setWish(scrapWish(galaxy, at, chances.scraps.get(at) ?? 1))} onOrder={(command) => onMove?.(command)} />
			{wish ? <CountDialog wish={wish} onClose={() => setWish(null)} onOrder={(command) => {
				setWish(null);
				onMove?.(command);
			}} /> : null}
		</div>
	);
}
