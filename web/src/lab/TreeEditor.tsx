// TreeEditor.tsx - a tree of the game "diagram" to change by hand: branches are dragged by mouse or finger, or moved by keys and buttons.
// SPDX-License-Identifier: MIT
//
// The text is the tree: every change of the picture writes it, and a text that was typed is drawn.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { t } from "../messages";
import { fetchPosition } from "../pages/parts";
import { announce } from "../ui/announce";
import { Icon } from "../ui/icons";
import { deepened, edited, textOf, travelled, type DraftProps } from "./draft";
import { number } from "./log";
import { requestVisits } from "./request";
import { PLAIN } from "./specs";
import {
	addTwig, heightOf, leavesOf, LIMITS, moveTwig, nameOf, nearestSlot, readTree, removeTwig, setScore, slotsOf, spotsOf, stepTwig, treeText, twigAt, worthOf,
	type Edit, type Path, type Slot, type Spot, type Twig, type Way,
} from "./treeedit";

const WIDE = 58, HIGH = 74, BOX = 50; // pixels: a column, a row, a box
const CLICK = 6; // pixels that a click may move
const called = (path: Path) => nameOf(path) || t("lab.start");

const named = new Map<string, string>(); // trees by their names: an undo that leads to one does not wait

/** Why a position that the game accepts has no branches to drag. */
function noPicture(position: string): string {
	const node = /@ *(\S+)/.exec(position)?.[1];
	return node ? t("lab.insideTree", { node })
		: t("lab.ruleTree");
}

/** The tree of a text. A name such as "3-1" stands for a tree, too, which the game knows. note: it has no picture. */
function useTree(text: string): { root: Twig | null; error: string | null; note: string | null } {
	const [failed, setFailed] = useState<{ text: string; error: string } | null>(null);
	const [, setCount] = useState(0);
	const position = named.get(text);
	const root = useMemo(() => readTree(position ?? text), [position, text]);
	useEffect(() => {
		if (root || position !== undefined)
			return;
		let current = true;
		fetchPosition("diagram", text || "start", []).then((view) => {
			named.set(text, view.position);
			if (current)
				setCount((now) => now + 1);
		}, (reason) => current && setFailed({ text, error: sentence(reason) }));
		return () => void (current = false);
	}, [text]);
	return { root, error: failed?.text === text ? failed.error : null, note: !root && position !== undefined ? noPicture(position) : null };
}

/** The moves that alpha-beta looks at; null: not known yet. */
function useSearched(root: Twig | null): ReadonlySet<string> | null {
	const text = root ? treeText(root) : "";
	const [found, setFound] = useState<{ text: string; names: ReadonlySet<string> } | null>(null);
	useEffect(() => {
		if (!root)
			return;
		return requestVisits({ game: "diagram", position: text, player: `alphabeta:depth=${heightOf(root)},${PLAIN}` },
			({ names }) => setFound({ text, names: new Set(names) }), () => setFound(null));
	}, [text]);
	return found?.text === text ? found.names : null;
}

interface Drag {
	source: Path | null; // null: a new leaf
	x: number; // on the plane, in pixels
	y: number;
	slot: Slot | null;
	isBin: boolean;
}

export function TreeEditor({ draft, update }: DraftProps) {
	const text = textOf(draft);
	const { root, error, note } = useTree(text);
	const [refused, setRefused] = useState<string | null>(null);
	const searched = useSearched(root);
	useEffect(() => setRefused(null), [text]);
	/* The height of a tree that has a name is known only now. What the form began with stays as it is. */
	const measured = useRef(text);
	useEffect(() => {
		if (!root || text === measured.current)
			return;
		measured.current = text;
		if (named.has(text))
			update((now) => textOf(now) === text ? deepened(now, heightOf(root)) : now);
	}, [root, text]);

	function apply(edit: Edit, say: (path: Path) => string, path?: Path): boolean {
		if ("error" in edit) {
			setRefused(edit.error);
			announce(edit.error);
			return false;
		}
		const isSame = root !== null && treeText(edit.root) === treeText(root); // dropped where it was
		update((now) => edited(now, isSame ? textOf(now) : treeText(edit.root), path ?? edit.path));
		if (!isSame)
			announce(say(edit.path));
		return true;
	}
	function travel(way: "undo" | "redo"): boolean {
		const isDone = travelled(draft, way) !== null;
		if (isDone)
			update((now) => travelled(now, way) ?? now);
		announce(!isDone ? t("lab.nothingToDo", { way }) : way === "undo" ? t("lab.undone") : t("lab.redone"));
		return isDone;
	}
	const chosen = root && twigAt(root, draft.path) ? draft.path : [];
	return (
		<div class="tree-editor stack">
			<div class="row" role="group" aria-label={t("lab.steps")}>
				<button type="button" title={t("lab.undoKey")} aria-disabled={!draft.past.length} onClick={() => void travel("undo")}><Icon name="undo" />{t("lab.undo")}</button>
				<button type="button" title={t("lab.redoKey")} aria-disabled={!draft.future.length} onClick={() => void travel("redo")}><Icon name="redo" />{t("lab.redo")}</button>
			</div>
			{error && <p class="failure" role="alert">{error}</p>}
			{refused && <p class="failure">{refused}</p>}
			{note && <p class="quiet" role="status">{note}</p>}
			{root && <Picture root={root} path={chosen} searched={searched} setPath={(path) => update((now) => ({ ...now, path }))} apply={apply} travel={travel} />}
			{root && <Result root={root} searched={searched} />}
		</div>
	);
}

/** What the tree is worth, and how much of it alpha-beta needs: it changes with every edit. */
function Result({ root, searched }: { root: Twig; searched: ReadonlySet<string> | null }) {
	const leaves = spotsOf(root).filter(({ twig, path }) => path.length && !twig.below.length);
	const needed = searched ? leaves.filter(({ path }) => searched.has(nameOf(path))).length : null;
	const values = root.below.map((twig) => worthOf(twig, 1)), best = Math.max(...values);
	return (
		<p class="lab-answer">{t("lab.bestMove", { move: nameOf([values.indexOf(best)]), value: number(best) })}
			{needed !== null && ` ${needed < leaves.length ? t("lab.alphabetaSkips", { needed, n: leaves.length }) : t("lab.alphabetaNeeds", { needed, n: leaves.length })}`}
		</p>
	);
}

function Picture({ root, path, searched, setPath, apply, travel }: {
	root: Twig; path: Path; searched: ReadonlySet<string> | null; setPath(path: Path): void;
	apply(edit: Edit, say: (path: Path) => string, path?: Path): boolean; travel(way: "undo" | "redo"): boolean;
}) {
	const spots = useMemo(() => spotsOf(root), [root]);
	const [typed, setTyped] = useState<string | null>(null); // the value that is being typed in place
	const plane = useRef<HTMLDivElement>(null), bin = useRef<HTMLButtonElement>(null);
	const open = useRef<HTMLInputElement | null>(null), field = useRef<HTMLInputElement>(null); // of the value: in place, and in the tools
	const [turn, setTurn] = useState(0); // the box that is chosen gets the focus: the one that had it may be gone
	const press = useRef<{ name: string; wasHere: boolean } | null>(null); // by the pointer: the first one selects, the second types
	const here = called(path), twig = twigAt(root, path)!;
	const focusBox = () => setTurn((now) => now + 1);
	useLayoutEffect(() => {
		if (turn)
			plane.current?.querySelector<HTMLElement>(`[data-name="${here}"]`)?.focus();
	}, [turn]);

	const siblings = (to: Path) => (twigAt(root, to.slice(0, -1))?.below.length ?? 0);
	const moved = (from: Path) => (to: Path) => t("lab.branchMoved", { from: called(from), to: called(to), above: called(to.slice(0, -1)) });
	const added = (to: Path) => t("lab.leafAdded", { name: called(to) });
	const deleted = (from: Path) => (to: Path) => t("lab.branchDeleted", { name: called(from), next: called(to) });
	const add = () => apply(addTwig(root, path, twig.below.length, { score: 0, below: [] }), added);
	const remove = () => apply(removeTwig(root, path), deleted(path));
	const step = (way: Way) => apply(stepTwig(root, path, way), moved(path));
	const value = (to: string, chosen = path) =>
		to.trim() !== "" && Number(to) !== twig.score && apply(setScore(root, path, Number(to)), () => t("lab.valueSet", { name: here, value: to }), chosen);
	/** Ends the typing in place; next: the box that is selected then. */
	const close = (isKept: boolean, next = path) => {
		const input = open.current;
		open.current = null; // an input that is removed loses the focus, too
		setTyped(null);
		if (input && isKept)
			value(input.value, next);
	};
	const choose = (to: Path) => {
		close(true, to);
		if (document.activeElement === field.current && field.current)
			value(field.current.value, to);
		setPath(to);
	};
	const drop = ({ source, slot, isBin }: Drag) => {
		press.current = null;
		const isDone = isBin && source ? apply(removeTwig(root, source), deleted(source))
			: slot && source ? apply(moveTwig(root, source, slot.parent, slot.index), moved(source))
				: slot && apply(addTwig(root, slot.parent, slot.index, { score: 0, below: [] }), added);
		if (isDone)
			focusBox();
	};
	const { drag, begin, handlers } = useDragging(spots, plane, bin, drop);

	function onKeyDown(key: KeyboardEvent): void {
		if (typed !== null)
			return;
		const isCommand = key.ctrlKey || key.metaKey, { parent, index } = { parent: path.slice(0, -1), index: path[path.length - 1] ?? 0 };
		const go = (to: Path) => {
			if (twigAt(root, to))
				choose(to);
			return true;
		};
		const ways: Record<string, [Way, () => boolean]> = {
			ArrowLeft: ["earlier", () => path.length > 0 && go([...parent, index - 1])], ArrowRight: ["later", () => path.length > 0 && go([...parent, index + 1])],
			ArrowUp: ["out", () => path.length > 0 && go(parent)], ArrowDown: ["in", () => go([...path, 0])],
		};
		const way = ways[key.key];
		let isDone = false; // the focus goes where the selection is
		if (isCommand && key.key.toLowerCase() === "z")
			isDone = travel(key.shiftKey ? "redo" : "undo");
		else if (isCommand && key.key.toLowerCase() === "y")
			isDone = travel("redo");
		else if (isCommand || key.altKey)
			return;
		else if (way)
			isDone = key.shiftKey ? step(way[0]) : way[1]();
		else if (key.key === "Home")
			isDone = go([]);
		else if (key.key === "Insert" || key.key === "+")
			isDone = add();
		else if (key.key === "Delete" || key.key === "Backspace")
			isDone = remove();
		else if (path.length && (key.key === "Enter" || key.key === "F2"))
			setTyped(String(twig.score));
		else if (path.length && /^[-\d]$/.test(key.key))
			setTyped(key.key);
		else
			return;
		if (isDone)
			focusBox();
		key.preventDefault();
		key.stopPropagation();
	}

	const columns = leavesOf(root), rows = heightOf(root) + 1;
	const button = (name: string, act: () => void, isOff: boolean, key: string) =>
		<button type="button" aria-label={name} title={t("lab.shiftKey", { what: name, key })} aria-disabled={isOff} onClick={() => isOff || act()}>{key}</button>;
	return (
		<>
			<div class="row branch-tools" role="group" aria-label={t("lab.changeBranch", { name: here })}>
				<button type="button" class="tree-leaf" title={t("lab.newLeafAbout")}
					{...handlers} onPointerDown={(pointer) => begin(pointer, null)} onClick={() => !drag.wasOn.current && add()}><Icon name="plus" />{t("lab.newLeaf")}</button>
				<label class="field"><span>{path.length ? t("lab.valueOf", { name: here }) : t("lab.value")}</span>
					<input ref={field} type="number" min={-LIMITS.score} max={LIMITS.score} step={1} disabled={!path.length} value={path.length ? twig.score : ""}
						onChange={(change) => void value(change.currentTarget.value)} onKeyDown={(key) => {
							if (key.key !== "Enter")
								return;
							key.preventDefault(); // it would search the tree
							value(key.currentTarget.value);
						}} />
				</label>
				{button(t("lab.moveEarlier"), () => step("earlier"), !path.length, "←")}
				{button(t("lab.moveLater"), () => step("later"), !path.length, "→")}
				{button(t("lab.moveOut"), () => step("out"), !path.length, "↑")}
				{button(t("lab.moveIn"), () => step("in"), !path.length, "↓")}
				<button ref={bin} type="button" class={drag.now?.source ? "primary" : ""} title={t("lab.deleteKey", { name: here })} aria-disabled={!path.length} onClick={() => path.length && remove()}>
					<Icon name="trash" />{t("lab.delete")}</button>
			</div>
			<div class="tree-field">
				<div ref={plane} class={drag.now ? "tree-plane dragging" : "tree-plane"} role="tree" aria-label={t("lab.ownTreeKeys")}
					style={{ width: `${columns * WIDE}px`, height: `${rows * HIGH}px` }} onKeyDown={onKeyDown}>
					<Lines spots={spots} searched={searched} slot={drag.now?.slot ?? null} columns={columns} rows={rows} />
					{spots.map((spot) => {
						const name = called(spot.path), isHere = name === here;
						return (
							<Box key={name} spot={spot} isHere={isHere} isDragged={drag.now?.source != null && called(drag.now.source) === name}
								siblings={spot.path.length ? siblings(spot.path) : 1} isSkipped={spot.path.length > 0 && searched !== null && !searched.has(name)} typed={isHere ? typed : null}
								handlers={{ ...handlers, onPointerCancel: (pointer: PointerEvent) => {
									press.current = null;
									handlers.onPointerCancel(pointer);
								}, onPointerDown: (pointer: PointerEvent) => {
									if (pointer.button !== 0 || !pointer.isPrimary)
										return;
									const isTyped = typed !== null && isHere;
									press.current = { name, wasHere: isHere && !isTyped };
									if (isTyped)
										return;
									choose(spot.path);
									if (spot.path.length)
										begin(pointer, spot.path);
								} }}
								onClick={() => {
									const wasHere = press.current?.name === name ? press.current.wasHere : isHere; // a screen reader presses without a pointer
									press.current = null;
									if (drag.wasOn.current)
										return;
									if (!isHere)
										choose(spot.path);
									else if (wasHere && spot.path.length && typed === null)
										setTyped(String(spot.twig.score));
								}}
								open={open} onTyped={(isKept, isKey) => {
									close(isKept);
									if (isKey)
										focusBox();
								}} />
						);
					})}
					{drag.now && <span class="tree-box ghost" aria-hidden="true" style={{ left: `${drag.now.x - BOX / 2}px`, top: `${drag.now.y - BOX / 2}px` }}>
						{drag.now.source ? called(drag.now.source) : t("lab.newBranch")}</span>}
				</div>
			</div>
			<p class="small quiet">{t("lab.ownTreeHelp")}</p>
		</>
	);
}

function Box({ spot: { path, twig, x, row }, isHere, isDragged, isSkipped, siblings, typed, handlers, onClick, open, onTyped }: {
	spot: Spot; isHere: boolean; isDragged: boolean; isSkipped: boolean; siblings: number; typed: string | null;
	handlers: object; onClick(): void; open: { current: HTMLInputElement | null }; onTyped(isKept: boolean, isKey: boolean): void;
}) {
	const isLeaf = !twig.below.length, who = row % 2 ? "min" : "max";
	const worth = worthOf(twig, row);
	const facts = [
		...isLeaf ? [] : [t("lab.boxMoves", { n: twig.below.length, who, worth: number(worth) })],
		...isLeaf || path.length && twig.score ? [t("lab.boxValue", { value: number(twig.score) })] : [],
		...isSkipped ? [t("lab.boxSkipped")] : [],
	].join(", ");
	return (
		<div role="treeitem" data-name={called(path)} tabIndex={isHere ? 0 : -1} aria-level={row + 1} aria-setsize={siblings} aria-posinset={(path[path.length - 1] ?? 0) + 1}
			aria-selected={isHere} {...(isLeaf ? {} : { "aria-expanded": true })}
			class={["tree-box", isLeaf ? "leaf" : "", row ? row % 2 ? "own" : "reply" : "root", isSkipped ? "skipped" : "", isDragged ? "dragged" : ""].join(" ")}
			style={{ left: `${x * WIDE - BOX / 2}px`, top: `${row * HIGH + 6}px` }} onClick={onClick} {...handlers}>
			<span class="tree-name">{called(path)}</span><span class="unseen">{`: ${facts}`}</span>
			{typed !== null
				? <ValueInput name={called(path)} first={typed} isOld={Number(typed) === twig.score} open={open} onTyped={onTyped} />
				: <span class="tree-value" aria-hidden="true">{isLeaf ? number(twig.score) : `${who === "min" ? "▼" : "▲"} ${number(worth)}`}</span>}
		</div>
	);
}

/** A value that is typed in place. Enter and a press elsewhere keep it, Escape does not. */
function ValueInput({ name, first, isOld, open, onTyped }: {
	name: string; first: string; isOld: boolean; open: { current: HTMLInputElement | null }; onTyped(isKept: boolean, isKey: boolean): void;
}) {
	const input = useRef<HTMLInputElement>(null);
	useLayoutEffect(() => {
		const box = input.current!;
		open.current = box;
		box.value = first; // not by a property: what is typed stays when the tree is drawn again
		box.focus();
		if (isOld)
			box.select();
	}, []);
	return (
		<input type="text" ref={input} aria-label={t("lab.valueOf", { name })} onClick={(click) => click.stopPropagation()} onBlur={() => open.current && onTyped(true, false)}
			onKeyDown={(key) => {
				if (key.key === "Enter" || key.key === "Escape") {
					key.preventDefault();
					onTyped(key.key === "Enter", true);
				}
				key.stopPropagation();
			}} />
	);
}

/** The lines between the boxes, and the place where what is dragged would go. */
function Lines({ spots, searched, slot, columns, rows }: { spots: Spot[]; searched: ReadonlySet<string> | null; slot: Slot | null; columns: number; rows: number }) {
	const byName = new Map(spots.map((spot) => [nameOf(spot.path), spot]));
	const line = (from: { x: number; row: number }, x: number, row: number) => `M${from.x * WIDE} ${from.row * HIGH + BOX}L${x * WIDE} ${row * HIGH + 6}`;
	const above = slot && byName.get(nameOf(slot.parent));
	return (
		<svg class="tree-lines" aria-hidden="true" width={columns * WIDE} height={(rows + 1) * HIGH}>
			{spots.filter(({ path }) => path.length).map(({ path, x, row }) => <path key={nameOf(path)} d={line(byName.get(nameOf(path.slice(0, -1)))!, x, row)}
				class={searched && !searched.has(nameOf(path)) ? "skipped" : ""} />)}
			{slot && above && <>
				<path class="slot" d={line(above, slot.x, slot.row)} />
				<rect class="slot" x={slot.x * WIDE - 5} y={slot.row * HIGH + 6} width={10} height={BOX - 6} rx={4} />
			</>}
		</svg>
	);
}

/** Drags a branch or a new leaf by mouse, pen or finger. wasOn: the click that follows is part of a drag. */
function useDragging(spots: Spot[], plane: { current: HTMLElement | null }, bin: { current: HTMLElement | null }, drop: (drag: Drag) => void) {
	const [now, setNow] = useState<Drag | null>(null);
	const held = useRef<{ pointer: number; source: Path | null; x: number; y: number; isOff: boolean } | null>(null);
	const wasOn = useRef(false);
	const end = () => {
		held.current = null;
		wasOn.current = false;
		setNow(null);
	};
	useEffect(() => {
		const cancel = (key: KeyboardEvent) => {
			if (key.key !== "Escape" || !held.current)
				return;
			held.current.isOff = true; // until the pointer goes up
			setNow(null);
		};
		document.addEventListener("keydown", cancel);
		return () => document.removeEventListener("keydown", cancel);
	}, []);

	const begin = (pointer: PointerEvent, source: Path | null) => {
		if (pointer.button !== 0 || !pointer.isPrimary)
			return;
		(pointer.currentTarget as Element).setPointerCapture(pointer.pointerId);
		held.current = { pointer: pointer.pointerId, source, x: pointer.clientX, y: pointer.clientY, isOff: false };
		wasOn.current = false;
	};
	const onPointerMove = (pointer: PointerEvent) => {
		const from = held.current, field = plane.current;
		if (!from || from.isOff || !field || pointer.pointerId !== from.pointer)
			return;
		if (!wasOn.current && Math.hypot(pointer.clientX - from.x, pointer.clientY - from.y) < CLICK)
			return;
		wasOn.current = true;
		/* Near an edge the field scrolls on. */
		const frame = field.parentElement!, edge = frame.getBoundingClientRect();
		frame.scrollLeft += pointer.clientX > edge.right - 24 ? 14 : pointer.clientX < edge.left + 24 ? -14 : 0;
		const box = field.getBoundingClientRect(), x = pointer.clientX - box.left, y = pointer.clientY - box.top;
		const below = document.elementFromPoint(pointer.clientX, pointer.clientY), isBin = from.source !== null && Boolean(below && bin.current?.contains(below));
		setNow({ source: from.source, x, y, isBin, slot: isBin ? null : nearestSlot(slotsOf(spots, from.source), x / WIDE, (y - BOX / 2) / HIGH) });
	};
	const isHeld = ({ pointerId }: PointerEvent) => pointerId === held.current?.pointer;
	const onPointerUp = (pointer: PointerEvent) => {
		if (!isHeld(pointer))
			return;
		const last = now, isDrag = wasOn.current;
		end();
		if (!isDrag)
			return;
		wasOn.current = true; // for the click that follows at once
		window.setTimeout(() => void (wasOn.current = false), 0);
		if (last)
			drop(last);
	};
	return { drag: { now, wasOn }, begin, handlers: { onPointerMove, onPointerUp, onPointerCancel: (pointer: PointerEvent) => isHeld(pointer) && end() } };
}
