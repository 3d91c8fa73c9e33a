// shade.ts - the light on shaded pieces: one gradient for all boards of the page.
// SPDX-License-Identifier: MIT

const SVG = "http://www.w3.org/2000/svg";
const STOPS: [offset: string, colour: string, opacity: string][] = [["0", "#fff", "0.62"], ["0.35", "#fff", "0.12"], ["0.6", "#000", "0.06"], ["1", "#000", "0.5"]];

/** Gradients are found by their names in the whole document. The picture that holds it takes no room, but must not be hidden. */
export function addShade(): void {
	if (document.getElementById("piece-shade"))
		return;
	const svg = document.createElementNS(SVG, "svg"), gradient = document.createElementNS(SVG, "radialGradient");
	svg.setAttribute("width", "0");
	svg.setAttribute("height", "0");
	svg.setAttribute("class", "shades");
	svg.setAttribute("aria-hidden", "true");
	for (const [name, value] of Object.entries({ id: "piece-shade", cx: "0.36", cy: "0.3", r: "0.8" }))
		gradient.setAttribute(name, value);
	for (const [offset, colour, opacity] of STOPS) {
		const stop = document.createElementNS(SVG, "stop");
		stop.setAttribute("offset", offset);
		stop.setAttribute("stop-color", colour);
		stop.setAttribute("stop-opacity", opacity);
		gradient.append(stop);
	}
	svg.append(gradient);
	document.body.append(svg);
}
