// Pane.tsx - the tree of one player, with its counters.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useState } from "preact/hooks";
import { number, rich, t } from "../messages";
import type { Run } from "./Bench";
import { closeBelow, closeBeside } from "./layout";
import { isWon, nodesAt, nodesToOpen, pathTo, type SearchTree } from "./log";
import { SeatChip } from "./NodePanel";
import { TextTree } from "./TextTree";
import { TreeCanvas } from "./TreeCanvas";

/** Branches are open down to this ply, or along one line only: the best one, and where the search is. */
export type Fold = number;
export const LINE: Fold = 0;
export const ALL: Fold = 1000;

export function Pane({ run, event, view, fold, active, chosen, windows, counters, onChoose, onHover }: {
	run: Run; event: number; view: "tree" | "text"; fold: Fold; active: boolean; chosen: number; windows: boolean; counters: boolean;
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
			{tree && <OpenPane tree={tree} spec={spec} name={name} event={event} view={view} fold={fold} chosen={chosen} windows={windows} onChoose={onChoose}
				onHover={onHover} />}
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

function OpenPane({ tree, spec, name, event, view, fold, chosen, windows, onChoose, onHover }: {
	tree: SearchTree; spec: string; name: string; event: number; view: "tree" | "text"; fold: Fold; chosen: number; windows: boolean;
	onChoose(node: number): void; onHover(node: number): void;
}) {
	const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
	useEffect(() => setToggled(new Set()), [fold]);
	const explore = tree.log.growth?.ucb ?? 0;
	/* What must be in sight, as a text that changes with it. */
	const open = fold === LINE ? [...nodesToOpen(tree, event), ...chosen >= 0 ? [chosen] : []] : chosen >= 0 && isInside(tree, fold, toggled, chosen) ? [chosen] : [];
	const closed = useMemo(() => {
		if (fold === LINE) {
			const all = closeBeside(tree, open);
			for (const node of toggled)
				all[node] = all[node] || tree.first[node]! < 0 ? 0 : 1;
			return all;
		}
		const all = closeBelow(tree, fold);
		for (const node of toggled)
			all[node] = all[node] || tree.first[node]! < 0 ? 0 : 1;
		for (const node of open.flatMap((one) => pathTo(tree, one).slice(0, -1)))
			all[node] = 0;
		return all;
	}, [tree, fold, toggled, open.map((node) => tree.first[node]! < 0 ? tree.parent[node] : node).join()]);
	const toggle = (node: number) => setToggled((now) => {
		const next = new Set(now);
		if (!next.delete(node))
			next.add(node);
		return next;
	});
	if (view === "text")
		return <TextTree key={spec} tree={tree} event={event} chosen={chosen} explore={explore} label={t("lab.treeOf", { name })} onChoose={onChoose} />;
	return <TreeCanvas tree={tree} event={event} closed={closed} fit={fold} readable={fold === LINE} chosen={chosen} windows={windows && tree.kind === "search"} explore={explore}
		label={t("lab.treeOfKeys", { name })} onChoose={onChoose} onHover={onHover} onToggle={toggle} />;
}

/** Whether a closed node hides this one. */
function isInside(tree: SearchTree, ply: number, toggled: ReadonlySet<number>, node: number): boolean {
	return pathTo(tree, node).slice(0, -1).some((above) => (tree.ply[above]! >= ply) !== toggled.has(above));
}

export function Legend({ tree, windows, isFolded }: { tree: SearchTree; windows: boolean; isFolded: boolean }) {
	const hasWins = useMemo(() => tree.log.visits.value.some(isWon), [tree]);
	const swatches = { own: <span class="swatch own" />, reply: <span class="swatch reply" />, best: <span class="swatch best" />, cut: <span class="swatch cut" /> };
	if (tree.kind === "mcts")
		return <p class="small quiet lab-legend">{rich("lab.legendMcts", { best: swatches.best })}</p>;
	if (tree.kind === "proof")
		return <p class="small quiet lab-legend">{t("lab.legendProof")}</p>;
	if (tree.log.seats > 2)
		return (
			<p class="small quiet lab-legend">
				{tree.seats.map((name, i) => <span key={i} class="lab-worth"><SeatChip seat={i + 1} name={name} />{t("lab.legendPlayer", { name: name.name, number: i + 1 })}</span>)}
				<span>{tree.vectors.size ? t("lab.legendMany") : t("lab.legendOne", { name: tree.seats[tree.log.seat - 1]?.name ?? "" })}</span>
			</p>
		);
	return (
		<p class="small quiet lab-legend">
			{rich("lab.legend", swatches)}
			{windows && ` ${t("lab.legendWindow")}`}
			{hasWins && ` ${t("lab.legendWins")}`}
			{isFolded && ` ${t("lab.legendFolded")}`}
		</p>
	);
}
