// perfect.ts - the perfect player of the ladder: its choice by exact values, and whether you have lost what you held.
// SPDX-License-Identifier: MIT
import type { Values } from "../types";

const ORDER = { win: 3, draw: 2, unknown: 1, loss: 0 };

/** The best move; a win as soon as possible, a loss as late as possible. */
export function perfectReply({ values }: Values): string | null {
	const worth = ({ value, in: plies }: Values["values"][number]) =>
		ORDER[value] * 1000 + (value === "win" ? -(plies ?? 0) : value === "loss" ? plies ?? 0 : 0);
	return values.reduce<Values["values"][number] | null>((best, one) => (best && worth(best) >= worth(one) ? best : one), null)?.move ?? null;
}

/** values: of the opponent's moves. Whether it can do better than what you were to hold; "unproved": nobody knows. */
export function givenAway({ values }: Values, wanted: "win" | "draw"): "yes" | "no" | "unproved" {
	if (values.some(({ value }) => value === "win" || (wanted === "win" && value === "draw")))
		return "yes";
	return values.some(({ value }) => value === "unknown") ? "unproved" : "no";
}
