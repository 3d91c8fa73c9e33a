// walk.tsx - a board with a tree of variations to navigate and extend: for the analysis board and for matches.
// SPDX-License-Identifier: MIT
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { BoardView } from "../board/BoardView";
import { unclicked } from "../board/entry";
import { MoveButtons } from "../board/MoveChoice";
import type { Arrow, Badge, BoardProps, CellMark } from "../board/props";
import { withColours } from "../board/stones";
import { moveName, resultText, sideName } from "../board/text";
import { useEngineData } from "../engine/core";
import { t } from "../messages";
import { wordsOf } from "../play/words";
import { StarBoard } from "../starchess/lazy";
import * as trees from "../tree";
import type { GameTree } from "../tree";
import type { Board, Move, View } from "../types";
import { announce } from "../ui/announce";
import { Icon, type IconName } from "../ui/icons";
import { isShortcut } from "../ui/keys";
import { baseName, Failure, fetchPosition, useBoard } from "./parts";

const KEPT = 400; // views

export interface Walk {
	tree: GameTree;
	found: { board: Board | null } | null;
	view: View | null; // of the cursor; the previous one while it is loading
	fresh: boolean; // view belongs to the cursor
	error: string | null;
	change(step: (tree: GameTree) => GameTree): void;
	play(move: string): void;
	reset(tree: GameTree): void;
}

export function useWalk(first: GameTree): Walk {
	const [tree, setTree] = useState(first);
	useEngineData(tree.game);
	const [shown, setShown] = useState<{ key: string; view: View } | null>(null);
	const [failed, setFailed] = useState<{ key: string; error: string } | null>(null);
	const views = useRef(new Map<string, View>());
	const loaded = useBoard(tree.game), position = shown?.view.position ?? "";
	const board = loaded?.board ? withColours(loaded.board, position) : null;
	const found = useMemo(() => loaded && { board }, [loaded, board]);
	const moves = trees.movesTo(tree, tree.cursor);
	const key = [tree.game, tree.start, ...moves].join("\n");

	useEffect(() => {
		const known = views.current.get(key);
		if (known)
			return setShown({ key, view: known });
		let current = true;
		fetchPosition(tree.game, tree.start, moves).then((view) => {
			if (views.current.size >= KEPT)
				views.current.clear();
			views.current.set(key, view);
			if (!current)
				return;
			setShown({ key, view });
			if (view.line)
				setTree((now) => trees.nameMoves(now, moves, view.line ?? []));
		}, (error) => current && setFailed({ key, error: sentence(error) }));
		return () => void (current = false);
	}, [key]);

	useNames(tree, Boolean(shown?.view.line), setTree);
	const fresh = shown?.key === key;
	return {
		tree, found, fresh,
		view: shown && shown.view.game && sameGame(shown.key, tree.game) ? shown.view : null,
		error: failed?.key === key ? failed.error : null,
		change: setTree,
		play: (move) => fresh && shown &&
			setTree((now) => trees.playMove(now, move, shown.view.seat, null, shortOf(shown.view, move))),
		reset: setTree,
	};
}

function shortOf(view: View, move: string): string {
	return view.moves.find((one) => one.move === move)?.short ?? "";
}

/** Loads the short notation (chess: Nf3) of moves that came without it. */
function useNames(tree: GameTree, has: boolean, setTree: (step: (now: GameTree) => GameTree) => void): void {
	const lines = useRef(new Map<string, string[]>()); // kept, because a study whose author changes it comes again without them
	useEffect(() => {
		const end = has ? trees.unnamedEnd(tree) : -1;
		const moves = end < 0 ? [] : trees.movesTo(tree, end);
		const key = [tree.game, tree.start, ...moves].join("\n");
		const known = lines.current.get(key);
		if (end < 0)
			return;
		if (known)
			return known.length ? setTree((now) => trees.nameMoves(now, moves, known)) : undefined;
		lines.current.set(key, []);
		fetchPosition(tree.game, tree.start, moves).then(({ line }) => {
			lines.current.set(key, line ?? []);
			if (line)
				setTree((now) => trees.nameMoves(now, moves, line));
		}, () => undefined); // the board shows the error when you navigate to the move
	}, [tree.nodes, has]);
}

/** A view of another game does not fit this board. */
function sameGame(key: string, game: string): boolean {
	return key.split("\n", 1)[0] === game;
}

/** Whose turn it is, or how the game ended. still: no moves can be entered, nor what chance does. */
export function turnText(view: View, board: Board | null, still = false): string {
	if (view.over)
		return `${resultText(view.result, board) || t("walk.over")}.`;
	if (view.seat === 0 && still && view.turn)
		return t("walk.rolls", { side: sideName(board, view.turn) });
	if (view.seat === 0)
		return still ? t("walk.roll") : wordsOf(view.game)?.entering ?? t("walk.roll");
	return t("walk.toMove", { side: sideName(board, view.seat) });
}

/** The text of a button for a move without clicks. */
function buttonText({ game, seat }: View): (move: Move) => string {
	const words = wordsOf(game);
	return (seat === 0 ? words?.outcome : words?.button ?? words?.choice) ?? moveName;
}

/** Games with a board component of their own. */
const BOARDS: Record<string, ComponentType<BoardProps>> = { starchess: StarBoard };

/** still: no moves can be entered. Drawings are kept by whoever passes them. */
export function WalkBoard({ walk, arrows, badges, marks, turned, still, ...drawing }: {
	walk: Walk; arrows?: Arrow[]; badges?: Badge[]; marks?: CellMark[]; turned?: boolean; still?: boolean;
} & Pick<BoardProps, "drawn" | "onDraw" | "pen">) {
	const { view, found, fresh } = walk;
	useEffect(() => {
		if (fresh && view && found)
			announce([view.last ? `${moveName(view.last)}.` : "", turnText(view, found.board, still)].join(" "));
	}, [fresh, view, found]);
	if (walk.error)
		return (
			<div class="walk-board">
				<Failure error={walk.error} />
				{walk.tree.cursor > 0 && <button type="button" onClick={() => walk.change(trees.back)}>{t("walk.back")}</button>}
			</div>
		);
	if (!view || !found)
		return <p class="waiting" role="status">{t("ui.loading")}</p>;
	if (!found.board)
		return (
			<div class="stack">
				<pre class="text-board">{view.text ?? view.position}</pre>
				<MoveButtons moves={view.moves} onMove={walk.play} />
			</div>
		);
	const buttons = view.over || still ? [] : unclicked(view.moves);
	const Shown = BOARDS[baseName(view.game)] ?? BoardView;
	return (
		<div class="walk-board">
			<Shown board={found.board} view={view} interactive={!view.over && !still} onMove={walk.play}
				{...(fresh && arrows ? { arrows } : {})} {...(fresh && badges ? { badges } : {})} {...(fresh && marks ? { marks } : {})}
				turned={turned ?? false} {...drawing} />
			{buttons.length > 0 && <MoveButtons moves={buttons} onMove={walk.play} text={buttonText(view)} />}
		</div>
	);
}

// ---- Navigation ----

const STEPS: { icon: IconName; label: string; step(tree: GameTree): GameTree }[] = [
	{ icon: "first", label: t("walk.start"), step: trees.toStart },
	{ icon: "back", label: t("walk.back"), step: trees.back },
	{ icon: "forward", label: t("walk.forward"), step: trees.forward },
	{ icon: "last", label: t("walk.end"), step: trees.toEnd },
];

/** Anything with a tree to navigate. */
export type TreeWalk = Pick<Walk, "tree" | "change">;

export function WalkButtons({ walk, children }: { walk: TreeWalk; children?: ComponentChildren }) {
	return (
		<div class="steps" role="group" aria-label={t("walk.label")}>
			{STEPS.map(({ icon, label, step }) => (
				<button key={icon} type="button" aria-label={label} title={label} onClick={() => walk.change(step)}
					aria-disabled={step(walk.tree).cursor === walk.tree.cursor}>
					<Icon name={icon} />
				</button>
			))}
			{children}
		</div>
	);
}

const KEYS: Record<string, (tree: GameTree) => GameTree> = {
	ArrowLeft: trees.back,
	ArrowRight: trees.forward,
	ArrowUp: (tree) => trees.sideways(tree, -1),
	ArrowDown: (tree) => trees.sideways(tree, 1),
	Home: trees.toStart,
	End: trees.toEnd,
	",": trees.back,
	".": trees.forward,
};

/** Arrow keys navigate unless the focus is on the board; comma and full stop work there, too. */
export function useWalkKeys(walk: TreeWalk, others: Record<string, () => void> = {}): void {
	const latest = useRef({ walk, others });
	latest.current = { walk, others };
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			if (!isShortcut(event))
				return;
			const isWalking = event.key.length > 1;
			if (isWalking && (event.target as Element | null)?.closest("[role=grid]"))
				return;
			const step = KEYS[event.key];
			const other = latest.current.others[event.key.length === 1 ? event.key.toLowerCase() : event.key];
			if (!step && !other)
				return;
			event.preventDefault();
			if (step)
				latest.current.walk.change(step);
			else
				other?.();
		};
		document.addEventListener("keydown", press);
		return () => document.removeEventListener("keydown", press);
	}, []);
}
