// castling.tsx - what a chess position has besides its pieces, in the editor: castling rights, the en passant square, the number of the
// move. The board description has no slots for them, so they are read from the FEN and written into it.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { t } from "../messages";
import type { Board, Standing } from "../types";
import { fetchPosition } from "./parts";

/** The letter in a FEN, the rank from the top, king and rook, the file of the rook, and what the right is called. */
const RIGHTS: [letter: string, rank: number, king: string, rook: string, file: number, name: string][] = [
	["K", 7, "K", "R", 7, t("edit.castleShort", { side: "white" })], ["Q", 7, "K", "R", 0, t("edit.castleLong", { side: "white" })],
	["k", 0, "k", "r", 7, t("edit.castleShort", { side: "black" })], ["q", 0, "k", "r", 0, t("edit.castleLong", { side: "black" })],
];

/** From the top; empty squares are points. */
function ranksOf(fen: string): string[] {
	return (fen.split(" ")[0] ?? "").split("/").map((rank) => rank.replace(/\d/g, (empty) => ".".repeat(Number(empty))));
}

/** The rights that a FEN gives. */
export function rightsOf(fen: string): string {
	return fen.split(" ")[2]?.replace(/[^KQkq]/g, "") ?? "";
}

/** The rights that a position can have: those whose king and rook are on their first squares. */
export function possibleRights(fen: string): string {
	const ranks = ranksOf(fen);
	return RIGHTS.filter(([, rank, king, rook, file]) => ranks[rank]?.[4] === king && ranks[rank]?.[file] === rook)
		.map(([letter]) => letter).join("");
}

/** The FEN with these of the possible rights. */
export function withRights(fen: string, rights: string): string {
	const fields = fen.split(" ");
	fields[2] = [...possibleRights(fen)].filter((letter) => rights.includes(letter)).join("") || "-";
	return fields.join(" ");
}

/** The FEN without these rights. */
export function withoutRights(fen: string, rights: string): string {
	return withRights(fen, [...rightsOf(fen)].filter((letter) => !rights.includes(letter)).join(""));
}

/** The possible rights that a FEN does not give. */
export function missingRights(fen: string): string {
	const given = rightsOf(fen);
	return [...possibleRights(fen)].filter((letter) => !given.includes(letter)).join("");
}

export function Castling({ fen, onChange }: { fen: string; onChange(fen: string): void }) {
	const possible = possibleRights(fen), given = rightsOf(fen);
	if (!possible)
		return null;
	return (
		<fieldset class="group castling"><legend>{t("editor.castling")}</legend>
			<div class="row">
				{RIGHTS.filter(([letter]) => possible.includes(letter)).map(([letter, , , , , name]) => (
					<label key={letter}>
						<input type="checkbox" checked={given.includes(letter)}
							onChange={() => onChange(withRights(fen, given.includes(letter) ? given.replace(letter, "") : given + letter))} />
						<span>{name}</span>
					</label>
				))}
			</div>
		</fieldset>
	);
}

// ---- En passant ----

/** A FEN with another field: 3 is the en passant square, 5 the number of the move. */
function withField(fen: string, field: number, text: string): string {
	return fen.split(" ").map((old, i) => i === field ? text : old).join(" ");
}

/** The squares behind pawns that may have just moved two squares, next to a pawn of the other side. Whether a capture is legal there, the rules decide. */
export function enPassantSquares(fen: string): string[] {
	const isWhite = fen.split(" ")[1] === "w", ranks = ranksOf(fen);
	/* From the top: the pawn's rank, the square behind it, the one it came from. */
	const [at, behind, from] = isWhite ? [3, 2, 1] : [4, 5, 6], [own, other] = isWhite ? ["P", "p"] : ["p", "P"];
	return [..."abcdefgh"].filter((_, file) => ranks[at]?.[file] === other && ranks[behind]?.[file] === "." && ranks[from]?.[file] === "." &&
		(ranks[at]?.[file - 1] === own || ranks[at]?.[file + 1] === own)).map((file) => `${file}${8 - behind}`);
}

/** Those on which a capture is legal: the engine drops the others from a FEN. */
async function legalSquares(fen: string): Promise<string[]> {
	const views = await Promise.all(enPassantSquares(fen).map(async (square) => [square, await fetchPosition("chess", withField(fen, 3, square), [])] as const));
	return views.filter(([square, { position }]) => position.split(" ")[3] === square).map(([square]) => square);
}

export function EnPassant({ fen, onChange }: { fen: string; onChange(fen: string): void }) {
	const [squares, setSquares] = useState<string[]>([]);
	const [now = "-"] = fen.split(" ").slice(3);
	const bare = withField(fen, 3, "-");
	useEffect(() => {
		let current = true;
		legalSquares(bare).then((found) => current && setSquares(found), () => undefined);
		return () => void (current = false);
	}, [bare]);
	if (!squares.length)
		return null;
	return (
		<label class="field"><span>{t("editor.enPassant")}</span>
			<select value={now} onChange={(event) => onChange(withField(fen, 3, event.currentTarget.value))}>
				<option value="-">{t("editor.noEnPassant")}</option>
				{squares.map((square) => <option key={square} value={square}>{square}</option>)}
			</select>
		</label>
	);
}

// ---- The number of the move ----

const NUMBER_MOST = 9999;

export function numberOf(fen: string): number {
	return Number(fen.split(" ")[5] ?? 1) || 1;
}

export function withNumber(fen: string, number: number): string {
	return withField(fen, 5, String(Math.min(NUMBER_MOST, Math.max(1, Math.trunc(number) || 1))));
}

export function MoveNumber({ fen, onChange }: { fen: string; onChange(fen: string): void }) {
	return (
		<label class="field"><span>{t("editor.number")}</span>
			<input type="number" min={1} max={NUMBER_MOST} value={numberOf(fen)} onChange={(event) => onChange(withNumber(fen, Number(event.currentTarget.value)))} />
		</label>
	);
}

// ---- A board that is not a legal position yet ----

const LETTERS: Record<string, string> = { pawn: "p", knight: "n", bishop: "b", rook: "r", queen: "q", king: "k" };

/** The FEN of the pieces on the board, without castling rights. */
export function fenOf(board: Board, standing: Standing[], seat: number, number: number): string {
	const letters = new Map(standing.map(([cell, piece]) => {
		const [colour = "", name = ""] = board.pieces[piece]?.name.split(" ") ?? [], letter = LETTERS[name] ?? "?";
		return [cell, colour === "white" ? letter.toUpperCase() : letter];
	}));
	const ranks = Array.from({ length: 8 }, (_, row) => Array.from({ length: 8 }, (__, column) =>
		letters.get(board.cells.findIndex((cell) => cell.row === row && cell.column === column)) ?? ".").join("").replace(/\.+/g, (empty) => String(empty.length)));
	return `${ranks.join("/")} ${seat === 1 ? "w" : "b"} - - 0 ${number}`;
}
