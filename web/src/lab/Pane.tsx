// Pane.tsx - the tree of one player, with its counters.
// SPDX-License-Identifier: MIT
import { useMemo, useState } from "preact/hooks";
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
	const count = (name: string, value: number, about?: string) => <div key={name}><dt {...(about ? { title: about } : {})}>{name}</dt><dd>{value.toLocaleString("en")}</dd></div>;
	if (tree.kind !== "search")
		return <dl class="lab-counters">{count(tree.kind === "mcts" ? "playouts" : "expansions", event + 1)}{count("nodes", nodesAt(tree, event))}</dl>;
	return (
		<dl class="lab-counters">
			{count("nodes", tree.nodes[event] ?? 0, COUNTED.nodes)}
			{count(tree.evaluations[event] === 1 ? "leaf evaluated" : "leaves evaluated", tree.evaluations[event] ?? 0, COUNTED.leaves)}
			{count(tree.cuts[event] === 1 ? "cut-off" : "cut-offs", tree.cuts[event] ?? 0, COUNTED.cuts)}
			{(tree.prunes[last] ?? 0) > 0 && count("pruned otherwise", tree.prunes[event] ?? 0, COUNTED.prunes)}
			{choosing.evaluations + choosing.nodes > 0 && count("to choose moves, in all", Math.max(choosing.evaluations, choosing.nodes), COUNTED.choosing)}
		</dl>
	);
}

/** What the counters count. */
export const COUNTED = {
	nodes: "Nodes: the positions that the search has entered, without the one at the start.",
	leaves: "Leaves evaluated: positions that got a score from the evaluation. They are the ends of the branches; a quiescence search also scores nodes above them.",
	cuts: "Cut-offs: branches that alpha and beta have shown not to matter. The rest of them is skipped.",
	prunes: "Pruned otherwise: branches left out for another reason, such as a null move, Star1 on dice, futility, or because only the best few moves are searched.",
	choosing: "To choose moves: evaluations that only sort the moves or select some of them. They belong to no step.",
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
	const label = `Search tree of ${name}. Arrow keys go to the node above, below or beside; plus and minus zoom; Enter opens or closes branches. The text view has the same.`;
	if (view === "text")
		return <TextTree key={spec} tree={tree} event={event} chosen={chosen} explore={explore} label={`Search tree of ${name}`} onChoose={onChoose} />;
	return (
		<>
			<TreeCanvas tree={tree} event={event} closed={closed} fit={ply} chosen={chosen} windows={windows && tree.kind === "search"} explore={explore} label={label}
				onChoose={onChoose} onHover={onHover} onToggle={toggle} />
			<div class="row lab-open">
				<label><span>Open to ply</span>
					<select value={ply} onChange={(change) => {
						setToggled(new Set());
						setPly(Number(change.currentTarget.value));
					}}>
						{Array.from({ length: Math.max(1, deepest) }, (_, i) => i + 1).map((one) => <option key={one} value={one}>{one === deepest ? `${one} (all)` : one}</option>)}
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
		return <p class="small quiet lab-legend">Each box: the move, visits × mean result, and what UCB adds for moves that were tried little.</p>;
	if (tree.kind === "proof")
		return <p class="small quiet lab-legend">Each box: the move, proof number | disproof number. 0 | ∞ is proved, ∞ | 0 disproved.</p>;
	if (tree.log.seats > 2)
		return (
			<p class="small quiet lab-legend">
				{tree.seats.map((name, i) => <span key={i} class="lab-worth"><SeatChip seat={i + 1} name={name} />{`${name.name} (player ${i + 1})`}</span>)}
				<span>{tree.vectors.size ? "Each box: its move, and its value for each player." : `All values are those of ${tree.seats[tree.log.seat - 1]?.name}.`}</span>
			</p>
		);
	return (
		<p class="small quiet lab-legend">
			<span class="swatch own" />own move <span class="swatch reply" />reply <span class="swatch best" />best line <span class="swatch cut" />cut-off: the rest is skipped
			{hasWins && <span>. W3: won in three plies, L4: lost in four</span>}
		</p>
	);
}
