// StarMap.tsx - the map of the galaxy: planets, colonies, fleets, reach and threats; orders by click, drag and key.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { useMapLook } from "../board/looks";
import { cellAt, useDrag } from "../board/useDrag";
import { boardShown } from "../engine/core";
import { t } from "../messages";
import { announce } from "../ui/announce";
import { isPointing } from "../ui/keys";
import { factionName, type Command } from "./commands";
import { HOMES, isBlockaded, reachNow, SIDE, threatCount, type Galaxy, type Sector } from "./galaxy";
import { ArrowLine, CELL, EDGE, Fleet, GAP, MAP_SIZE, middleOf, OrderBadge, Planet, ThreatBadge } from "./mapparts";

interface MapProps {
	galaxy: Galaxy;
	me: number; // whose threats are shown
	targets(from: number): number[]; // where ships of a sector can move now; empty: no orders possible
	selected: number | null;
	onSelect(sector: number | null): void;
	onSend(from: number, to: number): void;
	threats: boolean;
	arrows: { command: Command; faction: number; planned?: boolean }[]; // planned: suggested by the computer
	label: string;
}

export function StarMap({ galaxy, me, targets, selected, onSelect, onSend, threats, arrows, label }: MapProps) {
	const [focus, setFocus] = useState(HOMES[me - 1] ?? 0);
	const [pointed, setPointed] = useState<number | null>(null);
	const svg = useRef<SVGSVGElement>(null);
	const { theme, set } = useMapLook("starchess");
	useEffect(boardShown, []);
	const source = selected ?? pointed;
	const shown = source === null ? [] : selected === source && targets(source).length ? targets(source) : reachNow(galaxy, source);
	const reach = new Set(shown);

	function press(sector: number): void {
		setFocus(sector);
		if (selected !== null && selected !== sector && targets(selected).includes(sector))
			return onSend(selected, sector);
		onSelect(selected === sector ? null : sector);
		if (selected !== sector) {
			const to = targets(sector).map((one) => galaxy.sectors[one]?.name).join(", ");
			const text = sectorText(galaxy, sector, me);
			announce(to ? t("starchess.sectorSelectedMoves", { sector: text, sectors: to }) : t("starchess.sectorSelected", { sector: text }));
		}
	}

	const drag = useDrag(
		(from) => targets(from).length > 0,
		(from) => onSelect(from),
		(from, to) => {
			if (to !== null && targets(from).includes(to))
				onSend(from, to);
			return false; // the fleet goes back until the order is given
		});

	function goTo(sector: number): void {
		setFocus(sector);
		svg.current?.querySelector<SVGElement>(`[data-cell="${sector}"]`)?.focus();
	}

	function onKeyDown(event: KeyboardEvent): void {
		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		const column = Math.floor(focus / SIDE), row = focus % SIDE;
		const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
		if (step) {
			const x = column + (step[0] ?? 0), y = row + (step[1] ?? 0);
			if (x >= 0 && x < SIDE && y >= 0 && y < SIDE)
				goTo(x * SIDE + y);
		} else if (event.key === "Enter" || event.key === " ")
			press(focus);
		else if (event.key === "Escape" && selected !== null)
			onSelect(null);
		else
			return;
		event.preventDefault();
	}

	function labelOf(sector: Sector): string {
		const parts = [sectorText(galaxy, sector.index, me)];
		const threat = threatCount(galaxy, me, sector.index);
		if (threats && isMine(sector, me))
			parts.push(t("starchess.threatenedWord", { n: threat }));
		if (sector.index === selected)
			parts.push(t("starchess.selected"));
		if (reach.has(sector.index) && selected !== null)
			parts.push(t("starchess.withinReach", { sector: galaxy.sectors[selected]?.name ?? "" }));
		return parts.join(", ");
	}

	const node = (i: number) => {
		const sector = galaxy.sectors[i]!, { x, y } = middleOf(i);
		const classes = ["sector", i === selected ? "selected" : "", reach.has(i) ? "reached" : "",
			reach.has(i) && sector.ships && sector.fleet !== galaxy.sectors[source ?? -1]?.fleet ? "fought" : "",
			targets(i).length ? "lifts" : ""];
		const leave = () => setPointed((now) => now === i ? null : now);
		return (
			<g key={i} role="gridcell" data-cell={i} tabindex={i === focus ? 0 : -1} aria-label={labelOf(sector)}
				aria-selected={i === selected ? true : undefined} transform={`translate(${x} ${y})`} class={classes.join(" ")}
				onFocus={() => { setFocus(i); setPointed(isPointing() ? null : i); }} onBlur={leave}
				onPointerEnter={() => setPointed(i)} onPointerLeave={leave}>
				<rect class="face" x={-CELL / 2} y={-CELL / 2} width={CELL} height={CELL} rx="12" />
			</g>
		);
	};
	const contents = (sector: Sector) => {
		const { x, y } = middleOf(sector.index);
		const threat = threatCount(galaxy, me, sector.index);
		return (
			<g key={sector.index} transform={`translate(${x} ${y})`}>
				<text class="sector-name" x={-CELL / 2 + 12} y={-CELL / 2 + 30}>{sector.name}</text>
				<Planet sector={sector} />
				{threats && isMine(sector, me) && threat > 0 ? <ThreatBadge count={threat} /> : null}
			</g>
		);
	};

	const rows = Array.from({ length: SIDE }, (_, r) => Array.from({ length: SIDE }, (_, c) => c * SIDE + SIDE - 1 - r));
	return (
		<svg ref={svg} class={`board starmap ${set}`} style={theme} viewBox={`0 0 ${MAP_SIZE} ${MAP_SIZE}`} role="grid" aria-label={label} onKeyDown={onKeyDown}
			onPointerDown={drag.onPointerDown} onPointerMove={drag.onPointerMove} onPointerUp={drag.onPointerUp}
			onPointerCancel={drag.onPointerCancel} onTouchMove={drag.onTouchMove}
			onClick={(event) => {
				const sector = cellAt(event.target);
				if (!drag.swallowClick() && sector !== null)
					press(sector);
			}}>
			{rows.map((row, i) => <g key={i} role="row">{row.map(node)}</g>)}
			<g class="over" aria-hidden="true">{galaxy.sectors.map(contents)}</g>
			<g class="fleets" aria-hidden="true">
				{galaxy.sectors.filter(({ ships }) => ships > 0).map((sector) => {
					const { x, y } = middleOf(sector.index);
					return (
						<g key={`${sector.index} ${sector.fleet}`} class="piece" transform={`translate(${x} ${y})`}>
							<g class="mover" data-at={sector.index}><Fleet sector={sector} /></g>
						</g>
					);
				})}
			</g>
			<g class="over" aria-hidden="true">
				{arrows.filter(({ command }) => command.kind === "move").map(({ command, faction, planned }, i) => (
					<ArrowLine key={i} from={middleOf(command.from)} to={middleOf(command.to)} faction={faction} count={command.count} planned={planned ?? false} />
				))}
				{arrows.filter(({ command }) => command.kind !== "move" && command.kind !== "end").map(({ command, faction }, i) => {
					const { x, y } = middleOf(command.from);
					return (
						<g key={i} transform={`translate(${x} ${y})`}>
							<rect class={`ordered of-${faction}`} x={-CELL / 2 + 4} y={-CELL / 2 + 4} width={CELL - 8} height={CELL - 8} rx="10" />
							<OrderBadge command={command} faction={faction} />
						</g>
					);
				})}
			</g>
			<g class="under" aria-hidden="true">
				{"ABCD".split("").map((letter, i) => <text key={letter} x={EDGE + i * (CELL + GAP) + CELL / 2} y={MAP_SIZE - 10}>{letter}</text>)}
				{[4, 3, 2, 1].map((digit, i) => <text key={digit} x={EDGE / 2} y={i * (CELL + GAP) + CELL / 2} dy="0.35em">{digit}</text>)}
			</g>
		</svg>
	);
}

export function isMine({ owner, fleet }: Sector, me: number): boolean {
	return owner === me || fleet === me;
}

/** "A1, home world of Red, terran, 1000 people, 20 ships of Red, 12 ready" */
export function sectorText(galaxy: Galaxy, index: number, me: number): string {
	const sector = galaxy.sectors[index]!;
	const parts = [sector.name];
	const terran = String(sector.terran);
	if (sector.owner) {
		const home = HOMES[sector.owner - 1] === index;
		parts.push(t("starchess.colonyPlace", { home: String(home), faction: factionName(sector.owner), terran, n: sector.people }));
		if (isBlockaded(sector))
			parts.push(t("starchess.blockaded"));
	} else
		parts.push(t("starchess.emptyPlanet", { terran }));
	if (sector.ships) {
		parts.push(t("starchess.shipsOfFaction", { n: sector.ships, faction: factionName(sector.fleet) }));
		if (sector.fleet === me)
			parts.push(sector.ready === sector.ships ? t("starchess.allReady") : t("starchess.someReady", { n: sector.ready }));
	}
	return parts.join(", ");
}

