// movetree.tsx - the moves as clickable text: the main line, in a column for each of two players, with variations where they branch off.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { moveName } from "../board/text";
import { t } from "../messages";
import { depthOf, goTo, nodeAt, type GameTree } from "../tree";
import { firstMove, pliesBefore } from "./numbers";
import { isChance, rollName, roundsOf, timeText, type Turn } from "./rounds";

/** A sign after a move: "?!". */
export interface Glyph {
	text: string;
	title: string; // as read aloud: "inaccuracy"
	tone: string; // a CSS class
}

interface MoveTreeProps {
	tree: GameTree;
	numbered: boolean; // two players take turns: a row for each pair of moves
	glyphs?: ReadonlyMap<number, Glyph>; // by node
	undone?: ReadonlySet<number>; // nodes that were taken back and can be redone
	remark?(note: string): string; // what is shown of a note; missing: all of it
	marked?(remark: string): ComponentChildren; // how it is shown
	onChange(step: (tree: GameTree) => GameTree): void;
}

const whole = (note: string) => note;

/** The nearest box around the moves that scrolls; null: the page does. */
function scrollerOf(frame: HTMLElement): HTMLElement | null {
	for (let box: HTMLElement | null = frame; box && box !== document.body; box = box.parentElement)
		if (box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY))
			return box;
	return null;
}

export function MoveTree(props: MoveTreeProps) {
	const frame = useRef<HTMLDivElement>(null);
	const { tree, remark = whole } = props, start = remark(nodeAt(tree, 0).note);
	useEffect(() => {
		const here = frame.current?.querySelector<HTMLElement>("[aria-current]"), box = frame.current && scrollerOf(frame.current);
		if (!box || !here)
			return;
		const { top, bottom } = here.getBoundingClientRect(), around = box.getBoundingClientRect();
		if (top < around.top || bottom > around.bottom)
			box.scrollTop += top - around.top - box.clientHeight / 2;
	}, [tree.cursor]);
	const first = nodeAt(tree, 0).children[0];
	return (
		/* A single tab stop, however long the game: the arrow keys move inside. */
		<div class="movetree" ref={frame} role="group" aria-label={t("moves.label")} tabIndex={0}>
			{start && <p class="remark">{props.marked?.(start) ?? start}</p>}
			{first === undefined
				? <p class="none">{t("moves.none")}</p>
				: props.numbered ? <Rounds {...props} from={first} /> : <Line {...props} from={first} />}
		</div>
	);
}

/** The main line of two players, a row for each round. */
function Rounds(props: MoveTreeProps & { from: number }) {
	return (
		<div class="rounds">
			{roundsOf(props.tree, props.from, props.remark).map((part, i) => {
				if ("remark" in part)
					return <p key={i} class="remark">{props.marked?.(part.remark) ?? part.remark}</p>;
				if ("variations" in part)
					return <Variations key={i} {...props} variations={part.variations} />;
				return (
					<div key={i} class="round">
						<span class="number">{`${part.number}.`}</span>
						{part.turns.map((turn, column) => <TurnCell key={column} {...props} turn={turn} skipped={column === 0 && part.turns.length > 1} />)}
					</div>
				);
			})}
		</div>
	);
}

/** What a player did: the dice roll, if there is one, and the move with its time. skipped: the other player's part of the row follows. */
function TurnCell({ turn, skipped, ...props }: MoveTreeProps & { turn: Turn | null; skipped: boolean }) {
	if (!turn)
		return <span class="half none">{skipped ? "…" : ""}</span>;
	const last = turn.ids.find((id) => !isChance(nodeAt(props.tree, id))) ?? turn.ids[0] ?? 0;
	const { seconds } = nodeAt(props.tree, last), glyph = props.glyphs?.get(last);
	return (
		<span class={turn.ids.includes(props.tree.cursor) ? "half here" : "half"}>
			<span class="what">
				{turn.ids.map((id) => <MoveItem key={id} {...props} id={id} />)}
				{glyph ? <span class={`sign ${glyph.tone}`} role="img" aria-label={glyph.title} title={glyph.title}>{glyph.text}</span> : null}
			</span>
			{seconds !== null ? <span class="time">{timeText(seconds)}</span> : null}
		</span>
	);
}

interface Ply {
	id: number;
	ply: number; // from 1
}

/** Parts of a line: runs of moves, interrupted by notes and variations. */
type Piece = { moves: Ply[] } | { variations: number[] } | { remark: string };

/** before: plies before the start of the tree. */
function pieces({ tree, remark: shown = whole }: MoveTreeProps, from: number, before: number): Piece[] {
	const out: Piece[] = [];
	let moves: Ply[] = [];
	let ply = depthOf(tree, from) + before;
	for (let at = from; at !== -1;) {
		const node = nodeAt(tree, at);
		const siblings = nodeAt(tree, node.parent).children;
		moves.push({ id: at, ply: ply++ });
		const isFirst = siblings[0] === at;
		const remark = shown(node.note);
		if (remark || (isFirst && siblings.length > 1)) {
			out.push({ moves });
			moves = [];
		}
		if (remark)
			out.push({ remark });
		if (isFirst && siblings.length > 1)
			out.push({ variations: siblings.slice(1) });
		at = node.children[0] ?? -1;
	}
	if (moves.length)
		out.push({ moves });
	return out;
}

function Line(props: MoveTreeProps & { from: number }) {
	const { tree, numbered } = props;
	return (
		<div class="line">
			{pieces(props, props.from, numbered ? pliesBefore(firstMove(tree.game, tree.start)) : 0).map((piece, i) => {
				if ("moves" in piece)
					return (
						<span key={i} class="run">
							{piece.moves.map(({ id, ply }, at) => <MoveButton key={id} {...props} id={id} ply={ply} opens={at === 0} />)}
						</span>
					);
				if ("remark" in piece)
					return <p key={i} class="remark">{props.marked?.(piece.remark) ?? piece.remark}</p>;
				return <Variations key={i} {...props} variations={piece.variations} />;
			})}
		</div>
	);
}

function Variations({ variations, ...props }: MoveTreeProps & { variations: number[] }) {
	return (
		<ul class="variations" aria-label={t("moves.variations")}>
			{variations.map((id) => <li key={id}><Line {...props} from={id} /></li>)}
		</ul>
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

function MoveButton({ ply, opens, ...props }: MoveTreeProps & Ply & { opens: boolean }) {
	const number = numberOf(ply, opens, props.numbered), glyph = props.glyphs?.get(props.id);
	return (
		<span class="ply">
			{number && <span class="number">{number}</span>}
			<MoveItem {...props} />
			{glyph ? <span class={`sign ${glyph.tone}`} role="img" aria-label={glyph.title} title={glyph.title}>{glyph.text}</span> : null}
		</span>
	);
}

/** A long move of backgammon may go on in the next line after a point, not inside its number. */
function breakable(move: string): ComponentChildren {
	return move.split("/").flatMap((part, i) => i ? ["/", <wbr />, part] : [part]);
}

function MoveItem({ tree, id, undone, onChange }: MoveTreeProps & { id: number }) {
	const node = nodeAt(tree, id), isUndone = undone?.has(id) ?? false;
	return (
		<button type="button" class={`move${isChance(node) ? " chance" : ""}${isUndone ? " undone" : ""}`} tabIndex={-1} title={isUndone ? t("moves.undone") : undefined}
			aria-current={tree.cursor === id ? "step" : undefined} onClick={() => onChange((now) => goTo(now, id))}>
			{isChance(node) ? rollName(node.move ?? "") : breakable(moveName(node))}
		</button>
	);
}
