// BoardView.tsx - an interactive board for mouse, touch, keyboard and screen readers. See props.ts.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Move, Standing } from "../types";
import { announce } from "../ui/announce";
import { placeBadges } from "./badges";
import { MoveChoice } from "./MoveChoice";
import { Back, cellClass, CellPictures, Lines, place, Prompt } from "./drawing";
import { sharedClicks, canDrag, click, dragged, targets } from "./entry";
import { outline, rowsOf, walk } from "./geometry";
import { halfway, captureText } from "./halfway";
import { NotionLayer } from "./NotionLayer";
import { Overlay } from "./Overlay";
import { PieceLayer } from "./PieceLayer";
import type { BoardProps } from "./props";
import { cellAt, useDrag } from "./useDrag";
import { cellText, legalMovesText, positionText } from "./text";

const WALKING = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];

export function BoardView(props: BoardProps) {
	const { board, view, interactive = false, onMove, onCell, arrows = [], badges = [], marks = [] } = props;
	const turned = (props.turned ?? false) && board.turnable;
	const { hints, coordinates } = useStore(settings);
	const [clicks, setClicks] = useState<number[]>([]);
	const [choice, setChoice] = useState<Move[]>([]);
	const [chosen, setFocus] = useState<number | null>(null);
	const [held, setHeld] = useState<{ position: string; standing: Standing[] } | null>(null); // shown until the server confirms the move
	const [lifted, setLifted] = useState<number | null>(null);
	const svg = useRef<SVGSVGElement>(null);
	const dropped = useRef(false);
	const moves = interactive ? view.moves : [];
	const rows = useMemo(() => rowsOf(board, turned), [board, turned]);
	const focus = chosen !== null && chosen < board.cells.length ? chosen : rows[0]?.[0] ?? 0;
	const next = useMemo(() => targets(moves, clicks), [moves, clicks]);
	const half = useMemo(() => halfway(view, moves, clicks), [view, moves, clicks]);
	const standing = half ?? (held?.position === view.position ? held.standing : view.standing);
	const shown = standing === view.standing ? view : { ...view, standing };
	const prompt = half && captureText(board, view, moves, clicks);
	const occupied = useMemo(() => new Set(standing.map(([cell]) => cell)), [standing]);
	const values = useMemo(() => placeBadges(view.moves, badges, clicks), [view.moves, badges, clicks]);
	/* Before the first click, pieces that can move need no dots. */
	const dots = !hints || onCell ? new Set<number>() : clicks.length ? next : new Set([...next].filter((i) => !occupied.has(i)));

	/* A new position clears a half-entered move. */
	useEffect(() => {
		setClicks([]);
		setChoice([]);
		if (interactive)
			setHeld(null);
	}, [view.position, interactive]);

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
		const step = click(board, moves, clicks, cell);
		setClicks(step.clicks);
		setHeld(half && step.play.length === 1 ? { position: view.position, standing: half } : null);
		if (enter(step.play))
			return;
		if (step.clicks.length) {
			const take = halfway(view, moves, step.clicks) && captureText(board, view, moves, step.clicks);
			announce(`${cellText(board, view, cell)}, selected. ${take ?? "To"}: ${namesOf(targets(moves, step.clicks))}.`);
		} else {
			announce(clicks.length ? "Selection cleared." : "No legal move here.");
		}
	}

	function cancel(): void {
		setChoice([]);
		dropped.current = false;
	}

	function namesOf(cells: Set<number>): string {
		return [...cells].map((i) => board.cells[i]?.name ?? "?").join(", ");
	}

	const drag = useDrag(
		(from) => !onCell && canDrag(moves, from),
		(from) => {
			setLifted(from);
			setClicks(targets(moves, [from]).size ? [from] : []);
		},
		(from, to) => {
			const found = to === null ? [] : dragged(board, moves, from, to);
			const more = sharedClicks(found); // the capture of a mill is still to be clicked
			setClicks(more ?? []);
			setLifted(null);
			const played = more !== null || enter(found);
			dropped.current = played;
			return played;
		});

	function onKeyDown(event: KeyboardEvent): void {
		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (WALKING.includes(event.key))
			goTo(walk(rows, board, focus, event.key));
		else if (event.key === "Enter" || event.key === " ")
			press(focus);
		else if (event.key === "Escape" && clicks.length)
			setClicks([]);
		else if (event.key === "p")
			announce(positionText(board, view));
		else if (event.key === "m")
			announce(legalMovesText(view.moves));
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
		if (clicks.includes(cell))
			parts.push("selected");
		if (next.has(cell))
			parts.push(clicks.length ? "can be reached" : "can be played");
		if (view.last?.touches.includes(cell))
			parts.push("last move");
		if (view.marks.includes(cell))
			parts.push("marked");
		const badge = values.get(cell);
		if (badge)
			parts.push(badge.title);
		parts.push(...marks.filter(({ cells }) => cells.includes(cell)).map(({ title }) => title));
		return parts.join(", ");
	}

	/* SVG attribute names are case-sensitive: tabIndex would have no effect. */
	const cellNode = (i: number) => (
		<g key={i} role="gridcell" data-cell={i} tabindex={i === focus ? 0 : -1} aria-label={labelOf(i)}
			aria-selected={clicks.includes(i) ? true : undefined} transform={place(board, i, turned)}
			class={[cellClass(board, view, i), clicks.includes(i) ? "selected" : "",
				onCell || next.has(i) ? "live" : "", canDrag(moves, i) ? "lifts" : ""].join(" ")}
			onFocus={() => setFocus(i)}>
			<path class="face" d={outline(board.cells[i]!)} />
			<path class="tint" d={outline(board.cells[i]!)} />
		</g>
	);

	return (
		<>
			<svg ref={svg} class="board" viewBox={`0 0 ${board.width} ${board.height}`} role="grid"
				aria-label={props.label ?? `${board.title} board`} aria-readonly={interactive || onCell ? undefined : true}
				onKeyDown={onKeyDown} {...pointer(drag)}
				onClick={(event) => {
					const cell = cellAt(event.target);
					if (!drag.swallowClick() && cell !== null)
						press(cell);
				}}>
				<Back board={board} />
				{rows.map((row, i) => <g key={i} role="row">{row.map(cellNode)}</g>)}
				<Lines board={board} turned={turned} coordinates={coordinates} />
				<CellPictures board={board} view={shown} turned={turned} />
				<PieceLayer board={board} view={shown} turned={turned} lifted={lifted} dropped={dropped} />
				<Overlay board={board} occupied={occupied} targets={dots} focus={focus}
					turned={turned} arrows={arrows} badges={values} />
				{marks.length ? <NotionLayer board={board} marks={marks} turned={turned} /> : null}
				{prompt ? <Prompt board={board} text={prompt} /> : null}
			</svg>
			{choice.length ? (
				<MoveChoice board={board} moves={choice} onClose={cancel}
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
