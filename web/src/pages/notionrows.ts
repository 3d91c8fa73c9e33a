// notionrows.ts - notions as rows of a table, and their cells in words.
// SPDX-License-Identifier: MIT
import { seatWords } from "../board/words";
import type { Board, Notion } from "../types";

export interface NotionRow {
	name: string;
	of: Notion[];
}

/** One row for each name, in the order in which they are first told. */
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
	return names.length > MANY ? `On ${names.length} squares.` : `On ${names.join(", ")}.`;
}

/** "frontier of Black" */
export function notionTitle(board: Board | null, notion: Notion): string {
	return notion.seat === null ? notion.name : `${notion.name} of ${seatWords(board, notion.seat)}`;
}
