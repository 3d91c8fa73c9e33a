// Thoughts.tsx - what a search has found: its best line, and its depth and size or the book.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { countText, scoreText } from "../pages/score";
import type { Board, Play, ThoughtsMessage } from "../types";
import { nameOf } from "./status";

export function Thoughts({ play, board, thoughts }: { play: Play; board: Board | null; thoughts: ThoughtsMessage }) {
	const { line, seat, done } = thoughts;
	const names = line.short_pv ?? line.pv;
	const searched = line.depth > 0 || line.proven, book = line.book ?? "";
	const values = { player: nameOf(play, board, seat), move: names[0] ?? line.move, depth: line.depth, nodes: countText(line.nodes) };
	return (
		<>
			{searched ? <p class="best-line"><strong>{scoreText(line, play.game)}</strong> <span>{names.join(" ")}</span></p> : null}
			<p class="quiet small">
				{searched ? done ? t("play.thoughtFound", values)
					: t("play.thoughtSearches", values)
					: book ? t("play.thoughtBook", { ...values, book })
					: done ? t("play.thoughtPlayed", values) : t("play.thoughtThinks", values)}
			</p>
			{book && names.length > 1 ? <p class="best-line"><span>{names.join(" ")}</span></p> : null}
		</>
	);
}
