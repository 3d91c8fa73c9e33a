// StepBoard.tsx - the real board of a game in a step, with buttons for moves that have no cells.
// SPDX-License-Identifier: MIT
import { BoardView } from "../board/BoardView";
import { unclicked } from "../board/entry";
import { MoveButtons } from "../board/MoveChoice";
import { withColours } from "../board/stones";
import { capital, moveName } from "../board/text";
import { t } from "../messages";
import { StarBoard } from "../starchess/lazy";
import { readGalaxy } from "../starchess/galaxy";
import type { Board, Move, View } from "../types";

interface Props {
	game: string;
	board: Board | null;
	view: View;
	interactive: boolean;
	onMove(move: string): void;
	onRefuse?(): void;
}

const WORDS: Record<string, Record<string, string>> = {
	starchess: { end: t("learn.endTurn") },
	warptrog: { warp: t("learn.warp") },
};

export function StepBoard({ game, board, view, interactive, onMove, onRefuse }: Props) {
	const buttons = interactive && view.seat !== 0 ? (board ? unclicked(view.moves) : view.moves) : [];
	const Shown = game === "starchess" ? StarBoard : BoardView;
	const text = (move: Move) => WORDS[game]?.[move.move] ?? capital(moveName(move));
	return (
		<div class="walk-board">
			{game === "starchess" && <Stock position={view.position} />}
			{board ? <Shown board={withColours(board, view.position)} view={view} interactive={interactive} onMove={onMove} {...(onRefuse ? { onRefuse } : {})} />
				: <pre class="text-board">{view.text ?? view.position}</pre>}
			{buttons.length > 0 && <MoveButtons moves={buttons} onMove={onMove} text={text} />}
		</div>
	);
}

/** What the faction to move has in store. */
function Stock({ position }: { position: string }) {
	const galaxy = readGalaxy(position);
	const reserve = galaxy?.reserves[galaxy.mover - 1];
	return galaxy && reserve ? <p class="small learn-stock">{t("learn.stock", { turn: galaxy.turn, materials: reserve.materials, credits: reserve.credits })}</p> : null;
}
