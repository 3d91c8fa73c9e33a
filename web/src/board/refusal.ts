// refusal.ts - why a click on a cell begins no move, for people who do not know the rule.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Board, Move, View } from "../types";
import { matching } from "./entry";
import { moveName } from "./text";

const MOST = 3; // moves to name

/** "You must capture: 22x15 or 22x17." null: there is nothing to explain. */
export function refusalText(board: Board, view: Pick<View, "standing" | "seat">, moves: Move[], clicks: number[], cell: number): string | null {
	if (board.game.split(":", 1)[0] !== "draughts" || !moves.length || clicks.includes(cell))
		return null;
	const piece = view.standing.find(([at]) => at === cell)?.[1];
	const own = piece !== undefined && board.pieces[piece]?.seat === view.seat;
	const captures = moves.filter(({ move }) => move.includes("x"));
	if (captures.length && (own || (clicks.length && piece === undefined))) {
		const meant = own ? captures : matching(captures, clicks);
		const names = [...meant.slice(0, MOST).map(moveName), ...(meant.length > MOST ? [t("board.anotherOne")] : [])].reduce((a, b) => t("board.or", { a, b }));
		return clicks.length > 1 ? t("board.mustJump", { moves: names }) : t("board.mustCapture", { moves: names });
	}
	return own ? t("board.cannotMove", { cell: board.cells[cell]?.name ?? "?" }) : null;
}
