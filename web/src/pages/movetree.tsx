// movetree.tsx - the moves as clickable text: the main line, with variations indented where they branch off.
// SPDX-License-Identifier: MIT
import { useEffect, useRef } from "preact/hooks";
import { moveName } from "../board/text";
import { depthOf, goTo, nodeAt, type GameTree } from "../tree";

interface MoveTreeProps {
	tree: GameTree;
	numbered: boolean; // two players take turns: number the pairs of moves
	onChange(step: (tree: GameTree) => GameTree): void;
}

export function MoveTree(props: MoveTreeProps) {
	const frame = useRef<HTMLDivElement>(null);
	const { tree } = props;
	useEffect(() => {
		const box = frame.current;
		const here = box?.querySelector<HTMLElement>("[aria-current]");
		if (!box || !here)
			return;
		const top = here.offsetTop; // relative to the box, which is positioned
		if (top < box.scrollTop || top + here.offsetHeight > box.scrollTop + box.clientHeight)
			box.scrollTop = top - box.clientHeight / 2;
	}, [tree.cursor]);
	const first = nodeAt(tree, 0).children[0];
	return (
		/* A single tab stop, however long the game: the arrow keys move inside. */
		<div class="movetree" ref={frame} role="group" aria-label="Moves and variations" tabIndex={0}>
			{nodeAt(tree, 0).note && <p class="remark">{nodeAt(tree, 0).note}</p>}
			{first === undefined
				? <p class="none">No moves yet.</p>
				: <Line {...props} from={first} />}
		</div>
	);
}

interface Ply {
	id: number;
	ply: number; // from 1
}

/** Parts of a line: runs of moves, interrupted by notes and variations. */
type Piece = { moves: Ply[] } | { variations: number[] } | { remark: string };

function pieces(tree: GameTree, from: number): Piece[] {
	const out: Piece[] = [];
	let moves: Ply[] = [];
	let ply = depthOf(tree, from);
	for (let at = from; at !== -1;) {
		const node = nodeAt(tree, at);
		const siblings = nodeAt(tree, node.parent).children;
		moves.push({ id: at, ply: ply++ });
		const isFirst = siblings[0] === at;
		if (node.note || (isFirst && siblings.length > 1)) {
			out.push({ moves });
			moves = [];
		}
		if (node.note)
			out.push({ remark: node.note });
		if (isFirst && siblings.length > 1)
			out.push({ variations: siblings.slice(1) });
		at = node.children[0] ?? -1;
	}
	if (moves.length)
		out.push({ moves });
	return out;
}

function Line(props: MoveTreeProps & { from: number }) {
	return (
		<div class="line">
			{pieces(props.tree, props.from).map((piece, i) => {
				if ("moves" in piece)
					return (
						<span key={i} class="run">
							{piece.moves.map(({ id, ply }, at) => <MoveButton key={id} {...props} id={id} ply={ply} opens={at === 0} />)}
						</span>
					);
				if ("remark" in piece)
					return <p key={i} class="remark">{piece.remark}</p>;
				return (
					<ul key={i} class="variations" aria-label="Variations">
						{piece.variations.map((id) => <li key={id}><Line {...props} from={id} /></li>)}
					</ul>
				);
			})}
		</div>
	);
}

function numberOf(ply: number, opens: boolean, numbered: boolean): string {
	if (!numbered)
		return opens ? `${ply}.` : "";
	const round = Math.ceil(ply / 2);
	if (ply % 2 === 1)
		return `${round}.`;
	return opens ? `${round}…` : "";
}

function MoveButton({ tree, id, ply, opens, numbered, onChange }: MoveTreeProps & Ply & { opens: boolean }) {
	const node = nodeAt(tree, id);
	const number = numberOf(ply, opens, numbered);
	return (
		<span class="ply">
			{number && <span class="number">{number}</span>}
			<button type="button" class={node.seat === 0 ? "move chance" : "move"} tabIndex={-1}
				aria-current={tree.cursor === id ? "step" : undefined} onClick={() => onChange((now) => goTo(now, id))}>
				{moveName(node)}
			</button>
		</span>
	);
}
