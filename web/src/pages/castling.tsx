// castling.tsx - the castling rights of a chess position in the editor. The board description has no slot for
// them, so they are read from the FEN and written into it.
// SPDX-License-Identifier: MIT

/** The letter in a FEN, the rank from the top, king and rook, the file of the rook, and what the right is called. */
const RIGHTS: [letter: string, rank: number, king: string, rook: string, file: number, name: string][] = [
	["K", 7, "K", "R", 7, "White O-O"], ["Q", 7, "K", "R", 0, "White O-O-O"],
	["k", 0, "k", "r", 7, "Black O-O"], ["q", 0, "k", "r", 0, "Black O-O-O"],
];

/** The rights that a FEN gives. */
export function rightsOf(fen: string): string {
	return fen.split(" ")[2]?.replace(/[^KQkq]/g, "") ?? "";
}

/** The rights that a position can have: those whose king and rook are on their first squares. */
export function possibleRights(fen: string): string {
	const ranks = (fen.split(" ")[0] ?? "").split("/").map((rank) => rank.replace(/\d/g, (empty) => ".".repeat(Number(empty))));
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
		<fieldset class="group castling"><legend>Castling</legend>
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
