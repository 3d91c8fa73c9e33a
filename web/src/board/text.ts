// text.ts - boards, moves and results as text, for screen readers and the status line.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Board, Move, View } from "../types";
import { cubeAndMatch, isBackgammon } from "./backgammon";

/** "d4, black disc"; "point 8, 3 white men" */
export function cellText(board: Board, view: Pick<View, "standing">, cell: number): string {
	const written = board.cells[cell]?.name ?? "?";
	const name = isBackgammon(board.game) && /^\d+$/.test(written) ? t("board.point", { name: written }) : written;
	const stands = view.standing.find(([at]) => at === cell);
	if (!stands)
		return t("board.empty", { cell: name });
	return `${name}, ${pieceText(board, stands[1], stands[2])}`;
}

export function pieceText(board: Board, piece: number, count: number): string {
	const name = board.pieces[piece]?.name ?? t("board.piece");
	return count === 1 ? name : `${count} ${name.endsWith("man") ? name.replace(/man$/, "men") : `${name}s`}`;
}

/** Every piece by kind with its cells, and the score: "black disc: d4, e5; white disc: d5, e4. Score: Black 2, White 2." */
export function positionText(board: Board, view: View): string {
	const score = view.scores?.map((points, i) => `${sideName(board, i + 1)} ${points}`).join(", ");
	const isPips = isBackgammon(board.game) && !cubeAndMatch(view.position).length;
	return piecesText(board, view) + (score ? ` ${isPips ? t("board.pips", { score }) : t("board.score", { score })}` : "");
}

function piecesText(board: Board, view: View): string {
	const kinds = new Map<number, string[]>();
	for (const [cell, piece, count] of view.standing) {
		const name = board.cells[cell]?.name ?? "?";
		kinds.set(piece, [...(kinds.get(piece) ?? []), count === 1 ? name : `${name} (${count})`]);
	}
	if (!kinds.size)
		return t("board.emptyBoard");
	return [...kinds.entries()].sort(([a], [b]) => a - b)
		.map(([piece, cells]) => `${board.pieces[piece]?.name ?? t("board.piece")}: ${cells.join(", ")}`)
		.join("; ") + ".";
}

/** The short notation of a move, if it is known. */
export function moveName({ move, short }: { move: string | null; short?: string }): string {
	return short || move || "";
}

export function legalMovesText(moves: Move[]): string {
	const moveNames = moves.map(moveName).join(", ");
	return t("board.legalMoves", { n: moves.length, moves: moveNames });
}

/** The name in a seat. A person's name is kept as it is ("ann" and "Ann" are two people); a computer's is capitalised. */
export function playerName(seat: { kind: string; name: string }): string {
	return seat.kind === "person" ? seat.name : capital(seat.name);
}

export function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Sides with pieces of no colour, as the rules call them. */
const SIDES: Record<string, string> = { cross: t("board.crosses"), nought: t("board.noughts") };

/** The name of a seat's side: the colour of its pieces, else its number. */
export function sideName(board: Board | null, seat: number): string {
	if (seat === 0)
		return t("board.chance");
	const own = board?.seat_names?.[seat - 1];
	if (own)
		return own;
	const piece = board?.pieces.find((one) => one.seat === seat);
	const name = piece?.name ?? "";
	const colour = name.split(" ");
	if (!name)
		return t("board.player", { n: seat });
	return SIDES[name] ?? capital(colour.length > 1 ? colour[0] ?? name : name);
}

/** Within a sentence: names and single letters keep their capitals, colours do not. */
export function sideInText(board: Board | null, seat: number): string {
	const name = sideName(board, seat);
	return board?.seat_names || name.length === 1 ? name : name.toLowerCase();
}

/** The colours of the two sides. */
export function paintsOf(board: Board | null): [string, string] {
	const of = (seat: number) => board?.pieces.find((piece) => piece.seat === seat)?.paint;
	return [of(1) ?? "light", of(2) ?? "dark"];
}

export function resultText(result: string | null, board: Board | null): string {
	if (!result)
		return "";
	if (result === "draw")
		return t("board.draw");
	if (result === "none")
		return t("board.abandoned");
	const seat = /^win (\d+)$/.exec(result)?.[1];
	return seat ? t("board.wins", { side: sideName(board, Number(seat)) }) : result;
}

/** The legal move for a typed text, by either of its names. Case, check and capture signs are ignored if the result is unique. */
export function findMove(moves: Move[], text: string): string | null {
	const plain = (name: string) => name.replace(/[-+#x=]/g, "").toLowerCase();
	const exact = moves.find(({ move, short }) => move === text || short === text);
	const alike = plain(text) ? moves.filter((one) => [one.move, one.short ?? ""].some((name) => plain(name) === plain(text))) : [];
	return exact?.move ?? (alike.length === 1 ? alike[0]?.move ?? null : null);
}
