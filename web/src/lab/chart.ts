// chart.ts - nodes against depth on a logarithmic scale: the picture as SVG, the numbers as CSV and JSON.
// SPDX-License-Identifier: MIT
import { number, t } from "../messages";
import { shortCount } from "./log";

export interface Point {
	depth: number;
	nodes: number;
	evaluations: number;
	cuts: number;
	value: number | null;
	move: string;
}

export interface Series {
	name: string;
	spec: string;
	points: Point[];
	end: string; // why it has no more points; "": it has all
}

export interface Measured {
	game: string;
	position: string;
	moves: string[];
	series: Series[];
	all: { depth: number; nodes: number }[]; // N: the positions at each depth
}

export type Counted = "nodes" | "evaluations";

const WIDE = 640, HIGH = 400, LEFT = 74, BOTTOM = 46, TOP = 34, RIGHT = 16;
const COLOURS = ["#4f86d9", "#e0645a", "#3f9a52", "#b8811a", "#9a75d6", "#1f9aa2"]; // on light and dark
const DASHES = ["", "8 4", "2 4", "10 4 2 4", "6 2", "1 3"];

/** What the chart counts, in words. */
export const COUNTED_NAMES: Record<Counted, string> = { evaluations: t("lab.countedLeaves"), nodes: t("lab.countedNodes") };

export function colourOf(index: number): string {
	return COLOURS[index % COLOURS.length]!;
}

interface Curve {
	name: string;
	colour: string;
	dash: string;
	points: [number, number][];
	thin: boolean; // computed, not measured
	wide?: number; // N is a broad band: a curve on it can be seen
}

function curvesOf({ series, all }: Measured, counted: Counted): Curve[] {
	return [
		...all.length ? [
			{ name: t("lab.allPositions"), colour: "#8a8375", dash: "", points: all.map(({ depth, nodes }): [number, number] => [depth, nodes]), thin: true, wide: 8 },
			{ name: "2√N", colour: "#8a8375", dash: "5 4", points: all.map(({ depth, nodes }): [number, number] => [depth, 2 * Math.sqrt(nodes)]), thin: true },
		] : [],
		...series.map(({ name, points }, i) => ({
			name, colour: colourOf(i), dash: DASHES[i % DASHES.length]!, thin: false,
			points: points.map((point): [number, number] => [point.depth, point[counted]]),
		})),
	];
}

function escaped(text: string): string {
	return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
}

/** 1, 10, 1,000, 10k, 1M */
function tickText(power: number): string {
	return power < 4 ? number(10 ** power) : shortCount(10 ** power);
}

const ZERO_GAP = 26; // pixels: a logarithmic scale has no zero, so it has a line of its own below the break

/** One picture for the page and for a file. ink: the colour of text and axes. */
export function chartSvg(measured: Measured, counted: Counted, ink: string, back: string): string {
	const curves = curvesOf(measured, counted);
	const points = curves.flatMap((curve) => curve.points);
	const deepest = Math.max(2, ...points.map(([depth]) => depth)), most = Math.max(10, ...points.map(([, count]) => count));
	const decades = Math.ceil(Math.log10(most)), hasZero = points.some(([, count]) => count === 0);
	const bottom = HIGH - BOTTOM - 18 * Math.ceil(curves.length / 2), one = bottom - (hasZero ? ZERO_GAP : 0);
	const x = (depth: number) => LEFT + (WIDE - LEFT - RIGHT) * (depth - 1) / (deepest - 1);
	const y = (count: number) => count === 0 ? bottom : one - (one - TOP) * Math.log10(Math.max(1, count)) / decades;
	const parts = [`<rect width="${WIDE}" height="${HIGH}" fill="${back}"/>`];
	const text = (at: number, top: number, words: string, anchor: string) =>
		parts.push(`<text x="${at.toFixed(1)}" y="${top.toFixed(1)}" fill="${ink}" font-family="system-ui, sans-serif" font-size="13" text-anchor="${anchor}">${escaped(words)}</text>`);
	for (let power = 0; power <= decades; power++) {
		parts.push(`<path d="M${LEFT} ${y(10 ** power).toFixed(1)}H${WIDE - RIGHT}" stroke="${ink}" stroke-opacity="0.18"/>`);
		text(LEFT - 8, y(10 ** power) + 4, tickText(power), "end");
	}
	if (hasZero) {
		parts.push(`<path d="M${LEFT} ${bottom}H${WIDE - RIGHT}" stroke="${ink}" stroke-opacity="0.18"/>`);
		parts.push(`<path d="M${LEFT - 5} ${bottom - 9}l10 -4m-10 -1l10 -4" stroke="${ink}" fill="none"/>`); // the break
		text(LEFT - 8, bottom + 4, "0", "end");
	}
	for (let depth = 1; depth <= deepest; depth++)
		text(x(depth), bottom + 18, String(depth), "middle");
	text((LEFT + WIDE) / 2, bottom + 36, t("lab.depthInPlies"), "middle");
	text(LEFT, TOP - 18, t("lab.counted", { what: COUNTED_NAMES[counted] }), "start");
	curves.forEach(({ name, colour, dash, points: list, thin, wide }, i) => {
		const stroke = `stroke="${colour}" stroke-width="${wide ?? (thin ? 1.5 : 2.5)}"${wide ? ' stroke-opacity="0.4"' : ""}${dash ? ` stroke-dasharray="${dash}"` : ""}`;
		/* No line goes across the break. */
		const path = list.map(([depth, count], at) => `${at && count && list[at - 1]![1] ? "L" : "M"}${x(depth).toFixed(1)} ${y(count).toFixed(1)}`).join("");
		if (list.length)
			parts.push(`<path d="${path}" fill="none" ${stroke}/>`);
		if (!thin)
			for (const [depth, count] of list)
				parts.push(`<circle cx="${x(depth).toFixed(1)}" cy="${y(count).toFixed(1)}" r="4" ${count ? `fill="${colour}"` : `fill="none" stroke="${colour}" stroke-width="2"`}/>`);
		const column = LEFT + (i % 2) * (WIDE - LEFT) / 2, top = bottom + 58 + 18 * Math.floor(i / 2);
		parts.push(`<path d="M${column} ${top - 4}h26" ${stroke}/>`);
		text(column + 32, top, name.length > 40 ? `${name.slice(0, 39)}…` : name, "start");
	});
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDE} ${HIGH}" width="${WIDE}" height="${HIGH}">${parts.join("")}</svg>`;
}

function quoted(field: string): string {
	return /[",\n]/.test(field) ? `"${field.replace(/"/g, '""')}"` : field;
}

export function chartCsv({ series, all }: Measured): string {
	const rows = [["player", "depth", "nodes", "evaluations", "cut-offs", "value", "move"]];
	for (const { depth, nodes } of all)
		rows.push(["all positions", String(depth), String(nodes), "", "", "", ""]);
	for (const { spec, points } of series)
		for (const point of points)
			rows.push([spec, String(point.depth), String(point.nodes), String(point.evaluations), String(point.cuts), String(point.value ?? ""), point.move]);
	return rows.map((row) => row.map(quoted).join(",")).join("\n") + "\n";
}

export function chartJson(measured: Measured): string {
	return JSON.stringify(measured, null, "\t") + "\n";
}
