// LessonBoard.tsx - the position of a lesson on a board, if no search is shown. A lesson may let the reader move there.
// SPDX-License-Identifier: MIT
import { BoardView } from "../board/BoardView";
import { unclicked } from "../board/entry";
import { MoveButtons } from "../board/MoveChoice";
import { numbered } from "../board/numbered";
import { withColours } from "../board/stones";
import { t } from "../messages";
import { baseName, useBoard } from "../pages/parts";
import { turnText } from "../pages/walk";
import { StarBoard } from "../starchess/lazy";
import type { View } from "../types";

export function LessonBoard({ view, onMove }: { view: View; onMove?: (move: string) => void }) {
	const found = useBoard(view.game);
	if (!found)
		return <p class="waiting" role="status">{t("lessons.loading")}</p>;
	const Shown = baseName(view.game) === "starchess" ? StarBoard : BoardView;
	const buttons = onMove && !view.over ? (found.board ? unclicked(view.moves) : view.moves) : [];
	return (
		<div class="walk-board lesson-board">
			{found.board
				? <Shown board={numbered(withColours(found.board, view.position))} view={view} interactive={Boolean(onMove) && !view.over} onMove={(move) => onMove?.(move)} />
				: <pre class="text-board">{view.text ?? view.position}</pre>}
			{buttons.length > 0 && <MoveButtons moves={buttons} onMove={(move) => onMove?.(move)} />}
			<p class="small quiet">{turnText(view, found.board)}</p>
		</div>
	);
}
