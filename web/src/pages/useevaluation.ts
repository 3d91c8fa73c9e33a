// useevaluation.ts - loads the static evaluation of a position, and remembers which of its terms is highlighted.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import type { CellMark } from "../board/props";
import { ask } from "../engine/ask";
import type { Where } from "../play/useAdvice";
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Evaluation, EvaluationTerm } from "../types";
import { useLoad } from "./parts";

export interface EvaluationState {
	on: boolean;
	found: Evaluation | null; // the previous one while that of the position loads
	fresh: boolean; // it belongs to the current position
	error: string | null;
	waiting: boolean; // a player is to move, or that is not known yet
	active: EvaluationTerm[]; // those with the name that is hovered, else pinned
	pinned: string | null;
	hover(name: string): void;
	leave(name: string): void; // does nothing if another one is hovered by now
	pin(name: string | null): void;
	toggle(): void;
}

/** possible: a player is to move; null: not known yet. Loads only while the panel is open. */
export function useEvaluation(possible: boolean | null, where: Where): EvaluationState {
	const { evaluation: on } = useStore(settings);
	const key = on && possible ? JSON.stringify(where) : "";
	const loaded = useLoad(key, async () => ({ key, game: where.game, found: await ask("evaluation", where) }));
	const [hovered, setHovered] = useState<string | null>(null);
	const [chosen, setChosen] = useState<string | null>(null);
	const found = on && possible !== false && loaded.value?.game === where.game ? loaded.value.found : null;
	/* By name, so that it stays while you navigate the moves. */
	const here = (name: string | null) => (name && found?.terms.filter((term) => familyOf(term) === name)) || [];
	return {
		on, found, fresh: key !== "" && loaded.value?.key === key, error: key ? loaded.error : null, waiting: possible !== false,
		active: here(hovered ?? chosen), pinned: chosen, pin: setChosen,
		hover: setHovered, leave: (name) => setHovered((now) => now === name ? null : now),
		toggle: () => changeSettings({ evaluation: !on }),
	};
}

/** "shelter" of "shelter[51]": terms that differ only in their number are shown as one. */
export function familyOf({ name }: Pick<EvaluationTerm, "name">): string {
	return name.replace(/\[\d+\]$/, "");
}

/** The cells of the active terms. */
export function evaluationMarks({ active, fresh }: EvaluationState): CellMark[] {
	const [first] = active;
	return fresh && first?.cells ? [{ cells: [...new Set(active.flatMap(({ cells }) => cells ?? []))], text: "", seat: null, title: familyOf(first).replaceAll("-", " ") }] : [];
}
