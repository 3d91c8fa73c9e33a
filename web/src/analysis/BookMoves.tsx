// BookMoves.tsx - the opening and the moves of the book in a position.
// SPDX-License-Identifier: MIT
import { moveName } from "../board/text";
import { t } from "../messages";
import type { BookMove, BookPosition } from "../types";

function percent(share: number): string {
	return share === 0 ? "never" : share < 0.01 ? "<1%" : `${Math.round(100 * share)}%`;
}

/** The name of the opening, also where the game has left the book, and the book moves. */
export function BookMoves({ book, onMove }: { book: BookPosition | null; onMove(move: string): void }) {
	return (
		<section class="book" aria-labelledby="opening">
			<div class="card-head">
				<h3 id="opening">{t("openings.opening")}</h3>
				<strong class="book-name">{book?.opening ?? ""}</strong>
			</div>
			{book?.note && <p class="small">{book.note}</p>}
			{book && (book.moves.length > 0
				? <ol class="engine-lines" aria-label={t("openings.bookMoves")}>
					{book.moves.map((move) => <li key={move.move}><BookMoveButton move={move} onMove={onMove} /></li>)}
				</ol>
				: <p class="none">{book.known ? t("openings.bookEnds") : book.opening ? t("openings.leftBook") : t("openings.notInBook")}</p>)}
		</section>
	);
}

function BookMoveButton({ move, onMove }: { move: BookMove; onMove(move: string): void }) {
	const name = move.name ?? (move.towards && t("analysis.towards", { opening: move.towards }));
	const about = [name, move.note].filter(Boolean).join(": ");
	return (
		<button type="button" class="engine-line" onClick={() => onMove(move.move)} {...(about ? { title: about } : {})}>
			<strong class="worth">{moveName(move)}</strong>
			<span class="book-share">{percent(move.share)}</span>
			<span class="book-about">{about}</span>
		</button>
	);
}
