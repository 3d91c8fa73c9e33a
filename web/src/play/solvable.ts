// solvable.ts - where exact values can be expected within their two seconds: pure functions.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Game, View } from "../types";

/** By the number of cells with pieces. Games that are not listed are solved from the start, or are plug-ins, where only a try tells. */
const LIMITS: Record<string, { least?: number; most?: number }> = {
	chess: { most: 7 },
	draughts: { most: 8 },
	gomoku: { least: 20 },
	minichess: { most: 12 },
	morris: { most: 8 },
	noughts3d: { least: 12 },
	reversi: { least: 44 },
};

/** Whether the whole game is simple enough. */
export function isSolvable(game: Game | null): boolean {
	return Boolean(game?.exact) && !LIMITS[game?.name ?? ""];
}

/** Whether this position is simple enough. */
export function canSolve(game: Game | null, view: Pick<View, "standing"> | null): boolean {
	const { least = 0, most = Infinity } = LIMITS[game?.name ?? ""] ?? {};
	const count = view?.standing.length ?? 0;
	return Boolean(game?.exact) && view !== null && count >= least && count <= most;
}

/** Why the values of a position cannot be had, as far as the number of its pieces tells. */
export function whyUnsolved(game: Game | null): string {
	const { least, most } = LIMITS[game?.name ?? ""] ?? {};
	return most ? t("play.valuesMost", { n: most }) : least ? t("play.valuesLeast", { n: least }) : TOO_COMPLEX;
}

export const TOO_COMPLEX = t("play.tooComplex");
