// model.ts - a study: named chapters, each with the record of a game: pure functions.
// SPDX-License-Identifier: MIT
import { readJournal, writeJournal } from "../journal";
import type { GameTree } from "../tree";
import type { Chapter } from "../types";
import { gameTitle } from "./GameFacts";

export const CHAPTERS_MOST = 64, STUDY_BYTES = 256 << 10, NAME_MOST = 100, ABOUT_MOST = 1000;

export interface StudyText {
	title: string;
	about: string;
	chapters: Chapter[];
}

/** A study of this browser. */
export interface StoredStudy extends StudyText {
	id: string; // its key here, and its id on the server if it began there
	created: number; // ms since 1970
	updated: number;
	version: number; // that the server has; 0: none
	server: string; // its id on the server; "": it is only here
	changed: boolean; // since the last save on the server
}

function sizeOf(text: string): number {
	return new TextEncoder().encode(text).length;
}

/** Why it cannot be saved; null: it can. */
export function isTooLarge({ chapters }: Pick<StudyText, "chapters">): boolean {
	return chapters.length > CHAPTERS_MOST || sizeOf(JSON.stringify(chapters)) > STUDY_BYTES - 2 * ABOUT_MOST - 1000;
}

/** A name that the server accepts. */
export function nameOf(text: string, otherwise: string): string {
	const plain = [...text.replace(/[\u0000-\u001f\u007f]+/g, " ").trim()].slice(0, NAME_MOST).join("");
	return plain || otherwise;
}

export function chapterOf(tree: GameTree, name: string): Chapter {
	return { name, record: writeJournal(tree) };
}

/** The name for the chapter of a game: its players, or a number. */
export function chapterName(tree: GameTree, number: number, numbered: (number: number) => string): string {
	return nameOf(gameTitle(tree), numbered(number));
}

/** The tree of a chapter, at its start. */
export function treeOf({ record }: Chapter): GameTree {
	const { tree } = readJournal(record);
	return { ...tree, cursor: 0 };
}

export function moved<T>(list: T[], from: number, to: number): T[] {
	const rest = list.filter((_, i) => i !== from), one = list[from];
	return one === undefined || to < 0 || to >= list.length ? list : [...rest.slice(0, to), one, ...rest.slice(to)];
}

export function replaced<T>(list: T[], at: number, item: T): T[] {
	return list.map((one, i) => (i === at ? item : one));
}

/** What a file or link holds. Throws an Error if it is no study. */
export function studyOfText(text: string): StudyText {
	const { title, about, chapters } = JSON.parse(text) as Partial<StudyText>;
	if (typeof title !== "string" || typeof about !== "string" || !Array.isArray(chapters) || !chapters.length ||
		chapters.some((one) => typeof one?.name !== "string" || typeof one.record !== "string"))
		throw new Error("not a study");
	return { title, about, chapters: chapters.map(({ name, record }) => ({ name, record })) };
}

/** A chapter for a file: with the names of study and chapter as tags, as other sites write them. */
export function exportTree(title: string, chapter: Chapter): GameTree {
	const tree = treeOf(chapter), { seats = [], tags = {}, result = null, reason = null, end = -1 } = tree.about ?? {};
	return { ...tree, about: { seats, tags: { ...tags, StudyName: title, ChapterName: chapter.name }, result, reason, end } };
}
