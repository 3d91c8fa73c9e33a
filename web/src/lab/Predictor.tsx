// Predictor.tsx - the mask predictor of Star Chess: its requests and masks, and the tree of turns that it predicts.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { fetchPosition, useBoard, useLoad, Waiting } from "../pages/parts";
import { StarBoard, ThinkingPanel } from "../starchess/lazy";
import { labRequest } from "./request";

interface Predicted {
	tree: { seen: number; nodes: PredictedTurn[] };
}

interface PredictedTurn {
	parent: number;
	seat: number;
	without: string[];
	scores: number[] | null;
	best: number;
}

const MOST = 40; // turns of one node that are listed

export function Predictor() {
	const [turns, setTurns] = useState(1);
	const board = useBoard("starchess")?.board ?? null;
	const view = useLoad("starchess", () => fetchPosition("starchess", "start", []));
	const key = String(turns);
	const loaded = useLoad(key, async () => ({ key, found: await labRequest<Predicted>("mask", { game: "starchess", player: `mask:turns=${turns}`, nodes: 3000 }) }));
	const found = loaded.value?.key === key ? loaded.value.found : null;
	return (
		<section class="card stack" aria-labelledby="predictor">
			<h2 id="predictor">The mask predictor of Star Chess</h2>
			<p class="quiet">A turn of Star Chess has billions of possibilities, far too many to try. This player makes requests for ships and tries only which of them to leave out:
				a mask. Then it predicts the turns of the other factions in the same way.</p>
			<div class="lab-sample">
				{board && view.value ? <StarBoard board={board} view={view.value} interactive={false} /> : <Waiting loaded={view} />}
				<div class="stack">
					<label class="field"><span>Full turns ahead</span>
						<select value={turns} onChange={(event) => setTurns(Number(event.currentTarget.value))}>{[0, 1, 2].map((one) => <option key={one} value={one}>{one}</option>)}</select>
					</label>
					{found ? <>
						<p class="small">{`${found.tree.seen.toLocaleString("en")} turns predicted. Bold: what the faction chooses.`}</p>
						<ul class="lab-turns">{below(found.tree.nodes, -1).map((node) => <Turn key={node} nodes={found.tree.nodes} node={node} isBest={false} />)}</ul>
					</> : <Waiting loaded={loaded} />}
				</div>
			</div>
			{view.value && <ThinkingPanel game="starchess" position={view.value.position} over={false} />}
		</section>
	);
}

function below(nodes: PredictedTurn[], parent: number): number[] {
	return nodes.flatMap((node, i) => node.parent === parent ? [i] : []);
}

/** Opens when it is asked for. */
function Turn({ nodes, node, isBest }: { nodes: PredictedTurn[]; node: number; isBest: boolean }) {
	const [open, setOpen] = useState(nodes[node]?.parent === -1);
	const turn = nodes[node]!, children = below(nodes, node);
	const name = turn.without.length ? `without ${turn.without.join(", ")}` : "all requests";
	const text = `Faction ${turn.seat}: ${name}${turn.scores ? `, scores ${turn.scores.join(" ")}` : ""}`;
	if (!children.length)
		return <li class={isBest ? "best" : ""}>{text}</li>;
	return (
		<li>
			<details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
				<summary class={isBest ? "best" : ""}>{text}</summary>
				{open && <ul class="lab-turns">{children.slice(0, MOST).map((child) => <Turn key={child} nodes={nodes} node={child} isBest={child === turn.best} />)}</ul>}
			</details>
		</li>
	);
}
