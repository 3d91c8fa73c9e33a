// themes.ts - board themes and piece sets for every game, plug-ins included. They are loaded when one is chosen or shown (looks.ts).
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Board, Piece } from "../types";

export interface LookPart {
	name: string; // as stored in the settings
	title: string;
	draw(board: Board): Board;
}

/** A theme gives a colour to each tone of a board (quevedo_board.h), in both colour schemes. */
type Palette = Record<
	"tone-light" | "tone-dark" | "tone-felt" | "tone-felt-line" | "tone-wood" | "tone-wood-ink" | "tone-frame" | "tone-frame-ink" | "tone-hole" | "tone-tray" |
	"tone-none" | "tone-none-ink" | "line" | "on-light-line" | "on-light-ink" | "on-cell-ink" | "on-light-tray" | "road" |
	"space" | "space-2" | "space-hover" | "space-selected" | "space-edge", string> & Partial<Record<
	"paint-light-edge" | "paint-dark-edge" | "paint-blue" | "paint-blue-edge" | "paint-red" | "paint-red-edge", string>>;

export const PALETTES: Record<string, { title: string; colours: Palette }> = {
	walnut: {
		title: t("board.themeWalnut"), colours: {
			"tone-light": "#e4c79c", "tone-dark": "#a9713f", "tone-felt": "#8b5a33", "tone-felt-line": "#5d3a1e", "tone-wood": "#553319", "tone-wood-ink": "#f5e4c8",
			"tone-frame": "#74441f", "tone-frame-ink": "#fbeeda", "tone-hole": "#f2e3c8", "tone-tray": "#e6d2ae", "tone-none": "#f6ead4", "tone-none-ink": "#5c4226",
			"line": "#55391d", "on-light-line": "#55391d", "on-light-ink": "#4b3015", "on-cell-ink": "#2e1b08", "on-light-tray": "#d6b483", "road": "#5d3a1e",
			"space": "#2b1c10", "space-2": "#3a2817", "space-hover": "#48331f", "space-selected": "#5a4128", "space-edge": "#6b5238",
		},
	},
	ocean: {
		title: t("board.themeOcean"), colours: {
			"tone-light": "#dfe8f0", "tone-dark": "#86a6c5", "tone-felt": "#2f749f", "tone-felt-line": "#194d72", "tone-wood": "#34597d", "tone-wood-ink": "#eaf3fb",
			"tone-frame": "#15407a", "tone-frame-ink": "#e6eefc", "tone-hole": "#dfeaf5", "tone-tray": "#cfe0ee", "tone-none": "#eef5fb", "tone-none-ink": "#35506b",
			"line": "#33506e", "on-light-line": "#33506e", "on-light-ink": "#24425f", "on-cell-ink": "#14283c", "on-light-tray": "#c3d5e6", "road": "#1d4a70",
			"space": "#0b2236", "space-2": "#12304a", "space-hover": "#1a3e5e", "space-selected": "#235078", "space-edge": "#33618a",
		},
	},
	forest: {
		title: t("board.themeForest"), colours: {
			"tone-light": "#ecedd3", "tone-dark": "#7c9c5a", "tone-felt": "#3a7a41", "tone-felt-line": "#215126", "tone-wood": "#455f31", "tone-wood-ink": "#f1f6e4",
			"tone-frame": "#2c6542", "tone-frame-ink": "#e9f5e6", "tone-hole": "#ecf2e3", "tone-tray": "#d8e5c9", "tone-none": "#f5f8ec", "tone-none-ink": "#43543a",
			"line": "#42552f", "on-light-line": "#42552f", "on-light-ink": "#354726", "on-cell-ink": "#1f2d12", "on-light-tray": "#cdd9ae", "road": "#2c4d26",
			"space": "#10251a", "space-2": "#183526", "space-hover": "#214432", "space-selected": "#2b5741", "space-edge": "#3e6b54",
		},
	},
	marble: {
		title: t("board.themeMarble"), colours: {
			"tone-light": "#ebebea", "tone-dark": "#a8acb2", "tone-felt": "#667a84", "tone-felt-line": "#46565e", "tone-wood": "#5a5f66", "tone-wood-ink": "#f4f4f2",
			"tone-frame": "#4d5867", "tone-frame-ink": "#f0f2f5", "tone-hole": "#eef0f2", "tone-tray": "#dbdee1", "tone-none": "#fafaf9", "tone-none-ink": "#4d5157",
			"line": "#4a4e54", "on-light-line": "#4a4e54", "on-light-ink": "#3c4046", "on-cell-ink": "#1f2226", "on-light-tray": "#d2d4d6", "road": "#4a545c",
			"space": "#24272c", "space-2": "#30343a", "space-hover": "#3c4149", "space-selected": "#4b525c", "space-edge": "#5b626d",
		},
	},
	night: {
		title: t("board.themeNight"), colours: {
			"tone-light": "#a3aec2", "tone-dark": "#667391", "tone-felt": "#33475e", "tone-felt-line": "#1b2838", "tone-wood": "#2a3447", "tone-wood-ink": "#dfe6ef",
			"tone-frame": "#1f2f4c", "tone-frame-ink": "#dbe7fb", "tone-hole": "#10161f", "tone-tray": "#33415a", "tone-none": "#1c2330", "tone-none-ink": "#b8c4d6",
			"line": "#94a5be", "on-light-line": "#232c3d", "on-light-ink": "#1b2330", "on-cell-ink": "#10151e", "on-light-tray": "#8d99af", "road": "#1c2738",
			"space": "#0a0d14", "space-2": "#121722", "space-hover": "#1b2231", "space-selected": "#273146", "space-edge": "#38435c",
			"paint-light-edge": "#1d222c", "paint-dark-edge": "#d5deeb", "paint-blue": "#6d9ff0", "paint-blue-edge": "#12264a", "paint-red": "#ef6a5f", "paint-red-edge": "#4d120d",
		},
	},
};

function properties(colours: Palette): Record<string, string> {
	return Object.fromEntries(Object.entries(colours).map(([name, colour]) => [`--${name}`, colour]));
}

/** "standard" is the one without words: it leaves the board as it is. */
export const THEMES: LookPart[] = [
	{ name: "standard", title: t("board.standard"), draw: (board) => board },
	...Object.entries(PALETTES).map(([name, { title, colours }]) => {
		const theme = properties(colours);
		return { name, title, draw: (board: Board) => ({ ...board, theme }) };
	}),
];

/* A chess set of plain shapes: all stand on the same foot. */
const FOOT = "H24V40H-24V30";
const MODERN: Record<string, string> = {
	pawn: `M-8-8A13 13 0 1 1 8-8L15 30${FOOT}H-15Z`,
	knight: `M-8-38L14-34C23-22 23-6 17 30${FOOT}H-17C-16 16-6 8-2-4L-20 6-28-6-16-24Z`,
	bishop: `M0-44C16-32 18-16 9-4L15 30${FOOT}H-15L-9-4C-18-16-16-32 0-44ZM4-31L-8-15-4-12 8-28Z`,
	rook: `M-24-36H-12V-27H-6V-36H6V-27H12V-36H24V-16H16L19 30${FOOT}H-19L-16-16H-24Z`,
	queen: `M-30-34L-14-14-8-38 0-16 8-38 14-14 30-34 19 30${FOOT}H-19Z`,
	king: `M-4-46H4V-38H12V-30H4V-22H26L18 30${FOOT}H-18L-26-22H-4V-30H-12V-38H-4Z`,
};
const MODERN_SHAPES: [isOf: RegExp, body: string][] = [
	[/^cross$/, "M0-7L26-33 33-26 7 0 33 26 26 33 0 7-26 33-33 26-7 0-33-26-26-33Z"],
	[/^nought$/, "M-35 0A35 35 0 0 1 35 0 35 35 0 0 1-35 0ZM-25 0A25 25 0 0 0 25 0 25 25 0 0 0-25 0Z"],
];

/** Plain shapes without lines on them. What tells pieces of a side apart, as the crown of a king in draughts, stays. */
function modern(piece: Piece, pieces: Piece[]): Piece {
	const kind = piece.name.split(" ").slice(-1)[0] ?? "";
	const chess = pieces.some(({ name }) => /\bpawn$/.test(name)) ? MODERN[kind] : undefined;
	const body = chess ?? MODERN_SHAPES.find(([isOf]) => isOf.test(piece.name))?.[1] ?? piece.body;
	const isFirst = pieces.find(({ seat }) => seat === piece.seat) === piece;
	return piece.seat === null ? piece : { ...piece, set: "modern", body, detail: chess || isFirst ? null : piece.detail };
}

const withPieces = (draw: (piece: Piece, pieces: Piece[]) => Piece) => (board: Board): Board =>
	({ ...board, pieces: board.pieces.map((piece) => draw(piece, board.pieces)) });

export const SETS: LookPart[] = [
	{ name: "classic", title: t("board.setClassic"), draw: (board) => board },
	{ name: "modern", title: t("board.setModern"), draw: withPieces(modern) },
	{ name: "shaded", title: t("board.setShaded"), draw: withPieces((piece) => (piece.seat === null ? piece : { ...piece, set: "shaded" })) },
];
