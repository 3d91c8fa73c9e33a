// Predictor.tsx - the mask predictor of Star Chess: its requests and masks, and the tree of turns that it predicts, on the map.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useState } from "preact/hooks";
import { rich, t } from "../messages";
import { fetchPosition, useLoad, Waiting } from "../pages/parts";
import { factionName, readCommand } from "../starchess/commands";
import { Mark } from "../starchess/EmpirePanel";
import { readGalaxy, sectorOf } from "../starchess/galaxy";
import { Legend } from "../starchess/Legend";
import { MAP_SIZE, middleOf } from "../starchess/mapparts";
import { StarMap } from "../starchess/StarMap";
import { turnText } from "../starchess/ThinkingPanel";
import type { Explanation, ThoughtRequest } from "../types";
import { labRequest } from "./request";
import { StepButtons } from "./Steps";

interface PredictedTurn {
	parent: number;
	level: number;
	seat: number;
	without: string[];
	commands: string[];
	scores: number[] | null;
	best: number; // the turn chosen after it; -1: none
}

interface Predicted extends Explanation {
	tree: { seen: number; nodes: PredictedTurn[] };
}

const NODES = 3000, TURN_MS = 1500;
const MOST = 40; // turns below one that are listed

export function Predictor() {
	const [ahead, setAhead] = useState(1);
	const [played, setPlayed] = useState<string[][]>([]); // the commands of each turn
	const [playing, setPlaying] = useState(false);
	const moves = played.flat(), key = `${ahead} ${moves.join(";")}`;
	const loaded = useLoad(key, async () => {
		const view = await fetchPosition("starchess", "start", moves);
		const found = view.over ? null : await labRequest<Predicted>("mask", { game: "starchess", moves, player: `mask:turns=${ahead}`, nodes: NODES });
		return { key, moves, view, found };
	});
	const shown = loaded.value, now = shown?.key === key ? shown : null; // the turn before stays until the next one is ready
	const next = now?.found?.line[0]?.commands;
	const step = () => next && setPlayed([...played, next]);
	const go = (to: number) => {
		setPlayed(played.slice(0, to));
		setPlaying(false);
	};
	useEffect(() => {
		if (!playing || !now)
			return;
		if (!next)
			return setPlaying(false);
		const timer = setTimeout(step, TURN_MS);
		return () => clearTimeout(timer);
	}, [playing, now]);
	return (
		<section class="card stack" aria-labelledby="predictor">
			<h2 id="predictor">{t("lab.masksTitle")}</h2>
			<p class="quiet">{t("lab.masksAbout")}</p>
			<div class="row">
				<StepButtons label={t("lab.turns")} isFirst={!played.length} isLast={!next} playing={playing} onFirst={() => go(0)} onBack={() => go(played.length - 1)}
					onToggle={() => setPlaying(!playing)} onStep={() => void step()}>
					<span class="small quiet">{t("lab.turnsPlayed", { n: played.length })}</span>
				</StepButtons>
				<label class="field"><span>{t("lab.turnsAhead")}</span>
					<select value={ahead} onChange={(event) => setAhead(Number(event.currentTarget.value))}>{[0, 1, 2].map((one) => <option key={one} value={one}>{one}</option>)}</select>
				</label>
			</div>
			{!shown ? <Waiting loaded={loaded} /> : shown.found
				? <Thought key={shown.key} found={shown.found} moves={shown.moves} position={shown.view.position} /> : <p role="status">{t("lab.gameOver")}</p>}
		</section>
	);
}

function pathOf(nodes: PredictedTurn[], node: number): number[] {
	return node < 0 ? [] : [...pathOf(nodes, nodes[node]?.parent ?? -1), node];
}

function below(nodes: PredictedTurn[], parent: number): number[] {
	return nodes.flatMap((node, i) => node.parent === parent ? [i] : []);
}

/** What it thinks in one position. The chosen turn of the tree is drawn on the map, in the position before it. */
function Thought({ found, moves, position }: { found: Predicted; moves: string[]; position: string }) {
	const { nodes, seen } = found.tree;
	const roots = useMemo(() => below(nodes, -1), [nodes]);
	const [chosen, setChosen] = useState(roots[found.chosen] ?? 0);
	const [selected, setSelected] = useState<number | null>(null);
	const path = pathOf(nodes, chosen), turn = nodes[chosen];
	const before = path.slice(0, -1).flatMap((node) => nodes[node]?.commands ?? []);
	const view = useLoad(`${position} ${before.join(";")}`, () => fetchPosition("starchess", "start", [...moves, ...before]));
	const galaxy = useMemo(() => readGalaxy(view.value?.position ?? position), [view.value, position]);
	const arrows = (turn?.commands ?? []).flatMap((text) => {
		const command = readCommand(text);
		return command && command.kind !== "end" ? [{ command, faction: turn!.seat, planned: true }] : [];
	});
	const me = factionName(found.seat);
	const shown = turn && { faction: <strong>{factionName(turn.seat)}</strong>, turn: turnText({ ...turn, scores: turn.scores ?? [] }) };
	return (
		<div class="lab-sample">
			<div class="stack">
				{galaxy && <div class="lab-starmap">
					<StarMap galaxy={galaxy} me={turn?.seat ?? found.seat} targets={() => []} selected={selected} onSelect={setSelected} onSend={() => {}} threats={false} arrows={arrows}
						label={t("lab.mapBefore", { faction: factionName(turn?.seat ?? found.seat) })} />
					{path.length <= 1 && <RequestMarks requests={found.requests} without={turn?.without ?? []} />}
				</div>}
				<div class="row map-tools"><Legend /></div>
				<p class="small" role="status">{turn && shown && <><Mark faction={turn.seat} />{path.length > 1 ? rich("lab.turnPredicted", shown) : rich("lab.turnMade", shown)}</>}</p>
			</div>
			<div class="stack">
				<h3>{t("lab.requestsHeading", { faction: me })}</h3>
				<RequestList requests={found.requests} without={turn && path.length === 1 ? turn.without : []} />
				<h3>{t("lab.masksHeading")}</h3>
				<p class="small">{t("lab.masksCount", { masks: found.masks.length, all: found.all, turns: seen, faction: me })}</p>
				<ul class="lab-turns">
					{roots.map((node, i) => <Turn key={node} nodes={nodes} node={node} me={found.seat} isBest={i === found.chosen} chosen={chosen} onChoose={setChosen} />)}
				</ul>
			</div>
		</div>
	);
}

/** The requests on the map, crossed out if the mask leaves them out. */
function RequestMarks({ requests, without }: { requests: ThoughtRequest[]; without: string[] }) {
	return (
		<svg class="lab-requests" viewBox={`0 0 ${MAP_SIZE} ${MAP_SIZE}`} aria-hidden="true">
			{requests.map(({ sector, most }, i) => {
				const { x, y } = middleOf(sectorOf(sector));
				return (
					<g key={sector} class={without.includes(sector) ? "masked" : ""} transform={`translate(${x} ${y})`}>
						<rect x={-96} y={-96} width={192} height={192} rx={10} />
						<text x={88} y={-64} text-anchor="end">{`${i + 1}: ${most}▲`}</text>
						{without.includes(sector) && <path d="M-80 -80L80 80M80 -80L-80 80" />}
					</g>
				);
			})}
		</svg>
	);
}

function RequestList({ requests, without }: { requests: ThoughtRequest[]; without: string[] }) {
	if (!requests.length)
		return <p class="small">{t("lab.noRequests")}</p>;
	return (
		<ol class="lab-asked">
			{requests.map(({ sector, goal, least, most, priority }) => <li key={sector} class={without.includes(sector) ? "masked" : ""}>
				{rich("lab.request", { sector: <strong>{sector}</strong>, goal, range: String(least !== most), least, most, priority, masked: String(without.includes(sector)) })}</li>)}
		</ol>
	);
}

interface TurnProps {
	nodes: PredictedTurn[];
	node: number;
	me: number;
	isBest: boolean;
	chosen: number;
	onChoose(node: number): void;
}

/** A turn, and those that follow it; they open along the chosen line. */
function Turn({ nodes, node, me, isBest, chosen, onChoose }: TurnProps) {
	const turn = nodes[node]!, children = below(nodes, node);
	const [open, setOpen] = useState(isBest);
	const name = turn.without.length ? t("lab.without", { sectors: turn.without.join(", ") }) : t("lab.allRequests");
	return (
		<li>
			<div class="lab-turn">
				{children.length > 0 && <button type="button" class="text" aria-expanded={open} aria-label={t("lab.turnsAfter", { faction: factionName(turn.seat), mask: name })} onClick={() => setOpen(!open)}>{open ? "▾" : "▸"}</button>}
				<button type="button" class={isBest ? "text best" : "text"} aria-pressed={node === chosen} onClick={() => onChoose(node)}>
					<Mark faction={turn.seat} />{t("lab.turnMask", { faction: factionName(turn.seat), mask: name })}{turn.scores && ` → ${turn.scores[me - 1]}`}
				</button>
			</div>
			{open && children.length > 0 && <ul class="lab-turns">
				{children.slice(0, MOST).map((child) => <Turn key={child} nodes={nodes} node={child} me={me} isBest={child === turn.best} chosen={chosen} onChoose={onChoose} />)}
				{children.length > MOST && <li class="small quiet">{t("lab.moreTurns", { n: children.length - MOST })}</li>}
			</ul>}
		</li>
	);
}
