// colours.ts - chooses the colours of a GIF: those of areas as they are, those of edges by median cut.
// SPDX-License-Identifier: MIT

export type Colour = [red: number, green: number, blue: number];

const BINS = 1 << 15; // 5 bits of each channel
const AREA = 0.001; // a colour of more than this share of the pixels is an area

function binOf(red: number, green: number, blue: number): number {
	return (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3;
}

interface Bin {
	count: number;
	colour: Colour; // the mean of its pixels
}

function countBins(pictures: Uint8ClampedArray[]): { bins: Bin[]; pixels: number } {
	const counts = new Float64Array(BINS), sums = [new Float64Array(BINS), new Float64Array(BINS), new Float64Array(BINS)];
	let pixels = 0;
	for (const rgba of pictures)
		for (let i = 0; i < rgba.length; i += 4, pixels++) {
			const bin = binOf(rgba[i]!, rgba[i + 1]!, rgba[i + 2]!);
			counts[bin]!++;
			sums.forEach((sum, channel) => sum[bin]! += rgba[i + channel]!);
		}
	const bins: Bin[] = [];
	counts.forEach((count, bin) => {
		if (count)
			bins.push({ count, colour: sums.map((sum) => sum[bin]! / count) as Colour });
	});
	return { bins, pixels };
}

function spread(bins: Bin[], channel: number): number {
	let low = 255, high = 0;
	for (const { colour } of bins) {
		low = Math.min(low, colour[channel]!);
		high = Math.max(high, colour[channel]!);
	}
	return high - low;
}

interface Box {
	bins: Bin[];
	size: number; // by its longest side and its pixels
}

function boxOf(bins: Bin[]): Box {
	const longest = Math.max(...[0, 1, 2].map((channel) => spread(bins, channel)));
	return { bins, size: longest * Math.sqrt(bins.reduce((sum, { count }) => sum + count, 0)) };
}

/** Halves the pixels of a box along its longest side. */
function cut(bins: Bin[]): [Bin[], Bin[]] {
	const spreads = [0, 1, 2].map((channel) => spread(bins, channel));
	const channel = spreads.indexOf(Math.max(...spreads));
	const sorted = [...bins].sort((a, b) => a.colour[channel]! - b.colour[channel]!);
	const half = sorted.reduce((sum, { count }) => sum + count, 0) / 2;
	let sum = 0, at = 0;
	while (at < sorted.length - 1 && sum < half)
		sum += sorted[at++]!.count;
	at = Math.max(1, at);
	return [sorted.slice(0, at), sorted.slice(at)];
}

function mean(bins: Bin[]): Colour {
	const total = bins.reduce((sum, { count }) => sum + count, 0);
	return [0, 1, 2].map((channel) => Math.round(bins.reduce((sum, { count, colour }) => sum + count * colour[channel]!, 0) / total)) as Colour;
}

/** At most `most` colours for the pictures (RGBA). */
export function chooseColours(pictures: Uint8ClampedArray[], most: number): Colour[] {
	const { bins, pixels } = countBins(pictures);
	bins.sort((a, b) => b.count - a.count);
	const areas = bins.filter(({ count }) => count > AREA * pixels).slice(0, most >> 1);
	const boxes = [bins.slice(areas.length)].filter((rest) => rest.length).map(boxOf);
	while (areas.length + boxes.length < most) {
		const widest = boxes.filter((box) => box.bins.length > 1).sort((a, b) => b.size - a.size)[0];
		if (!widest)
			break;
		boxes.splice(boxes.indexOf(widest), 1, ...cut(widest.bins).map(boxOf));
	}
	return [...areas.map(({ colour }) => colour.map(Math.round) as Colour), ...boxes.map((box) => mean(box.bins))];
}

/** The index of the colour that is nearest. */
export function nearestColours(colours: Colour[]): (red: number, green: number, blue: number) => number {
	const known = new Int16Array(BINS).fill(-1);
	return (red, green, blue) => {
		const bin = binOf(red, green, blue);
		if (known[bin]! >= 0)
			return known[bin]!;
		let best = 0, least = Infinity;
		colours.forEach(([r, g, b], i) => {
			const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
			if (distance < least) {
				least = distance;
				best = i;
			}
		});
		return known[bin] = best;
	};
}
