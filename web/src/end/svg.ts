// svg.ts - a drawing of this page as an SVG file of its own: the styles of the style sheet become attributes.
// SPDX-License-Identifier: MIT

const PAINTS = ["fill", "stroke"];
/* What board.css and the like set, with the value that needs no attribute. */
const STYLES: [name: string, usual: string][] = [
	["stroke-width", "1px"], ["stroke-linecap", "butt"], ["stroke-linejoin", "miter"], ["stroke-dasharray", "none"], ["opacity", "1"],
	["paint-order", "normal"], ["shape-rendering", "auto"],
];
const FONT = ["font-family", "font-size", "font-weight", "text-anchor", "text-transform"];

/** Other programs know neither color() nor a fourth value of rgb(). */
export function plainPaint(value: string): { paint: string; alpha: number } {
	const mixed = /^color\(srgb ([^)]*)\)$/.exec(value)?.[1];
	const plain = /^rgba?\(([^)]*)\)$/.exec(value)?.[1];
	const numbers = (mixed ?? plain ?? "").split(/[\s,/]+/).filter(Boolean).map(Number);
	if (numbers.length < 3 || numbers.some(Number.isNaN))
		return { paint: value, alpha: 1 };
	const parts = numbers.slice(0, 3).map((part) => Math.round(mixed ? 255 * part : part));
	return { paint: `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`, alpha: numbers[3] ?? 1 };
}

/** The attributes that stand for the styles of an element; null: it is not drawn. */
function attributesOf(element: Element): [string, string][] | null {
	const style = getComputedStyle(element), found: [string, string][] = [];
	if (style.display === "none")
		return null;
	if (!DRAWN.has(element.tagName))
		return style.opacity === "1" ? [] : [["opacity", style.opacity]];
	for (const name of PAINTS) {
		const { paint, alpha } = plainPaint(style.getPropertyValue(name));
		found.push([name, alpha ? paint : "none"]);
		if (alpha > 0 && alpha < 1)
			found.push([`${name}-opacity`, String(alpha)]);
	}
	for (const [name, usual] of STYLES) {
		const value = style.getPropertyValue(name);
		if (value && value !== usual)
			found.push([name, value]);
	}
	if (element.tagName === "text")
		found.push(...FONT.map((name): [string, string] => [name, style.getPropertyValue(name)]));
	if (element.tagName === "circle")
		found.push(["r", style.getPropertyValue("r")]);
	return found;
}

const DROPPED = ["class", "style", "role", "tabindex", "focusable"];
const isDropped = (name: string) => DROPPED.includes(name) || name.startsWith("aria-") || name.startsWith("data-");
const DRAWN = new Set(["path", "rect", "circle", "ellipse", "line", "polygon", "polyline", "text"]);
const PLACES = new Set(["d", "transform", "x", "y", "cx", "cy", "x1", "y1", "x2", "y2", "points", "width", "height", "data-at", "data-cell", "aria-label"]);

/** What the style of an element may depend on, without where it is. */
function keyOf(element: Element): string {
	return [element.tagName, ...[...element.attributes].map(({ name, value }) => PLACES.has(name) ? "" : `${name}=${value}`)].join(" ");
}

/** A copy that needs no style sheet. What is not drawn is left out. Elements that are alike have the same styles. */
export function standalone(svg: SVGSVGElement): SVGSVGElement {
	const copy = svg.cloneNode(true) as SVGSVGElement;
	const elements = [...svg.querySelectorAll("*")], copies = [...copy.querySelectorAll("*")];
	const keys = new Map<Element | null, string>(), known = new Map<string, ReturnType<typeof attributesOf>>();
	elements.forEach((element, i) => {
		const key = `${keys.get(element.parentElement) ?? ""}/${keyOf(element)}`;
		keys.set(element, key);
		if (!known.has(key))
			known.set(key, attributesOf(element));
		const attributes = known.get(key);
		if (!attributes)
			copies[i]?.remove();
		for (const [name, value] of attributes ?? [])
			copies[i]?.setAttribute(name, value);
	});
	for (const element of [copy, ...copy.querySelectorAll("*")])
		for (const { name } of [...element.attributes])
			if (isDropped(name))
				element.removeAttribute(name);
	return copy;
}
