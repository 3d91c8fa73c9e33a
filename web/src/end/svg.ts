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

function copyStyles(from: Element, to: Element): void {
	const style = getComputedStyle(from);
	for (const name of PAINTS) {
		const { paint, alpha } = plainPaint(style.getPropertyValue(name));
		to.setAttribute(name, alpha ? paint : "none");
		if (alpha > 0 && alpha < 1)
			to.setAttribute(`${name}-opacity`, String(alpha));
	}
	for (const [name, usual] of STYLES) {
		const value = style.getPropertyValue(name);
		if (value && value !== usual)
			to.setAttribute(name, value);
	}
	if (from.tagName === "text")
		for (const name of FONT)
			to.setAttribute(name, style.getPropertyValue(name));
	if (from.tagName === "circle")
		to.setAttribute("r", style.getPropertyValue("r"));
}

const DROPPED = ["class", "style", "role", "tabindex", "focusable"];
const isDropped = (name: string) => DROPPED.includes(name) || name.startsWith("aria-") || name.startsWith("data-");
const DRAWN = new Set(["path", "rect", "circle", "ellipse", "line", "polygon", "polyline", "text"]);

/** A copy that needs no style sheet. What is not drawn is left out. */
export function standalone(svg: SVGSVGElement): SVGSVGElement {
	const copy = svg.cloneNode(true) as SVGSVGElement;
	const elements = [...svg.querySelectorAll("*")], copies = [...copy.querySelectorAll("*")];
	elements.forEach((element, i) => {
		const to = copies[i];
		if (!to)
			return;
		const { display, opacity } = getComputedStyle(element);
		if (display === "none")
			return to.remove();
		if (DRAWN.has(element.tagName))
			copyStyles(element, to);
		else if (opacity !== "1")
			to.setAttribute("opacity", opacity);
	});
	for (const element of [copy, ...copy.querySelectorAll("*")])
		for (const { name } of [...element.attributes])
			if (isDropped(name))
				element.removeAttribute(name);
	return copy;
}
