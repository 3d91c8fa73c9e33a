// draft.ts - a bench that is being set up, with the steps of its tree that can be undone: pure functions.
// SPDX-License-Identifier: MIT
import type { BenchPreset } from "./Bench";
import { keyOf, withKey } from "./specs";
import { heightOf, readTree, type Path } from "./treeedit";

/** What undo goes back to. */
interface Moment {
	text: string;
	path: Path;
}

export interface Draft {
	preset: BenchPreset;
	path: Path; // the branch that is selected
	past: Moment[];
	future: Moment[];
	isTyping: boolean; // a run of typing is undone at once
}

/** Of a form that changes a draft. */
export interface DraftProps {
	draft: Draft;
	update(change: (now: Draft) => Draft): void;
}

export function draftOf(preset: BenchPreset): Draft {
	return { preset, path: [], past: [], future: [], isTyping: false };
}

/** The tree of a draft. */
export function textOf({ preset }: Draft): string {
	return preset.position ?? "start";
}

/** The players look as deep as the tree is high. */
export function deepened(draft: Draft, plies: number): Draft {
	const players = draft.preset.players.map((spec) => keyOf(spec, "depth") ? withKey(spec, "depth", plies) : spec);
	return { ...draft, preset: { ...draft.preset, players } };
}

function withTree(draft: Draft, { text, path }: Moment): Draft {
	const root = readTree(text), next = { ...draft, path, preset: { ...draft.preset, position: text, moves: [] } };
	return root ? deepened(next, heightOf(root)) : next;
}

/** Another tree is a step that can be undone, unless the typing goes on. */
export function edited(draft: Draft, text: string, path: Path = draft.path, isTyping = false): Draft {
	if (text === textOf(draft))
		return { ...draft, path };
	const past = isTyping && draft.isTyping ? draft.past : [...draft.past, { text: textOf(draft), path: draft.path }];
	return { ...withTree(draft, { text, path }), past, future: [], isTyping };
}

/** null: there is nothing to undo or redo. */
export function travelled(draft: Draft, way: "undo" | "redo"): Draft | null {
	const from = way === "undo" ? draft.past : draft.future, to = way === "undo" ? draft.future : draft.past;
	const moment = from[from.length - 1];
	if (!moment)
		return null;
	const left = from.slice(0, -1), more = [...to, { text: textOf(draft), path: draft.path }];
	return { ...withTree(draft, moment), past: way === "undo" ? left : more, future: way === "undo" ? more : left, isTyping: false };
}

/** What the bench shows now. The steps of a tree stay, and this is another one. */
export function withPreset(draft: Draft, preset: BenchPreset): Draft {
	if (preset.game !== "diagram" || draft.preset.game !== preset.game)
		return draftOf(preset);
	return { ...edited(draft, preset.position ?? "start"), preset };
}
