// notionrows.ts - the strategic features (notions) of a position as table rows, and their cells as text.
// SPDX-License-Identifier: MIT
import { sideName } from "../board/text";
import { t } from "../messages";
import type { Board, Notion } from "../types";

export interface NotionRow {
	name: string;
	of: Notion[];
}

/** One row per name, in order of first appearance. */
export function rowsOfNotions(list: Notion[]): NotionRow[] {
	const rows = new Map<string, Notion[]>();
	for (const notion of list)
		rows.set(notion.name, [...(rows.get(notion.name) ?? []), notion]);
	return [...rows].map(([name, of]) => ({ name, of }));
}

const MANY = 12;

/** "On d3, c4." */
export function cellNames(board: Board, notion: Notion): string {
	const names = notion.cells.map((cell) => board.cells[cell]?.name ?? "?");
	if (!names.length)
		return "";
	return names.length > MANY ? t("theory.onSquares", { n: names.length }) : t("theory.on", { squares: names.join(", ") });
}

/** "frontier of Black" */
export function notionTitle(board: Board | null, notion: Notion): string {
	return notion.seat === null ? notion.name : t("theory.of", { feature: notion.name, side: sideName(board, notion.seat) });
}
