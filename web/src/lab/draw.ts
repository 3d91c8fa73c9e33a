// draw.ts - draws the part of a tree that the window shows: far away dots and counts, near by moves, values and windows.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Layout } from "./layout";
import { hasFlag, isCutNode, isOnLine, moveOf, number, numbersAt, seatAt, shortCount, valueAt, windowText, worthAt, type SearchTree, type Worth } from "./log";

/** The part of the picture in the window. */
export interface Camera {
	scale: number; // pixels for each column
	x: number; // the column in the middle
	y: number; // pixels that the picture is scrolled down
}

/** Colours by what they mean. */
export interface Paints {
	back: string; box: string; ink: string; quiet: string; edge: string;
	own: string; reply: string; chance: string; cut: string; best: string; focus: string;
	seats: string[]; // with three seats and more: a colour for each
	letter: string; // on these colours
}

export interface Scene {
	tree: SearchTree;
	layout: Layout;
	closed: Uint8Array;
	event: number;
	chosen: number; // node; -1: none
	current: number;
	windows: boolean; // show alpha and beta
	explore: number; // UCB's constant
}

/** A drawn node, to find it under the pointer. */
export interface Spot {
	node: number;
	x: number; // the middle
	y: number;
	wide: number;
	high: number;
}

export const NEAR = 84; // pixels for each column that allow a full box
const FAR = 20;
const BOX_HIGH = 46;
const ROW_NEAR = 84;
const TOP = 14;
const CROWD = 60; // columns below a node: its count is written next to it
const LEAST = 26; // pixels: in narrower nodes the text stands upright
const UPRIGHT = 13; // pixels: narrower nodes are dots without text
const TALL = 40; // pixels that upright text needs at least
export const READABLE = 15; // pixels for each column with upright text
const SLIM = 1.5; // pixels: narrower nodes are drawn as one line with all below them

/** Pixels between two rows: all rows fit the window if they can, and boxes have room near by. */
export function rowHeight(layout: Layout, scale: number, high: number): number {
	const fit = Math.min(ROW_NEAR + 16, Math.max(layout.rowLeast, (high - TOP) / layout.rows));
	const near = Math.min(1, Math.max(0, Math.log(scale / FAR) / Math.log(NEAR / FAR)));
	return fit + near * Math.max(0, ROW_NEAR - fit);
}

/** least: pixels for each column, even if not all of the tree is in the window then. */
export function fitCamera(layout: Layout, wide: number, least = 0): Camera {
	return { scale: Math.max(least, Math.min(NEAR + 30, (wide - 12) / layout.columns)), x: layout.columns / 2, y: 0 };
}

/** Keeps some of the tree in the window. */
export function clampCamera(camera: Camera, layout: Layout, wide: number, high: number): Camera {
	const least = Math.min(NEAR, (wide - 12) / layout.columns);
	const scale = Math.min(3 * NEAR, Math.max(least, camera.scale));
	const half = wide / 2 / scale;
	const x = layout.columns <= 2 * half ? layout.columns / 2 : Math.min(layout.columns - half * 0.5, Math.max(half * 0.5, camera.x));
	const tall = layout.rows * rowHeight(layout, scale, high) + TOP - high;
	return { scale, x, y: Math.min(Math.max(0, tall), Math.max(0, camera.y)) };
}

/** Moves the camera only if the node would be near the edge or outside of the window. */
export function follow(camera: Camera, layout: Layout, tree: SearchTree, node: number, wide: number, high: number): Camera {
	const middle = (layout.left[node]! + layout.right[node]!) / 2;
	const px = (middle - camera.x) * camera.scale, room = wide * 0.38;
	const row = rowHeight(layout, camera.scale, high);
	const top = TOP + tree.ply[node]! * row, y = camera.y;
	return clampCamera({
		scale: camera.scale,
		x: Math.abs(px) <= room ? camera.x : middle,
		y: top < y ? top - TOP : top + BOX_HIGH > y + high ? top + BOX_HIGH + TOP - high : y,
	}, layout, wide, high);
}

/** Draws the scene and returns where its nodes are. */
export function draw(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, paints: Paints, wide: number, high: number): Spot[] {
	const { tree, layout, closed, event } = scene;
	const { first, next, born, parent, ply } = tree;
	const { left, right, low } = layout;
	const { scale } = camera;
	const row = rowHeight(layout, scale, high), boxHigh = Math.min(BOX_HIGH, row - 16);
	const at = (column: number) => (column - camera.x) * scale + wide / 2;
	const top = (rank: number) => TOP + rank * row - camera.y;
	const spots: Spot[] = [];
	const edges: number[] = [], bestEdges: number[] = [], lines: number[] = [];
	const taken = new Float64Array(layout.rows + 1).fill(-1e9); // by row: the last pixel with a line

	/** The middle of a node's columns, or of those that the window shows: a node stays in sight as long as one of them does. */
	const place = (node: number) => {
		const from = at(left[node]!), to = at(right[node]!), half = boxSize(node).wide / 2 + 2;
		return Math.min(Math.max((from + to) / 2, Math.min(half, to - half)), Math.max(wide - half, from + half));
	};

	/* A stack of its own, since trees may be deep. */
	const todo: number[] = [];
	const push = (nodes: number) => {
		for (let node = nodes; node >= 0 && born[node]! <= event; node = next[node]!)
			todo.push(node);
	};
	for (const root of tree.roots) {
		if (born[root]! > event)
			break;
		todo.push(root);
		while (todo.length) {
			const node = todo.pop()!;
			const from = at(left[node]!), to = at(right[node]!), rank = ply[node]!;
			if (to < 0 || from > wide)
				continue;
			const y = top(rank);
			if (to - from < SLIM) {
				/* Children come from right to left. */
				const pixel = Math.floor((from + to) / 2);
				if (taken[rank] !== pixel) {
					taken[rank] = pixel;
					const from = rank ? top(rank - 1) + boxSize(parent[node]!).high : y;
					lines.push(pixel, from, top(low[node]!) - from + 3);
				}
				continue;
			}
			if (y > high)
				continue;
			const x = place(node), above = parent[node]!;
			if (above >= 0) {
				const list = isOnLine(tree, node, event) ? bestEdges : edges;
				list.push(place(above), top(rank - 1) + boxSize(above).high / 2, x, y);
			}
			const { wide: boxWide, high: tall } = boxSize(node);
			spots.push({ node, x, y, wide: boxWide, high: tall });
			if (!closed[node])
				push(first[node]!);
		}
	}

	/** A box as large as the columns of the node allow. */
	function boxSize(node: number): { wide: number; high: number } {
		const room = (right[node]! - left[node]!) * scale;
		if (room >= LEAST)
			return { wide: Math.min(NEAR - 6, room - 4), high: room >= 44 ? boxHigh : Math.min(boxHigh, 32) };
		if (room >= UPRIGHT && row - 16 >= TALL)
			return { wide: room - 2, high: Math.min(row - 16, 64) };
		const dot = Math.max(2, Math.min(8, room - 1));
		return { wide: dot, high: dot };
	}

	context.fillStyle = paints.back;
	context.fillRect(0, 0, wide, high);
	context.lineWidth = 1;
	context.fillStyle = paints.edge;
	context.globalAlpha = 0.4; // so many nodes that they are a surface
	for (let i = 0; i < lines.length; i += 3)
		context.fillRect(lines[i]!, lines[i + 1]!, 1, lines[i + 2]!);
	context.globalAlpha = 1;
	drawEdges(context, edges, paints.edge, 1);
	drawEdges(context, bestEdges, paints.best, 2.5);
	const path = onPath(tree, scene.current);
	for (const spot of spots)
		drawNode(context, scene, spot, paints, row, scale, path.has(spot.node));
	if (event === 0 && tree.events > 1)
		drawNote(context, t("lab.pressPlay"), wide / 2, high / 2, paints.quiet, paints, 15);
	return spots;
}

function onPath(tree: SearchTree, node: number): Set<number> {
	const path = new Set<number>();
	for (let at = node; at >= 0; at = tree.parent[at]!)
		path.add(at);
	return path;
}

function drawEdges(context: CanvasRenderingContext2D, list: number[], colour: string, wide: number): void {
	if (!list.length)
		return;
	context.beginPath();
	for (let i = 0; i < list.length; i += 4) {
		context.moveTo(list[i]!, list[i + 1]!);
		context.lineTo(list[i + 2]!, list[i + 3]!);
	}
	context.strokeStyle = colour;
	context.lineWidth = wide;
	context.stroke();
}

/** By who made the move to the node: the side that searches, another one, or the dice. */
function paintOf({ tree }: Scene, node: number, paints: Paints): string {
	const above = tree.parent[node]!;
	const seat = above < 0 ? null : seatAt(tree, above);
	if (above < 0)
		return paints.quiet;
	if (tree.log.seats > 2 && seat)
		return paints.seats[seat - 1] ?? paints.reply;
	return seat === 0 ? paints.chance : seat === tree.log.seat ? paints.own : paints.reply;
}

/** What stands in a box, the first line first. room: rows of values. */
export function linesOf({ tree, event, windows, explore }: Pick<Scene, "tree" | "event" | "windows" | "explore">, node: number, room = 2): string[] {
	const above = tree.parent[node]!, { log } = tree;
	if (tree.kind !== "search") {
		const name = above < 0 ? t("lab.start") : moveOf(tree, node);
		const pair = numbersAt(tree, node, event);
		if (!pair)
			return [name];
		if (tree.kind === "proof")
			return [name, `${proofNumber(pair[0])} | ${proofNumber(pair[1])}`];
		const ucb = above < 0 ? null : ucbTerm(numbersAt(tree, above, event)?.[0] ?? 0, pair[0], explore);
		return [name, `${shortCount(pair[0])} × ${number(pair[1])}`, ...ucb === null ? [] : [`+ ${number(ucb)}`]];
	}
	const { visits } = log;
	const flags = visits.flags[node] ?? 0;
	const pass = tree.roots.length > 1 ? t("lab.passNumber", { n: tree.roots.indexOf(node) + 1 }) : t("lab.start");
	const name = above < 0 ? pass : moveOf(tree, node) || t("lab.pass");
	const { final } = valueAt(tree, node, event);
	const worth = worthRows(tree, node, event, room).map((row) => row.map(({ seat, text }) => seat ? `${tree.seats[seat - 1]?.letter} ${text}` : text).join(" "));
	const mark = hasFlag(flags, "scout") ? "?" : hasFlag(flags, "again") ? "!" : "";
	const window = windows && !tree.vectors.size ? [windowText(visits.alpha[node] ?? null, visits.beta[node] ?? null)] : []; // max^n has none
	return [name + mark, ...worth.length ? worth.map((text) => text + (final ? "" : " …")) : [final ? "–" : "…"], ...window];
}

/** The values of a node in the rows of its box. If it has no room for all, the side that searches matters most. */
function worthRows(tree: SearchTree, node: number, event: number, room: number): Worth[][] {
	const all = worthAt(tree, node, event), half = Math.ceil(all.length / 2);
	const rows = all.length > 3 ? [all.slice(0, half), all.slice(half)] : all.length ? [all] : [];
	return rows.length <= room ? rows : [all.length > 1 ? all.filter(({ seat }) => seat === tree.log.seat) : all];
}

/** What UCB adds to the mean, so that moves that were tried little get their turn. */
export function ucbTerm(parentVisits: number, visits: number, explore: number): number | null {
	return visits > 0 && parentVisits > 0 ? explore * Math.sqrt(Math.log(parentVisits) / visits) : null;
}

export function proofNumber(value: number): string {
	return value >= 1e9 || !Number.isFinite(value) ? "∞" : shortCount(value);
}

function drawNode(context: CanvasRenderingContext2D, scene: Scene, spot: Spot, paints: Paints, row: number, scale: number, onPath: boolean): void {
	const { tree, closed, event } = scene;
	const { node, x, y, wide, high } = spot;
	const isLeaf = tree.first[node]! < 0, colour = paintOf(scene, node, paints);
	const left = x - wide / 2, isUpright = wide < LEAST && high >= TALL;
	const isBest = isOnLine(tree, node, event);
	if (wide < 12 && !isUpright) {
		context.fillStyle = node === scene.chosen ? paints.focus : node === scene.current ? paints.cut : colour;
		context.fillRect(left, y, wide, high);
	} else {
		context.beginPath();
		context.roundRect(left, y, wide, high, isLeaf ? Math.min(10, high / 2) : 4);
		context.fillStyle = paints.box;
		context.fill();
		context.fillStyle = colour;
		context.globalAlpha = onPath ? 0.3 : 0.14;
		context.fill();
		context.globalAlpha = 1;
		context.strokeStyle = node === scene.chosen ? paints.focus : colour;
		if (isBest && node !== scene.chosen)
			context.strokeStyle = paints.best;
		context.lineWidth = node === scene.chosen || node === scene.current ? 3 : isBest ? 2.5 : 1.2;
		context.stroke();
		if (node === scene.current && node !== scene.chosen) {
			context.beginPath();
			context.roundRect(left - 4, y - 4, wide + 8, high + 8, 8);
			context.lineWidth = 1.5;
			context.stroke();
		}
		(isUpright ? drawUpright : drawTexts)(context, scene, spot, paints);
	}
	if (isCutNode(tree, node, event)) {
		/* A bar below the node: what would come here was not searched. */
		context.fillStyle = paints.cut;
		const bar = Math.max(wide < 12 ? wide : 12, Math.min(wide * 0.7, 40));
		context.fillRect(x - bar / 2, y + high + 2, bar, wide < 12 ? 2 : 3.5);
		const skipped = tree.log.visits.untried[node] ?? 0;
		if (skipped && wide >= NEAR - 20 && row - high > 22)
			drawNote(context, t("lab.skipped", { n: skipped }), x + wide / 2, y + high + 12, paints.cut, paints);
	}
	if (wide >= LEAST - 4 && !isLeaf && (closed[node] || isCrowded(scene, spot, scale)))
		drawCount(context, below(tree, node, event), x, y + high + Math.min(14, row - high - 2), paints);
}

/** Whether the nodes just below it are too small to be read, and hide others, or there are very many. */
function isCrowded({ tree, layout }: Scene, { node }: Spot, scale: number): boolean {
	const columns = layout.right[node]! - layout.left[node]!;
	let children = 0;
	for (let child = tree.first[node]!; child >= 0; child = tree.next[child]!)
		children++;
	const isHiding = tree.size[node]! - 1 > children;
	return isHiding && (columns > CROWD || columns * scale / children < LEAST);
}

function drawCount(context: CanvasRenderingContext2D, count: number, x: number, y: number, paints: Paints): void {
	if (count)
		drawNote(context, `+${shortCount(count)}`, x, y, paints.quiet, paints);
}

function drawNote(context: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string, paints: Paints, size = 11): void {
	context.font = `${size}px system-ui, sans-serif`;
	context.textAlign = "center";
	context.textBaseline = "middle";
	const wide = context.measureText(text).width + 6;
	context.fillStyle = paints.box;
	context.fillRect(x - wide / 2, y - 7, wide, 14);
	context.fillStyle = colour;
	context.fillText(text, x, y);
}

/** How many nodes below a node exist after an event. */
function below(tree: SearchTree, node: number, event: number): number {
	if (event >= tree.events - 1)
		return tree.size[node]! - 1;
	if (tree.kind !== "search") {
		let count = 0;
		for (let child = tree.first[node]!; child >= 0 && tree.born[child]! <= event; child = tree.next[child]!)
			count += 1 + below(tree, child, event);
		return count;
	}
	if (tree.done[node]! <= event)
		return tree.size[node]! - 1;
	return Math.max(0, lastBorn(tree, node, event) - node);
}

/** The last visit below a node that exists: they are numbered one after another. */
function lastBorn({ born, size }: SearchTree, node: number, event: number): number {
	let low = node, high = node + size[node]! - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (born[middle]! <= event)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

function drawTexts(context: CanvasRenderingContext2D, scene: Scene, { node, x, y, wide, high }: Spot, paints: Paints): void {
	context.textAlign = "center";
	context.textBaseline = "middle";
	context.fillStyle = paints.ink;
	const room = Math.floor((high - 2) / 13), hasSeats = scene.tree.log.seats > 2;
	const rows = !hasSeats ? 2 : wide >= 56 ? room - 1 : 0; // of values
	const lines = linesOf(scene, node, rows);
	/* The visits alone, where visits and mean have no room. */
	const texts = wide < 44 && scene.tree.kind === "mcts" ? lines.slice(0, 2).map((text) => text.split(" × ")[0]!) : lines;
	/* In a small box the value says most. */
	const shown = room >= 3 ? texts : room >= 2 ? texts.slice(0, 2) : wide >= 62 ? [texts.slice(0, 2).join(" ")] : [texts[scene.tree.parent[node]! < 0 ? 0 : 1] ?? texts[0]!];
	const step = (high - 2) / shown.length;
	const chips = hasSeats && shown.length > 1 ? worthRows(scene.tree, node, scene.event, rows) : [];
	shown.forEach((text, i) => {
		const row = chips[i - 1];
		if (row)
			return drawWorth(context, scene.tree, row, x - wide / 2 + 3, y + 1 + step * (i + 0.5), wide - 6, paints);
		const big = i === (shown.length > 1 ? 1 : 0);
		const size = i === 2 ? 10.5 : wide < 44 ? 11 : 13;
		context.font = `${big ? "600 " : ""}${size}px system-ui, sans-serif`;
		context.fillText(text, x, y + 1 + step * (i + 0.5), wide - 4);
	});
}

/** From below to above: the move, then the value. */
function drawUpright(context: CanvasRenderingContext2D, scene: Scene, { node, x, y, wide, high }: Spot, paints: Paints): void {
	const [name = "", value = ""] = linesOf(scene, node, 1);
	const size = Math.min(12, wide - 1), room = high - 8;
	context.save();
	context.translate(x, y + high / 2);
	context.rotate(-Math.PI / 2);
	context.fillStyle = paints.ink;
	context.textBaseline = "middle";
	context.textAlign = "left";
	context.font = `${size}px system-ui, sans-serif`;
	context.fillText(name, -room / 2, 0, room * 0.55);
	context.textAlign = "right";
	context.font = `600 ${size}px system-ui, sans-serif`;
	context.fillText(value, room / 2, 0, room * 0.42);
	context.restore();
}

const CHIP = 11; // pixels

/** Numbers behind the letters of their seats. */
function drawWorth(context: CanvasRenderingContext2D, tree: SearchTree, row: Worth[], left: number, y: number, wide: number, paints: Paints): void {
	const room = wide / row.length;
	row.forEach(({ seat, text }, i) => {
		context.font = "600 11px system-ui, sans-serif";
		const needed = Math.min(room, CHIP + 3 + context.measureText(text).width), from = left + room * i + (room - needed) / 2;
		context.fillStyle = paints.seats[seat - 1] ?? paints.quiet;
		context.beginPath();
		context.roundRect(from, y - CHIP / 2, CHIP, CHIP, 2);
		context.fill();
		context.fillStyle = paints.ink;
		context.textAlign = "left";
		context.fillText(text, from + CHIP + 3, y, Math.max(4, room - CHIP - 4));
		context.font = "700 9px system-ui, sans-serif";
		context.textAlign = "center";
		context.fillStyle = paints.letter;
		context.fillText(tree.seats[seat - 1]?.letter ?? "", from + CHIP / 2, y + 0.5);
	});
	context.textAlign = "center";
	context.fillStyle = paints.ink;
}
