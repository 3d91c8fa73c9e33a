// exact.ts - exact values of the moves of a position.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { sentence } from "../api";
import type { Badge } from "../board/props";
import { listen } from "../engine/ask";
import { t } from "../messages";
import { TOO_COMPLEX } from "../play/solvable";
import { movesToWin } from "./score";
import type { Values } from "../types";

export interface ExactState {
	badges: Badge[]; // of the moves with a known value
	unknown: number; // number of other moves
	error: string | null;
	busy: boolean;
}

const NOTHING: ExactState = { badges: [], unknown: 0, error: null, busy: false };

export function useValues(enabled: boolean, game: string, start: string, moves: string[]): ExactState {
	const [state, setState] = useState<{ key: string; exact: ExactState }>({ key: "", exact: NOTHING });
	const key = enabled ? [game, start, ...moves].join("\n") : "";
	useEffect(() => {
		if (!enabled)
			return;
		return listen("values", { game, position: start, moves }, {
			message: ({ values }) => setState({ key, exact: exactOf(values) }),
			error: (error) => setState({ key, exact: { ...NOTHING, error: sentence(error) } }),
		});
	}, [key]);
	return state.key === key ? state.exact : { ...NOTHING, busy: enabled };
}

/** Shows known values only: a board full of question marks does not help. */
function exactOf(values: Values["values"]): ExactState {
	const known = values.filter(({ value }) => value !== "unknown");
	return { ...NOTHING, badges: known.map(badgeOf), unknown: values.length - known.length };
}

export function exactText({ badges, unknown, error, busy }: ExactState): string {
	if (error || busy)
		return error ?? t("analysis.computing");
	if (!unknown)
		return "";
	return badges.length ? t("analysis.unknown", { n: unknown })
		: TOO_COMPLEX;
}

const SURE = 1e6; // more plies than any game has

function badgeOf({ move, value, in: plies }: Values["values"][number]): Badge {
	const far = plies ?? 0, n = movesToWin(far);
	switch (value) {
	case "win": return { move, tone: "win", text: `W${n || ""}`, title: t("score.wins", { n }), worth: SURE - far };
	case "loss": return { move, tone: "loss", text: `L${n || ""}`, title: t("score.loses", { n }), worth: far - SURE };
	case "draw": return { move, tone: "draw", text: "=", title: t("score.draws"), worth: 0 };
	default: return { move, tone: "unknown", text: "?", title: t("score.unknown"), worth: -1 };
	}
}
