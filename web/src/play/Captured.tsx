// Captured.tsx - the pieces that a seat has captured, and its lead in material.
// SPDX-License-Identifier: MIT
import { PieceShape } from "../board/drawing";
import { pieceText } from "../board/text";
import { t } from "../messages";
import type { Board } from "../types";
import type { Captures } from "./captures";

/** Pieces of the same kind overlap. */
export function Captured({ board, captured: { pieces, lead } }: { board: Board; captured: Captures }) {
	if (!pieces.length && !lead)
		return null;
	const names = [...new Set(pieces)].map((piece) => pieceText(board, piece, pieces.filter((one) => one === piece).length));
	return (
		<>
			{pieces.length ? (
				<span class="captured" role="img" aria-label={t("play.captured", { pieces: names.join(", ") })}>
					{pieces.map((piece, i) => {
						const kind = board.pieces[piece];
						return kind && (
							<svg key={i} class={piece === pieces[i - 1] ? "board picture again" : "board picture"} viewBox="-50 -50 100 100" aria-hidden="true">
								<PieceShape kind={kind} />
							</svg>
						);
					})}
				</span>
			) : null}
			{lead ? <span class="ahead"><span class="unseen">{t("play.aheadBy", { n: lead })}</span><span aria-hidden="true">{`+${lead}`}</span></span> : null}
		</>
	);
}
