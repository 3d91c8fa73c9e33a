// TreeCanvas.tsx - the picture of a search tree: pan and zoom by mouse, touch and keys.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { t } from "../messages";
import { settings } from "../store/settings";
import { useStore } from "../store/store";
import { Icon } from "../ui/icons";
import { clampCamera, draw, fitCamera, follow, NEAR, READABLE, type Camera, type Paints, type Spot } from "./draw";
import { layOut, ROW_READABLE, shownAncestor } from "./layout";
import { childrenOf, focusAt, rootsAt, type SearchTree } from "./log";

export interface TreeCanvasProps {
	tree: SearchTree;
	event: number;
	closed: Uint8Array;
	fit: number; // the first view of the tree is shown again when it changes
	readable: boolean; // the first view has texts that can be read, even if the tree is wider than the window
	chosen: number; // -1: none
	label: string;
	windows: boolean;
	explore: number;
	onChoose(node: number): void;
	onHover(node: number): void; // -1: none
	onToggle(node: number): void; // opens or closes what is below it
}

const PAINTS: Record<Exclude<keyof Paints, "seats">, string> = {
	back: "--card", box: "--card", ink: "--ink", quiet: "--ink-2", edge: "--edge-strong",
	own: "--arrow-2", reply: "--lab-reply", chance: "--good", cut: "--bad", best: "--accent", focus: "--focus",
	letter: "--space",
};
const FACTIONS = ["--faction-1", "--faction-2", "--faction-3", "--faction-4"];

function readPaints(element: Element): Paints {
	const style = getComputedStyle(element);
	const read = (token: string) => style.getPropertyValue(token).trim() || "#888";
	const named = Object.fromEntries(Object.entries(PAINTS).map(([name, token]) => [name, read(token)])) as Record<keyof typeof PAINTS, string>;
	return { ...named, seats: FACTIONS.map(read) };
}

const CLICK = 5; // pixels that a click may move
const STEP = 60; // pixels for each key

export function TreeCanvas(props: TreeCanvasProps) {
	const { tree, event, closed, chosen, windows, explore } = props;
	const canvas = useRef<HTMLCanvasElement>(null);
	const { theme } = useStore(settings);
	const layout = useMemo(() => layOut(tree, closed, ...props.readable ? [ROW_READABLE] : []), [tree, closed, props.readable]);
	const [size, setSize] = useState({ wide: 0, high: 0 });
	const camera = useRef<Camera | null>(null);
	const isOwn = useRef(false); // the reader has zoomed or moved the picture
	const spots = useRef<Spot[]>([]);
	const frame = useRef(0);
	const paints = useRef<Paints | null>(null);
	const latest = useRef({ props, layout, size });
	latest.current = { props, layout, size };
	const current = shownAncestor(tree, layout, focusAt(tree, event));

	function paint(): void {
		frame.current = 0;
		const element = canvas.current, context = element?.getContext("2d");
		const { props: now, layout: places, size: { wide, high } } = latest.current;
		if (!element || !context || !wide)
			return;
		const ratio = window.devicePixelRatio || 1;
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		paints.current ??= readPaints(element);
		camera.current = clampCamera(camera.current ?? atFirst(), places, wide, high);
		spots.current = draw(context, {
			tree: now.tree, layout: places, closed: now.closed, event: now.event, chosen: now.chosen, windows: now.windows, explore: now.explore,
			current: shownAncestor(now.tree, places, focusAt(now.tree, now.event)),
		}, camera.current, paints.current, wide, high);
	}

	function atFirst(): Camera {
		const { props: now, layout: places, size: { wide } } = latest.current;
		return fitCamera(places, wide, now.readable ? READABLE : 0);
	}

	/** Once for each frame, however much has changed. */
	function later(): void {
		if (!frame.current)
			frame.current = requestAnimationFrame(paint);
	}

	function look(change: (camera: Camera) => Camera): void {
		const { layout: places, size: { wide, high } } = latest.current;
		camera.current = clampCamera(change(camera.current ?? atFirst()), places, wide, high);
		isOwn.current = true;
		later();
	}

	/** What is at the pixel stays there. */
	function zoom(factor: number, px = latest.current.size.wide / 2): void {
		look((now) => {
			const from = px - latest.current.size.wide / 2, column = now.x + from / now.scale;
			const { scale } = clampCamera({ ...now, scale: now.scale * factor }, latest.current.layout, latest.current.size.wide, latest.current.size.high);
			return { ...now, scale, x: column - from / scale };
		});
	}

	function fit(): void {
		look(() => fitCamera(latest.current.layout, latest.current.size.wide));
	}

	useEffect(() => {
		const element = canvas.current;
		if (!element)
			return;
		const observer = new ResizeObserver(() => {
			const { clientWidth: wide, clientHeight: high } = element;
			const ratio = window.devicePixelRatio || 1;
			element.width = Math.round(wide * ratio);
			element.height = Math.round(high * ratio);
			setSize({ wide, high });
		});
		observer.observe(element);
		return () => {
			observer.disconnect();
			cancelAnimationFrame(frame.current);
			frame.current = 0;
		};
	}, []);
	useEffect(() => {
		camera.current = null;
		isOwn.current = false;
		later();
	}, [tree, props.fit]);
	useEffect(() => {
		paints.current = null;
		later();
	}, [theme]);
	/* What is asked about stays in sight. */
	useEffect(() => {
		const node = shownAncestor(tree, layout, chosen >= 0 ? chosen : focusAt(tree, event));
		if (!isOwn.current && size.wide)
			camera.current = atFirst(); // another line may be open now
		if (node >= 0 && camera.current && size.wide)
			camera.current = follow(camera.current, layout, tree, node, size.wide, size.high);
		later();
	}, [layout, size, event, chosen, windows, explore]);

	// ---- Pointers ----

	const held = useRef(new Map<number, { x: number; y: number }>());
	const moved = useRef(0);

	function place(pointer: PointerEvent | WheelEvent | MouseEvent): { x: number; y: number } {
		const box = canvas.current!.getBoundingClientRect();
		return { x: pointer.clientX - box.left, y: pointer.clientY - box.top };
	}

	function nodeAt({ x, y }: { x: number; y: number }): number {
		let best = -1, least = 12;
		for (const spot of spots.current) {
			const aside = Math.max(0, Math.abs(x - spot.x) - spot.wide / 2), above = Math.max(0, spot.y - y, y - spot.y - spot.high);
			const far = aside + above;
			if (far < least) {
				least = far;
				best = spot.node;
			}
		}
		return best;
	}

	function onPointerDown(pointer: PointerEvent): void {
		canvas.current?.setPointerCapture(pointer.pointerId);
		held.current.set(pointer.pointerId, place(pointer));
		moved.current = 0;
	}

	function onPointerMove(pointer: PointerEvent): void {
		const to = place(pointer), from = held.current.get(pointer.pointerId);
		if (!from) {
			props.onHover(nodeAt(to));
			return;
		}
		const other = [...held.current].find(([id]) => id !== pointer.pointerId)?.[1];
		held.current.set(pointer.pointerId, to);
		moved.current += Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
		if (other) {
			const apart = (one: { x: number; y: number }) => Math.max(20, Math.hypot(one.x - other.x, one.y - other.y));
			zoom(apart(to) / apart(from), (to.x + other.x) / 2);
		} else if (moved.current > CLICK) {
			look((now) => ({ ...now, x: now.x - (to.x - from.x) / now.scale, y: now.y - (to.y - from.y) }));
		}
	}

	function onPointerUp(pointer: PointerEvent): void {
		held.current.delete(pointer.pointerId);
		if (pointer.type === "pointerup" && moved.current <= CLICK) {
			const node = nodeAt(place(pointer));
			if (node >= 0)
				props.onChoose(node);
		}
	}

	/* Not passive, so that the page does not scroll. */
	useEffect(() => {
		const element = canvas.current;
		const onWheel = (wheel: WheelEvent) => {
			if (document.activeElement !== element && !wheel.ctrlKey)
				return; // the page scrolls until the picture was clicked
			wheel.preventDefault();
			if (wheel.shiftKey || Math.abs(wheel.deltaX) > Math.abs(wheel.deltaY))
				look((now) => ({ ...now, x: now.x + (wheel.deltaX || wheel.deltaY) / now.scale }));
			else
				zoom(Math.exp(-wheel.deltaY / 300), place(wheel).x);
		};
		element?.addEventListener("wheel", onWheel, { passive: false });
		return () => element?.removeEventListener("wheel", onWheel);
	}, []);

	// ---- Keys ----

	function step(way: "up" | "down" | "left" | "right"): number {
		const here = chosen >= 0 ? chosen : current;
		if (here < 0)
			return rootsAt(tree, event)[0] ?? -1;
		const above = tree.parent[here]!;
		if (way === "up")
			return above;
		if (way === "down")
			return closed[here] ? -1 : childrenOf(tree, here, event)[0] ?? -1;
		const beside = above < 0 ? rootsAt(tree, event) : childrenOf(tree, above, event);
		return beside[beside.indexOf(here) + (way === "left" ? -1 : 1)] ?? -1;
	}

	const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" } as const;

	function onKeyDown(key: KeyboardEvent): void {
		if (key.ctrlKey || key.metaKey || key.altKey)
			return;
		const way = ARROWS[key.key as keyof typeof ARROWS];
		if (way && key.shiftKey) {
			const [dx, dy] = { up: [0, -STEP], down: [0, STEP], left: [-STEP, 0], right: [STEP, 0] }[way] as [number, number];
			look((now) => ({ ...now, x: now.x + dx / now.scale, y: now.y + dy }));
		} else if (way) {
			const node = step(way);
			if (node >= 0)
				props.onChoose(node);
		} else if (key.key === "+" || key.key === "=") {
			zoom(1.4);
		} else if (key.key === "-") {
			zoom(1 / 1.4);
		} else if (key.key === "0") {
			fit();
		} else if ((key.key === "Enter" || key.key === " ") && (chosen >= 0 || current >= 0)) {
			props.onToggle(chosen >= 0 ? chosen : current);
		} else {
			return;
		}
		key.preventDefault();
		key.stopPropagation();
	}

	return (
		<div class="lab-picture">
			<canvas ref={canvas} tabIndex={0} role="application" aria-roledescription={t("lab.searchTreeRole")} aria-label={props.label}
				title={t("lab.zoomAbout")}
				onPointerDown={onPointerDown} onPointerMove={onPointerMove} onPointerUp={onPointerUp} onPointerCancel={onPointerUp}
				onPointerLeave={() => props.onHover(-1)} onKeyDown={onKeyDown}
				onDblClick={(click) => {
					const node = nodeAt(place(click));
					if (node >= 0)
						props.onToggle(node);
				}} />
			<div class="lab-zoom" role="group" aria-label={t("lab.zoom")}>
				<button type="button" aria-label={t("lab.zoomIn")} title={t("lab.zoomInKey")} onClick={() => zoom(1.6)}><Icon name="plus" /></button>
				<button type="button" aria-label={t("lab.zoomOut")} title={t("lab.zoomOutKey")} onClick={() => zoom(1 / 1.6)}>−</button>
				<button type="button" aria-label={t("lab.showAll")} title={t("lab.showAllKey")} onClick={fit}>{t("lab.all")}</button>
				<button type="button" aria-label={t("lab.near")} title={t("lab.nearTitle")} onClick={() => look((now) => {
					const node = shownAncestor(tree, layout, chosen >= 0 ? chosen : focusAt(tree, event));
					return node < 0 ? now : { ...now, scale: NEAR, x: (layout.left[node]! + layout.right[node]!) / 2 };
				})}>{t("lab.nearShort")}</button>
			</div>
		</div>
	);
}
