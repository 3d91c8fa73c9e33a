// Pane.tsx - the tree of one player, with its counters.
// SPDX-License-Identifier: MIT
import { useMemo, useState } from "preact/hooks";
import { number, rich, t } from "../messages";
import type { Run } from "./Bench";
import { closeBelow, firstPly } from "./layout";
import { isWon, nodesAt, pathTo, type SearchTree } from "./log";
import { SeatChip } from "./NodePanel";
import { TextTree } from "./TextTree";
import { TreeCanvas } from "./TreeCanvas";

export function Pane({ run, event, view, active, chosen, windows, counters, onChoose, onHover }: {
	run: Run; event: number; view: "tree" | "text"; active: boolean; chosen: number; windows: boolean; counters: boolean;
	onChoose(node: number): void; onHover(node: number): void;
}) {
	const { tree, spec, name, error } = run;
	return (
		<section class={active ? "card lab-pane active" : "card lab-pane"} aria-label={name}>
			<header class="lab-pane-head">
				<h2 title={spec}>{name}</h2>
				{tree && counters && <Counters tree={tree} event={event} />}
			</header>
			{error && <p class="failure" role="alert">{error}</p>}
			{tree && <OpenPane tree={tree} spec={spec} name={name} event={event} view={view} chosen={chosen} windows={windows} onChoose={onChoose} onHover={onHover} />}
		</section>
	);
}

/** Every number grows step by step; what the search counts besides stands apart. */
function Counters({ tree, event }: { tree: SearchTree; event: number }) {
	const { choosing } = tree, last = tree.events - 1;
	const count = (name: string, value: number, about?: Term) =>
		<div key={name}><dt {...(about ? { title: t("lab.term", { ...about }) } : {})}>{name}</dt><dd>{number(value)}</dd></div>;
	if (tree.kind !== "search")
		return <dl class="lab-counters">{count(tree.kind === "mcts" ? t("lab.playouts") : t("lab.expansions"), event + 1)}{count(t("lab.nodes"), nodesAt(tree, event))}</dl>;
	return (
		<dl class="lab-counters">
			{count(t("lab.nodes"), tree.nodes[event] ?? 0, COUNTED.nodes)}
			{count(t("lab.leavesEvaluated", { n: tree.evaluations[event] ?? 0 }), tree.evaluations[event] ?? 0, COUNTED.leaves)}
			{count(t("lab.cuts", { n: tree.cuts[event] ?? 0 }), tree.cuts[event] ?? 0, COUNTED.cuts)}
			{(tree.prunes[last] ?? 0) > 0 && count(t("lab.prunes"), tree.prunes[event] ?? 0, COUNTED.prunes)}
			{choosing.evaluations + choosing.nodes > 0 && count(t("lab.choosing"), Math.max(choosing.evaluations, choosing.nodes), COUNTED.choosing)}
		</dl>
	);
}

interface Term {
	term: string;
	meaning: string;
}

/** What the counters count. */
export const COUNTED = {
	nodes: { term: t("lab.nodesTerm"), meaning: t("lab.nodesMeaning") },
	leaves: { term: t("lab.leavesTerm"), meaning: t("lab.leavesMeaning") },
	cuts: { term: t("lab.cutsTerm"), meaning: t("lab.cutsMeaning") },
	prunes: { term: t("lab.prunesTerm"), meaning: t("lab.prunesMeaning") },
	choosing: { term: t("lab.choosingTerm"), meaning: t("lab.choosingMeaning") },
};

function OpenPane({ tree, spec, name, event, view, chosen, windows, onChoose, onHover }: {
	tree: SearchTree; spec: string; name: string; event: number; view: "tree" | "text"; chosen: number; windows: boolean;
	onChoose(node: number): void; onHover(node: number): void;
}) {
	const deepest = useMemo(() => tree.ply.reduce((most, ply) => Math.max(most, ply), 0), [tree]);
	const [ply, setPly] = useState(() => Math.min(deepest, firstPly(tree)));
	const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
	const explore = tree.log.growth?.ucb ?? 0;
	const closed = useMemo(() => {
		const all = closeBelow(tree, ply);
		for (const node of toggled)
			all[node] = all[node] || tree.first[node]! < 0 ? 0 : 1;
		/* A chosen node can be seen. */
		if (chosen >= 0)
			for (const node of pathTo(tree, chosen).slice(0, -1))
				all[node] = 0;
		return all;
	}, [tree, ply, toggled, chosen >= 0 && isInside(tree, ply, toggled, chosen) ? chosen : -1]);
	const toggle = (node: number) => setToggled((now) => {
		const next = new Set(now);
		if (!next.delete(node))
			next.add(node);
		return next;
	});
	const label = t("lab.treeOfKeys", { name });
	if (view === "text")
		return <TextTree key={spec} tree={tree} event={event} chosen={chosen} explore={explore} label={t("lab.treeOf", { name })} onChoose={onChoose} />;
	return (
		<>
			<TreeCanvas tree={tree} event={event} closed={closed} fit={ply} chosen={chosen} windows={windows && tree.kind === "search"} explore={explore} label={label}
				onChoose={onChoose} onHover={onHover} onToggle={toggle} />
			<div class="row lab-open">
				<label><span>{t("lab.openToPly")}</span>
					<select value={ply} onChange={(change) => {
						setToggled(new Set());
						setPly(Number(change.currentTarget.value));
					}}>
						{Array.from({ length: Math.max(1, deepest) }, (_, i) => i + 1).map((one) => <option key={one} value={one}>{one === deepest ? t("lab.allPlies", { ply: one }) : one}</option>)}
					</select>
				</label>
				<Legend tree={tree} />
			</div>
		</>
	);
}

/** Whether a closed node hides this one. */
function isInside(tree: SearchTree, ply: number, toggled: ReadonlySet<number>, node: number): boolean {
	return pathTo(tree, node).slice(0, -1).some((above) => (tree.ply[above]! >= ply) !== toggled.has(above));
}

function Legend({ tree }: { tree: SearchTree }) {
	const hasWins = useMemo(() => tree.log.visits.value.some(isWon), [tree]);
	if (tree.kind === "mcts")
		return <p class="small quiet lab-legend">{t("lab.legendMcts")}</p>;
	if (tree.kind === "proof")
		return <p class="small quiet lab-legend">{t("lab.legendProof")}</p>;
	if (tree.log.seats > 2)
		return (
			<p class="small quiet lab-legend">
				{tree.seats.map((name, i) => <span key={i} class="lab-worth"><SeatChip seat={i + 1} name={name} />{t("lab.legendPlayer", { name: name.name, number: i + 1 })}</span>)}
				<span>{tree.vectors.size ? t("lab.legendMany") : t("lab.legendOne", { name: tree.seats[tree.log.seat - 1]?.name ?? "" })}</span>
			</p>
		);
	const swatches = { own: <span class="swatch own" />, reply: <span class="swatch reply" />, best: <span class="swatch best" />, cut: <span class="swatch cut" /> };
	return (
		<p class="small quiet lab-legend">
			{hasWins ? rich("lab.legendWins", { ...swatches, wins: (text) => <span>{text}</span> }) : rich("lab.legend", swatches)}
		</p>
	);
}
