// BoardView.tsx - an interactive board for mouse, touch, keyboard and screen readers. See props.ts.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { t } from "../messages";
import { settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Move, Standing } from "../types";
import { announce } from "../ui/announce";
import { useMedia } from "../ui/media";
import { Icon } from "../ui/icons";
import { toast } from "../ui/toast";
import { facing, usedDice } from "./backgammon";
import { placeBadges } from "./badges";
import { MoveChoice } from "./MoveChoice";
import { Back, cellClass, CellPictures, Front, Labels, Lines, place, Prompt } from "./drawing";
import { sharedClicks, canDrag, click, dragged, hasPaths, standIn, targets, touchesOf } from "./entry";
import { inset, outline, rowsOf, walk } from "./geometry";
import { Ghost } from "./Ghost";
import { halfway, captureText, jumped } from "./halfway";
import { fullRows, meaningOf, openRows, type MarkKind } from "./marks";
import { NotionLayer } from "./NotionLayer";
import { Overlay } from "./Overlay";
import { PieceLayer } from "./PieceLayer";
import type { BoardProps } from "./props";
import { refusalText } from "./refusal";
import { Rings, RowLines } from "./Rings";
import { inSpace } from "./space";
import { CrossHair, ForbiddenMarks, PlaceBar, StoneMarks, StonePreview } from "./StoneLayer";
import { afterSteps, clickStep, entered, isStepped, selected, starts, stepBack, stepTargets } from "./steps";
import { forbiddenPoints, hasManyPoints, isOccupied, nextStone } from "./stones";
import { isRack } from "./treats";
import { cellAt, useDrag } from "./useDrag";
import { useDrawing } from "./useDrawing";
import { useSpin } from "./useSpin";
import { cellText, legalMovesText, positionText } from "./text";
import { usePreview } from "./usePreview";

const WALKING = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];

export function BoardView(props: BoardProps) {
	const { view, interactive = false, premoving = false, onMove, onCell, arrows = [], badges = [], marks = [] } = props;
	const turned = (props.turned ?? false) && props.board.turnable;
	const spin = useSpin();
	const board = useMemo(() => facing(props.board.spins ? inSpace(props.board, spin.angle) : props.board, turned), [props.board, turned, spin.angle]);
	const { hints, coordinates } = useStore(settings);
	const [clicks, setClicks] = useState<number[]>([]);
	const [choice, setChoice] = useState<Move[]>([]);
	const [chosen, setFocus] = useState<number | null>(null);
	const [held, setHeld] = useState<{ position: string; standing: Standing[] } | null>(null); // shown until the server confirms the move
	const [lifted, setLifted] = useState<number | null>(null);
	const [hovered, setHovered] = useState<number | null>(null); // by a mouse
	const drawing = useDrawing(board, view.position, props.drawn, props.onDraw);
	const svg = useRef<SVGSVGElement>(null);
	const dropped = useRef(false);
	const moves = interactive ? view.moves : [];
	const rows = useMemo(() => rowsOf(board, turned), [board, turned]);
	const focus = chosen !== null && chosen < board.cells.length ? chosen : rows[0]?.[0] ?? 0;
	const stepped = useMemo(() => isStepped(moves), [moves]);
	const next = useMemo(() => stepped ? stepTargets(board, view, moves, clicks) : targets(moves, clicks), [board, view, moves, clicks]);
	const half = useMemo(() => premoving ? null : !stepped ? halfway(view, moves, clicks) : clicks.length > 1 ? afterSteps(board, view.standing, clicks) : null,
		[board, view, moves, clicks]);
	const used = useMemo(() => stepped ? usedDice(board, view.standing, view.seat, entered(clicks)) : half ? jumped(board, moves, clicks) : undefined,
		[board, view, stepped, half, clicks]);
	const movable = useMemo(() => stepped ? starts(board, view, moves, clicks) : null, [board, view, moves, clicks]);
	const picked = stepped ? [selected(clicks)] : clicks; // the cells shown as selected
	const standing = half ?? (held?.position === view.position ? held.standing : view.standing);
	const shown = standing === view.standing ? view : { ...view, standing };
	const prompt = half && !stepped && captureText(board, view, moves, clicks);
	const occupied = useMemo(() => new Set(standing.map(([cell]) => cell)), [standing]);
	const values = useMemo(() => placeBadges(view.moves, badges, clicks), [view.moves, badges, clicks]);
	const stones = useMemo(() => hasManyPoints(board), [board]);
	const forbidden = useMemo(() => stones ? forbiddenPoints(board, view) : new Set<number>(), [board, view, stones]);
	const tagged = new Set(marks.flatMap(({ text, cells }) => (text ? cells : [])));
	const coarse = useMedia("(pointer: coarse)");
	const places = stones && !onCell && next.size > 0;
	const { preview, handlers } = usePreview({
		board, turned, on: places, position: view.position, isFree: (cell) => !isOccupied(standing, cell), place: press,
	});
	const rack = isRack(board);
	const round = board.cells.some(({ shape }) => shape === "ellipse" || shape === "point"); // men cover their cells, so marks are above them
	/* A click on a cell of a group counts for the one that can be clicked next. */
	const meant = (cell: number | null) => (cell === null || onCell ? cell : standIn(board, next, cell));
	/** Where a disc would land, if one may be dropped there now. */
	const landing = (cell: number | null) => [meant(cell)].find((at) => at !== null && next.has(at)) ?? null;
	const full = useMemo(() => fullRows(board, shown), [board, shown]);
	const rings = useMemo(ringsOf, [board, view, picked.join(), hovered, next, onCell]);
	/* Before the first click, pieces that can move need no dots, and neither do boards where every empty cell can be played. */
	const isFree = board.cells.every(({ tone }, i) => occupied.has(i) || next.has(i) || tone === "tray");
	const isPlain = !hints || onCell || stones || premoving || (isFree && !clicks.length);
	const dots = isPlain ? new Set<number>() : (stepped ? clicks.length % 2 : clicks.length) ? next : new Set([...next].filter((i) => !occupied.has(i)));

	/* A new position clears a half-entered move. */
	useEffect(() => {
		setClicks([]);
		setChoice([]);
		if (interactive)
			setHeld(null);
	}, [view.position, interactive]);

	/** One ring for each marked cell: the later ones of this list matter more. */
	function ringsOf(): [number, MarkKind][] {
		if (stones)
			return [];
		const over = rack ? (premoving ? null : landing(hovered)) : meant(hovered);
		return [...new Map<number, MarkKind>([
			...(view.last?.touches ?? []).map((cell): [number, MarkKind] => [cell, "last"]),
			...view.marks.map((cell): [number, MarkKind] => [cell, meaningOf(board, view, cell)]),
			...(over === null ? [] : [[over, "hover"] as [number, MarkKind]]),
			...picked.flatMap((cell): [number, MarkKind][] => (cell === undefined ? [] : [[cell, "selected"]])),
		])];
	}

	function enter(found: Move[]): boolean {
		const [only] = found;
		if (!only)
			return false;
		if (found.length === 1 && !only.max)
			onMove?.(only.move);
		else
			setChoice(found);
		return true;
	}

	function press(cell: number): void {
		setFocus(cell);
		if (onCell)
			return onCell(cell);
		if (stepped)
			return void takeStep(clicks, cell);
		const step = click(board, moves, clicks, cell);
		setClicks(step.clicks);
		setHeld(half && step.play.length === 1 ? { position: view.position, standing: half } : null);
		if (enter(step.play))
			return;
		if (step.clicks.length) {
			const take = premoving ? null : halfway(view, moves, step.clicks) && captureText(board, view, moves, step.clicks);
			const values = { cell: cellText(board, view, cell), cells: namesOf(targets(moves, step.clicks)) };
			announce(premoving ? t("board.selectedPremove", values)
				: take ? t("board.selectedTake", { ...values, take }) : t("board.selectedTo", values));
		} else if (forbidden.has(cell)) {
			refuse(cell);
		} else {
			const why = refusalText(board, view, moves, clicks, cell);
			if (why)
				toast(why);
			announce(why ?? (clicks.length ? t("board.selectionCleared") : t("board.noMoveHere")));
			if (!clicks.includes(cell))
				props.onRefuse?.(cell);
		}
	}

	/** A click in a move of several steps. Returns whether a piece has moved. */
	function takeStep(before: number[], cell: number): boolean {
		const from = selected(before), step = clickStep(board, view, moves, before, cell);
		const [whole] = step.play;
		const moved = whole !== undefined || step.clicks.length > before.length && from !== undefined;
		setClicks(step.clicks);
		/* The clicks of the move may be other pairs than the entered ones, but the result is the same. */
		setHeld(whole ? { position: view.position, standing: afterSteps(board, view.standing, whole.clicks) } : null);
		if (enter(step.play))
			return true;
		const left = namesOf(stepTargets(board, view, moves, step.clicks));
		announce(moved ? t("board.stepMoved", { from: board.cells[from ?? -1]?.name ?? "?", to: board.cells[cell]?.name ?? "?", cells: left })
			: selected(step.clicks) !== undefined ? t("board.selectedTo", { cell: cellText(board, shown, cell), cells: left })
				: from !== undefined ? t("board.selectionCleared") : t("board.noStepHere"));
		if (!moved && cell !== from && selected(step.clicks) === undefined)
			props.onRefuse?.(cell);
		return moved;
	}

	/** The server gives the reason, if it is asked for the move. */
	function refuse(cell: number): void {
		const name = board.cells[cell]?.name ?? "?";
		if (interactive && props.explains)
			onMove?.(name);
		else
			toast(t("board.forbiddenToBlack", { cell: name }));
	}

	function undoSteps(left: number[]): void {
		setClicks(left);
		announce(left.length ? t("board.stepTakenBack") : t("board.stepsTakenBack"));
	}

	function cancel(): void {
		setChoice([]);
		dropped.current = false;
	}

	function namesOf(cells: Set<number>): string {
		return [...cells].map((i) => board.cells[i]?.name ?? "?").join(", ");
	}

	const drag = useDrag(
		lifts,
		(from) => {
			setLifted(from);
			if (stepped)
				return setClicks([...entered(clicks), from]);
			if (!continues(from))
				setClicks(targets(moves, [from]).size ? [from] : []);
		},
		(from, to) => {
			if (stepped) {
				const before = [...entered(clicks), from];
				setLifted(null);
				dropped.current = takeStep(before, to ?? from);
				return false; // the piece is drawn where it stands now
			}
			if (hasPaths(moves) && to !== null) {
				const step = click(board, moves, continues(from) ? clicks : [from], to);
				setClicks(step.clicks);
				setLifted(null);
				dropped.current = enter(step.play) || step.clicks.length > 1;
				return step.play.length > 0;
			}
			const found = to === null ? [] : dragged(board, moves, from, to);
			const more = sharedClicks(found); // the capture of a mill is still to be clicked
			setClicks(more ?? []);
			setLifted(null);
			const played = more !== null || enter(found);
			if (!played && to !== null && to !== from)
				props.onRefuse?.(to);
			dropped.current = played;
			return played;
		},
		setHovered);

	function lifts(from: number): boolean {
		return !onCell && !props.pen && (movable?.has(from) ?? (canDrag(moves, from) || continues(from)));
	}

	/** Whether the piece on the cell is in the middle of its jumps. */
	function continues(from: number): boolean {
		return hasPaths(moves) && clicks.length > 1 && clicks[clicks.length - 1] === from;
	}

	function onKeyDown(event: KeyboardEvent): void {
		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (board.spins && event.shiftKey && (event.key === "ArrowLeft" || event.key === "ArrowRight"))
			spin.turn(event.key === "ArrowLeft" ? 1 : -1);
		else if (WALKING.includes(event.key))
			goTo(walk(rows, board, focus, event.key));
		else if (event.key === "Enter" || event.key === " ")
			press(focus);
		else if (event.key === "Escape" && clicks.length)
			stepped ? undoSteps([]) : setClicks([]);
		else if (event.key === "Escape" && drawing.clear())
			announce(t("board.drawingsRemoved"));
		else if (event.key === "Backspace" && stepped && clicks.length)
			undoSteps(stepBack(clicks));
		else if (event.key.toLowerCase() === "s" && !onCell)
			drawing.key(event, focus);
		else if (event.key === "p")
			announce(positionText(board, view));
		else if (event.key === "m")
			announce(premoving ? t("board.notYourTurn") : legalMovesText(view.moves));
		else
			return;
		event.preventDefault();
	}

	function goTo(cell: number): void {
		setFocus(cell);
		svg.current?.querySelector<SVGElement>(`[data-cell="${cell}"]`)?.focus();
	}

	function labelOf(cell: number): string {
		const parts = [cellText(board, shown, cell)];
		if (picked.includes(cell))
			parts.push(t("board.selected"));
		if (next.has(cell) && !premoving)
			parts.push(picked.length && picked[0] !== undefined ? t("board.canBeReached") : t("board.canBePlayed"));
		if (view.last?.touches.includes(cell))
			parts.push(t("board.lastMove"));
		if (view.marks.includes(cell))
			parts.push(meaningOf(board, view, cell) === "check" ? t("board.inCheck") : t("board.marked"));
		else if (full.some((row) => row.includes(cell)))
			parts.push(t("board.inFullRow"));
		if (forbidden.has(cell))
			parts.push(t("board.forbidden"));
		const badge = values.get(cell);
		if (badge)
			parts.push(badge.title);
		parts.push(...marks.filter(({ cells }) => cells.includes(cell)).map(({ title }) => title));
		return parts.join(", ");
	}

	/** The cell where all these moves end, as it is on the screen. */
	function squareOf(moves: Move[]): Element | null {
		return svg.current?.querySelector(`[data-cell="${touchesOf(moves[0]).slice(-1)[0]}"] > .face`) ?? null;
	}

	const hovering = {
		onPointerOver(event: PointerEvent): void {
			if (event.pointerType === "mouse")
				setHovered(cellAt(event.target));
		},
		onPointerLeave(): void {
			setHovered(null);
		},
	};

	/* SVG attribute names are case-sensitive: tabIndex would have no effect. */
	const cellNode = (i: number) => (
		<g key={i} role="gridcell" data-cell={i} tabindex={i === focus ? 0 : -1} aria-label={labelOf(i)}
			aria-selected={picked.includes(i) ? true : undefined} transform={place(board, i, turned)}
			class={[cellClass(board, view, i), picked.includes(i) ? "selected" : "",
				onCell || next.has(i) ? "live" : "", lifts(i) ? "lifts" : "", lifted !== null && hovered === i && next.has(i) ? "aimed" : ""].join(" ")}
			onFocus={() => setFocus(i)}>
			<path class="face" d={outline(board.cells[i]!, turned)} />
			{stones ? null : <path class="tint" d={inset(board.cells[i]!, 0, turned)} />}
			{rack ? <path class="box" d={`M-50-50H50V50H-50Z${board.cells[i]?.row ? "" : `M-50-50v${-(board.top ?? 0)}h100V-50Z`}`} /> : null}
			{board.cells[i]?.stack ? <path class="box" d={outline({ ...board.cells[i]!, shape: "rectangle" })} /> : null}
		</g>
	);

	const labels = coordinates ? <Labels board={board} turned={turned} /> : null;
	/* Above the pieces, but below the one in your hand. */
	const overlay = (
		<Overlay board={board} standing={standing} mover={stepped ? view.seat : 0} paired={view.moves.some(({ ways }) => ways)} targets={dots} focus={focus}
			turned={turned} arrows={drawing.drawn.length ? [...drawing.drawn, ...arrows] : arrows} badges={values} />
	);
	return (
		<>
			<svg ref={svg} class={["board", board.upright && "upright", stones && "stones", board.spins && "spins"].filter(Boolean).join(" ")} viewBox={`0 0 ${board.width} ${board.height}`} role="grid"
				aria-label={props.label ?? t("board.label", { title: board.title })} aria-readonly={interactive || onCell ? undefined : true} style={board.theme}
				onKeyDown={onKeyDown} {...together(places ? gestures(handlers) : pointer(drag), board.spins ? gestures(spin) : {}, onCell ? {} : gestures(drawing), hovering)}
				onClick={(event) => {
					const cell = cellAt(event.target);
					if (props.pen)
						return void (cell !== null && drawing.key(event, cell));
					if (!props.onDraw)
						drawing.clear();
					if (places)
						handlers.onClick(event);
					else if (!drag.swallowClick() && !spin.swallowClick() && cell !== null)
						press(cell);
				}}>
				<Back board={board} />
				{rows.map((row, i) => <g key={i} role="row">{row.map(cellNode)}</g>)}
				{rack ? null : <Lines board={board} turned={turned} />}
				{round ? null : <Rings board={board} marks={rings} turned={turned} />}
				{rack ? null : labels}
				<CellPictures board={board} view={shown} turned={turned} />
				{preview?.touched ? <CrossHair board={board} cell={preview.cell} turned={turned} /> : null}
				{lifted === null ? null : overlay}
				<PieceLayer board={board} view={shown} turned={turned} {...(used ? { used } : {})} lifted={lifted} dropped={dropped} />
				{rack && !onCell && !premoving ? <Ghost board={board} view={view} hovered={landing(hovered)} focus={landing(focus)} /> : null}
				<Front board={board} />
				{rack ? <Lines board={board} turned={turned} /> : null}
				{rack ? labels : null}
				{round ? <Rings board={board} marks={rings} turned={turned} /> : null}
				{board.rows && next.has(hovered ?? focus)
					? <RowLines board={board} rows={openRows(board, view, hovered ?? focus)} kind={hovered === null ? "open at-focus" : "open"} turned={turned} /> : null}
				<RowLines board={board} rows={full} kind="won" turned={turned} />
				{stones ? <StoneMarks board={board} view={shown} turned={turned} /> : null}
				{forbidden.size ? <ForbiddenMarks board={board} cells={[...forbidden].filter((cell) => !tagged.has(cell))} turned={turned} /> : null}
				{lifted === null ? overlay : null}
				{marks.length ? <NotionLayer board={board} marks={marks} turned={turned} /> : null}
				{preview ? <StonePreview board={board} preview={preview} piece={premoving ? board.pieces.findIndex(({ seat }) => seat === view.seat) : nextStone(board, view)} forbidden={forbidden.has(preview.cell)} turned={turned} /> : null}
				{prompt ? <Prompt board={board} text={prompt} /> : null}
			</svg>
			{stones && coarse && !onCell && !view.over ? <PlaceBar board={board} preview={preview} on={places} onPlace={press} /> : null}
			{board.spins ? (
				<div class="spin-bar row" role="group" aria-label={t("board.turnStack")}>
					<button type="button" title={t("board.turnLeftKey")} aria-label={t("board.turnLeft")} onClick={() => spin.turn(1)}><Icon name="spinleft" /></button>
					<button type="button" title={t("board.turnRightKey")} aria-label={t("board.turnRight")} onClick={() => spin.turn(-1)}><Icon name="spinright" /></button>
				</div>
			) : null}
			{stepped && clicks.length > 1 ? (
				<div class={turned ? "on-board left turned row" : "on-board left row"} role="group" aria-label={t("board.turn")}>
					<button type="button" title={t("board.undoStepAbout")} onClick={() => undoSteps(stepBack(entered(clicks)))}>{t("board.undoStep")}</button>
					<button type="button" title={t("board.undoAllAbout")} onClick={() => undoSteps([])}>{t("board.undoAll")}</button>
				</div>
			) : null}
			{choice.length ? (
				<MoveChoice board={board} moves={choice} onClose={cancel} at={squareOf(choice)}
					onMove={(move) => {
						setChoice([]);
						onMove?.(move);
					}} />
			) : null}
		</>
	);
}

function pointer(drag: ReturnType<typeof useDrag>) {
	const { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onTouchMove } = drag;
	return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onTouchMove };
}

type Handlers = Record<string, (event: any) => void>;

/** The handlers of pointers alone, without the other things that a hook returns. */
function gestures(hook: object): Handlers {
	return Object.fromEntries(Object.entries(hook).filter(([name]) => name.startsWith("on") && name !== "onClick"));
}

/** Each event goes to all that listen to it. */
function together(...listeners: Handlers[]): Handlers {
	const all: Handlers = {};
	for (const [name, listen] of listeners.flatMap((one) => Object.entries(one))) {
		const before = all[name];
		all[name] = before ? (event) => { before(event); listen(event); } : listen;
	}
	return all;
}
