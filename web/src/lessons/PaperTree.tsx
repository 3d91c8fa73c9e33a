// PaperTree.tsx - the tree of a lesson on paper: every node with its name and, where the position gives one, its score.
// SPDX-License-Identifier: MIT
import { leavesOf, nameOf, readTree, spotsOf, type Spot } from "../lab/treeedit";
import { t } from "../messages";

const WIDTH = 34;
const HEIGHT = 46;
const MOST_LEAVES = 20; // more do not fit on a page

/** Reads "A4(6,-1) B?(2,3)". Null: it is no such text, or too wide. */
export function paperSpots(text: string): Spot[] | null {
	const root = text === "?" ? null : readTree(text, true); // "?": the answer is all of it
	return root && leavesOf(root) <= MOST_LEAVES ? spotsOf(root) : null;
}

/** "": none; "?": the answer goes there. */
export function scoreText({ path, twig: { score, below } }: Spot): string {
	if (!path.length || (below.length && score === 0))
		return "";
	return Number.isNaN(score) ? "?" : String(score);
}

export function PaperTree({ spots, about }: { spots: Spot[]; about: string }) {
	const byName = new Map(spots.map((spot) => [nameOf(spot.path), spot]));
	const width = Math.max(...spots.map(({ x }) => x)) + 0.5, rows = Math.max(...spots.map(({ row }) => row)) + 1;
	return (
		<svg class="paper-tree" role="img" aria-label={about} width={width * WIDTH} viewBox={`0 0 ${width * WIDTH} ${rows * HEIGHT}`}>
			{spots.map((spot) => {
				const { path, x, row } = spot, name = nameOf(path), score = scoreText(spot);
				const above = path.length ? byName.get(nameOf(path.slice(0, -1))) : undefined;
				return (
					<g key={name}>
						{above && <line x1={above.x * WIDTH} y1={above.row * HEIGHT + (scoreText(above) ? 32 : 20)} x2={x * WIDTH} y2={row * HEIGHT + 6} />}
						<text x={x * WIDTH} y={row * HEIGHT + 16}>{name || t("lessons.start")}</text>
						<text class="score" x={x * WIDTH} y={row * HEIGHT + 29}>{score}</text>
					</g>
				);
			})}
		</svg>
	);
}
