// chapter.ts - a reviewed game as a chapter of a study: its mistakes get glyphs and comments.
// SPDX-License-Identifier: MIT
import { mainLine, newTree, playAll, setNote, toStart, type GameTree } from "../tree";
import type { Review, ReviewPly } from "../types";
import { isMistake, plyText } from "./words";

const GLYPHS: Record<string, number> = { "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6 };

/** seats: the names of the players; empty: unknown. */
export function chapterOfReview(game: string, start: string, moves: string[], seats: string[], review: Review | null): GameTree {
	const tree = playAll(newTree(game, start), moves), line = mainLine(tree);
	const note = (ply: ReviewPly) => `${GLYPHS[ply.glyph ?? ""] ? `$${GLYPHS[ply.glyph ?? ""]} ` : ""}${plyText(ply)}`;
	const noted = (review?.plies ?? []).filter(isMistake).reduce((now, ply) => setNote(now, line[ply.ply] ?? 0, note(ply)), tree);
	return { ...toStart(noted), ...(seats.length ? { about: { seats, tags: {}, result: null, reason: null, end: -1 } } : {}) };
}
