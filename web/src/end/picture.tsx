// picture.tsx - pictures of positions for other places: as SVG, as PNG, and a whole game as an animated GIF.
// SPDX-License-Identifier: MIT
import { render } from "preact";
import { RequestError } from "../api";
import { BoardPicture } from "../board/BoardPicture";
import { ask } from "../engine/ask";
import { t } from "../messages";
import { baseName } from "../pages/parts";
import type { Board, CourseStep, Play, View } from "../types";
import { chooseColours } from "./colours";
import { gifWriter } from "./gif";
import { standalone } from "./svg";

const NS = "http://www.w3.org/2000/svg";
const PNG_SIDE = 960, GIF_SIDE = 480; // pixels of the longer side
const FRAMES_MOST = 400;
const SAMPLES = 6; // frames that the colours are chosen from
const MOVE_S = 0.8, END_S = 3;
const BYTES_MOST = 40 << 20;
const AT_ONCE = 400; // moves per request
const TRIES = 60, PAUSE_MS = 1000; // while the server is busy

export interface PictureOf {
	board: Board | null;
	turned: boolean;
	caption: string;
}

// ---- One position ----

/** A board without a description is a text. */
function TextPicture({ text }: { text: string }) {
	const lines = text.replace(/\s+$/, "").split("\n");
	const width = Math.max(...lines.map((line) => line.length)) * 15 + 40, height = lines.length * 30 + 40;
	return (
		<svg class="board text-picture" viewBox={`0 0 ${width} ${height}`}>
			{lines.map((line, i) => <text key={i} x="20" y={45 + 30 * i} xml:space="preserve">{line}</text>)}
		</svg>
	);
}

async function drawingOf(view: View, { board, turned }: PictureOf) {
	if (baseName(view.game) === "starchess") {
		const { StarBoard } = await import("../starchess/parts");
		return <StarBoard board={board!} view={view} />;
	}
	return board ? <BoardPicture board={board} view={view} turned={turned} /> : <TextPicture text={view.text ?? view.position} />;
}

/** Below the board: the players and the result. */
function addCaption(svg: SVGSVGElement, caption: string): void {
	const { width, height } = svg.viewBox.baseVal;
	const band = caption ? width / 16 : 0, style = getComputedStyle(document.body);
	const back = document.createElementNS(NS, "rect");
	for (const [name, value] of Object.entries({ width, height: height + band, fill: getComputedStyle(document.documentElement).backgroundColor }))
		back.setAttribute(name, String(value));
	svg.prepend(back);
	svg.setAttribute("viewBox", `0 0 ${width} ${height + band}`);
	if (!caption)
		return;
	const text = document.createElementNS(NS, "text");
	const size = Math.min(width / 28, (1.35 * width) / caption.length); // so that a long one fits
	for (const [name, value] of Object.entries({
		x: width / 2, y: height + band * 0.66, fill: style.color, "text-anchor": "middle", "font-family": style.fontFamily, "font-size": size, "font-weight": 600,
	}))
		text.setAttribute(name, String(value));
	text.append(caption);
	svg.append(text);
}

/** Draws off the screen, in the colours of the page. */
async function drawSvg(view: View, what: PictureOf): Promise<SVGSVGElement> {
	const stage = document.createElement("div");
	stage.className = "unseen";
	stage.setAttribute("aria-hidden", "true");
	stage.inert = true;
	document.body.append(stage);
	try {
		render(await drawingOf(view, what), stage);
		const drawn = stage.querySelector("svg");
		if (!drawn)
			throw new Error(t("end.noDrawing"));
		const svg = standalone(drawn);
		addCaption(svg, what.caption);
		return svg;
	} finally {
		render(null, stage);
		stage.remove();
	}
}

function sizeOf(svg: SVGSVGElement, side: number): { width: number; height: number } {
	const [, , width = 1, height = 1] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
	const scale = side / Math.max(width, height);
	return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

function textOf(svg: SVGSVGElement, side: number): string {
	const { width, height } = sizeOf(svg, side);
	svg.setAttribute("width", String(width));
	svg.setAttribute("height", String(height));
	return new XMLSerializer().serializeToString(svg);
}

/** The pixels of a drawing. The page may load images from data: addresses only. */
async function paint(svg: SVGSVGElement, side: number): Promise<CanvasRenderingContext2D> {
	const image = new Image();
	image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(svg, side))}`;
	await image.decode();
	const canvas = document.createElement("canvas");
	Object.assign(canvas, sizeOf(svg, side));
	const context = canvas.getContext("2d", { willReadFrequently: true });
	if (!context)
		throw new Error(t("end.noCanvas"));
	context.drawImage(image, 0, 0, canvas.width, canvas.height);
	return context;
}

export async function svgPicture(view: View, what: PictureOf): Promise<Blob> {
	return new Blob([textOf(await drawSvg(view, what), PNG_SIDE)], { type: "image/svg+xml" });
}

export async function pngPicture(view: View, what: PictureOf): Promise<Blob> {
	const { canvas } = await paint(await drawSvg(view, what), PNG_SIDE);
	return new Promise((resolve, reject) => canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error(t("end.noPng")))));
}

// ---- A game ----

/** The plies to show: all of them, or as many as allowed, the first and the last among them. */
export function pliesToShow(plies: number, most = FRAMES_MOST): number[] {
	const count = Math.min(plies + 1, most);
	return Array.from({ length: count }, (_, i) => count > 1 ? Math.round((i * plies) / (count - 1)) : 0);
}

/** The server accepts only so many requests a second. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
	for (let tries = 1; ; tries++)
		try {
			return await work();
		} catch (error) {
			if (!(error instanceof RequestError && error.status === 429) || tries >= TRIES)
				throw error;
			await new Promise((next) => setTimeout(next, PAUSE_MS));
		}
}

/** The position before each move, and the last one. */
async function positionsOf({ game, start, line }: Pick<Play, "game" | "start" | "line">): Promise<string[]> {
	const positions = [start];
	while (positions.length <= line.length) {
		const moves = line.slice(positions.length - 1, positions.length - 1 + AT_ONCE).map(({ move }) => move);
		const position = positions[positions.length - 1]!;
		const { course } = await patiently(() => ask("positions", { game, position, moves, course: true }));
		if (!course?.length)
			throw new Error(t("end.noPositions"));
		positions.push(...course.map((step: CourseStep) => step.position));
	}
	return positions;
}

/** onStep: how much is done, 0 to 1. */
export async function gifOfGame(play: Pick<Play, "game" | "start" | "line">, what: PictureOf, signal: AbortSignal, onStep: (done: number) => void): Promise<Blob> {
	const positions = await positionsOf(play), plies = pliesToShow(play.line.length);
	const frame = async (ply: number) => {
		signal.throwIfAborted();
		const [position, moves] = ply ? [positions[ply - 1]!, [play.line[ply - 1]!.move]] : [play.start, []];
		const view = await patiently(() => ask("positions", { game: play.game, position, moves }));
		const context = await paint(await drawSvg(view, what), GIF_SIDE), { width, height } = context.canvas;
		return { width, height, rgba: context.getImageData(0, 0, width, height).data };
	};
	const samples = [];
	for (const at of pliesToShow(plies.length - 1, SAMPLES))
		samples.push(await frame(plies[at]!));
	const { width, height } = samples[0]!;
	const gif = gifWriter(width, height, chooseColours(samples.map(({ rgba }) => rgba), 255));
	for (const [i, ply] of plies.entries()) {
		onStep(i / plies.length);
		gif.add((await frame(ply)).rgba, i === plies.length - 1 ? END_S : MOVE_S);
		if (gif.size() > BYTES_MOST)
			throw new Error(t("end.gifTooLarge"));
	}
	onStep(1);
	return new Blob([gif.end()], { type: "image/gif" });
}
