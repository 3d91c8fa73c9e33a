// openinglines.ts - opening lines: which games can be trained, and the families of lines. Pure functions.
// SPDX-License-Identifier: MIT
import type { Game, Opening } from "../types";

export function trainLink(game: string): string {
	return `/train?${new URLSearchParams({ game })}`;
}

/** Two-player games with an opening book. */
export function canTrain(game: Game): boolean {
	return game.book && game.seats === 2 && !game.chance;
}

/** Opening lines with a common family, the part of their names before " - ": Sicilian, Ruy Lopez. */
export interface Family {
	name: string;
	numbers: number[]; // of the lines, in the order of the book
}

/** The lines by family. Families are sorted by name, unless each line is its own: then the order is the book's. */
export function groupByFamily(lines: Opening[], numbers: number[]): Family[] {
	const families = new Map<string, number[]>();
	for (const number of numbers) {
		const family = lines[number - 1]?.name.split(" - ")[0] ?? "";
		families.set(family, [...families.get(family) ?? [], number]);
	}
	const found = [...families].map(([name, members]) => ({ name, numbers: members }));
	return found.length === numbers.length ? found : found.sort((a, b) => a.name.localeCompare(b.name, "en"));
}
