// OwnTree.tsx - "Your own tree": typed, dragged or made at random, and searched on the bench.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { t } from "../messages";
import { Icon } from "../ui/icons";
import type { BenchPreset } from "./Bench";
import { fitsTree, randomTree } from "./claims";
import { edited, textOf, type DraftProps } from "./draft";
import { PLAIN } from "./specs";
import { TreeEditor } from "./TreeEditor";

const FIRST: BenchPreset = { game: "diagram", position: "A(3,5) B(2,9) C(4,1)", players: ["minimax:depth=2", `alphabeta:depth=2,${PLAIN}`] };
const SHAPES = [[2, 2], [2, 3], [3, 2], [3, 3], [2, 4], [3, 4], [4, 3], [2, 5]] as const; // moves, plies

export function isTree({ game, position }: BenchPreset): boolean {
	return game === "diagram" && Boolean(position);
}

/** What the part begins with. */
export function treePreset(preset: BenchPreset): BenchPreset {
	return isTree(preset) ? preset : FIRST;
}

export function OwnTree({ draft, update, onRun }: DraftProps & { onRun(preset: BenchPreset): void }) {
	return (
		<form class="card stack lab-setup" aria-labelledby="own-tree" onSubmit={(event) => {
			event.preventDefault();
			onRun(draft.preset);
		}}>
			<h2 id="own-tree">{t("lab.ownTree")}</h2>
			<p class="quiet">{t("lab.ownTreeAbout")}</p>
			<TypedTree draft={draft} update={update} />
			<div class="row"><button type="submit" class="primary"><Icon name="play" />{t("lab.searchTree")}</button></div>
		</form>
	);
}

export function TypedTree({ draft, update }: DraftProps) {
	const [seed, setSeed] = useState(1);
	const [shape, setShape] = useState(3);
	const [moves, plies] = SHAPES[shape] ?? [3, 3];
	const make = (number: number) => {
		setSeed(number);
		update((now) => edited(now, randomTree(number, moves, plies), []));
	};
	return (
		<>
			<TreeEditor draft={draft} update={update} />
			<label class="field"><span>{t("lab.typeTree")}</span>
				<textarea rows={2} spellcheck={false} value={textOf(draft)} onInput={(event) => {
					const text = event.currentTarget.value.replace(/\s/g, " ");
					update((now) => edited(now, text, now.path, true));
				}} />
			</label>
			<div class="row">
				<label class="field"><span>{t("lab.randomTree")}</span>
					<select value={shape} onChange={(event) => setShape(Number(event.currentTarget.value))}>
						{SHAPES.map(([one, other], i) => fitsTree(one, other) && <option key={i} value={i}>{t("lab.shape", { moves: one, plies: other })}</option>)}
					</select>
				</label>
				<label class="field"><span>{t("lab.seed")}</span>
					<input type="number" min={1} max={999999} value={seed} onInput={(event) => setSeed(Number(event.currentTarget.value) || 1)}
						onKeyDown={(event) => {
							if (event.key !== "Enter")
								return;
							event.preventDefault(); // it would search the tree
							make(seed);
						}} />
				</label>
				<button type="button" onClick={() => make(seed)}>{t("lab.makeTree")}</button>
				<button type="button" onClick={() => make(1 + Math.floor(Math.random() * 9999))}><Icon name="dice" />{t("lab.anyTree")}</button>
			</div>
		</>
	);
}
