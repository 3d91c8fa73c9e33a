// parse.ts - puzzles as the files of web/puzzles hold them (docs/formats.md), and what to say about them.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { PuzzleRating } from "../types";

export type Goal =
	| { kind: "win"; plies: number }
	| { kind: "gain"; pieces: number; plies: number }
	| { kind: "keep"; value: "win" | "draw" }
	| { kind: "best"; lead: number }
	| { kind: "equity"; loss: number }
	| { kind: "odds"; best: number; next: number }; // chances to win

export interface Puzzle {
	id: string;
	game: string; // with options: "warptrog:warps=0"
	position: string;
	goal: Goal;
	/** Your moves and the replies in turn. Each of your turns lists all moves that achieve the goal; the first is the main line. */
	line: string[][];
	rating: number; // a first guess, from the work that the proof took
	measured: PuzzleRating | null; // by the attempts of all visitors; null: nobody has tried it, or there is no server
}

const LOWEST = 600, HIGHEST = 2600;

function parseGoal(text: string): Goal | null {
	const [word = "", first = "", second = ""] = text.split(" ");
	switch (word) {
	case "win": return { kind: "win", plies: Number(first) };
	case "gain": return { kind: "gain", pieces: Number(first), plies: Number(second) };
	case "keep": return first === "win" || first === "draw" ? { kind: "keep", value: first } : null;
	case "best": return { kind: "best", lead: Number(first) };
	case "equity": return { kind: "equity", loss: Number(first) };
	case "odds": return { kind: "odds", best: Number(first), next: Number(second) };
	default: return null;
	}
}

/** Short and the same for a position in every version of the file (FNV-1a). */
export function idOf(text: string): string {
	let hash = 0x811c9dc5;
	for (const character of text)
		hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
	return (hash >>> 0).toString(36);
}

/** More work and more moves make a puzzle harder. */
export function guessRating(nodes: number, ownMoves: number): number {
	return Math.min(HIGHEST, Math.max(LOWEST, Math.round(650 + 190 * Math.log10(nodes + 1) + 80 * (ownMoves - 1))));
}

export function parsePuzzles(text: string): Puzzle[] {
	const [head = "", ...lines] = text.split("\n");
	const game = /^quevedo puzzles 1 (\S+)$/.exec(head.trim())?.[1];
	if (!game)
		throw new Error("not a file of puzzles");
	const puzzles: Puzzle[] = [];
	for (const line of lines) {
		if (!line.trim() || line.startsWith("#"))
			continue;
		const [goalText = "", nodes = "", , moves = "", ...rest] = line.split(";");
		const goal = parseGoal(goalText.trim()), position = rest.join(";").trim();
		if (!goal || !position)
			throw new Error(`not a puzzle: ${line}`);
		const turns = moves.split(",").map((turn) => turn.trim().split("|"));
		puzzles.push({ id: idOf(position), game, position, goal, line: turns, rating: guessRating(Number(nodes), (turns.length + 1) / 2), measured: null });
	}
	return puzzles;
}

/** What to do, as a sentence. side: "White". */
export function taskText({ game, goal }: Pick<Puzzle, "game" | "goal">, side: string): string {
	const name = game.split(":", 1)[0];
	switch (goal.kind) {
	case "win": {
		const n = (goal.plies + 1) / 2;
		return name === "chess" ? t("puzzles.taskMate", { side, n }) : t("puzzles.taskWin", { side, n });
	}
	case "gain":
		if (name === "morris")
			return t("puzzles.taskMill", { side, n: goal.pieces });
		return t("puzzles.taskGain", { side, n: goal.pieces });
	case "keep":
		return goal.value === "win" ? t("puzzles.taskOnlyWin", { side }) : t("puzzles.taskOnlyDraw", { side });
	case "best":
		if (goal.lead > 0)
			return t("puzzles.taskMostDiscs", { side });
		return goal.lead === 0 ? t("puzzles.taskBest", { side }) : t("puzzles.taskFewDiscs", { side });
	case "equity":
	case "odds":
		return t("puzzles.taskBest", { side });
	}
}

/** Why a move is wrong: what it does not achieve, by the proof that the puzzle rests on. ply: of the move, from 0. */
export function wrongText({ game, goal }: Pick<Puzzle, "game" | "goal">, ply: number, move: string): string {
	const name = game.split(":", 1)[0];
	switch (goal.kind) {
	case "win": {
		const n = (goal.plies - ply + 1) / 2;
		return name === "chess" ? t("puzzles.wrongMate", { move, n }) : t("puzzles.wrongWin", { move, n });
	}
	case "gain":
		return name === "morris" ? t("puzzles.wrongMill", { move, n: goal.pieces }) : t("puzzles.wrongGain", { move, n: goal.pieces });
	case "keep":
		return goal.value === "win" ? t("puzzles.wrongKeepWin", { move }) : t("puzzles.wrongKeepDraw", { move });
	case "best":
		if (goal.lead > 0)
			return t("puzzles.wrongFewer", { move });
		return goal.lead === 0 ? t("puzzles.wrongKeepDraw", { move }) : t("puzzles.wrongMore", { move });
	case "equity":
		return t("puzzles.wrongEquity", { move, points: goal.loss.toFixed(2) });
	case "odds":
		return t("puzzles.wrongOdds", { move, next: percent(goal.next), best: percent(goal.best) });
	}
}

/** A fact about the solution, for the end. */
export function resultFact({ goal }: Pick<Puzzle, "goal">): string {
	switch (goal.kind) {
	case "best":
		if (goal.lead === 0)
			return t("puzzles.factDrawn");
		return goal.lead > 0 ? t("puzzles.factWinsBy", { n: goal.lead }) : t("puzzles.factLosesBy", { n: -goal.lead });
	case "equity":
		return t("puzzles.factEquity", { points: goal.loss.toFixed(2) });
	case "keep":
		return goal.value === "win" ? t("puzzles.factKeepsWin") : t("puzzles.factKeepsDraw");
	case "odds":
		return t("puzzles.factOdds", { best: percent(goal.best), next: percent(goal.next) });
	default:
		return "";
	}
}

function percent(chance: number): string {
	return `${(100 * chance).toFixed(1)} %`;
}

/** The puzzle of a day: each day another, in an order of its own for each game. */
export function dailyOf(puzzles: Puzzle[], day: number): Puzzle | null {
	if (!puzzles.length)
		return null;
	/* A step without a common divisor visits every puzzle before one comes again. */
	const count = puzzles.length;
	let step = Math.max(1, Math.round(count * 0.618));
	const divisor = (a: number, b: number): number => (b ? divisor(b, a % b) : a);
	while (divisor(step, count) > 1)
		step++;
	return puzzles[(day * step) % count] ?? null;
}

/** The number of the local day. */
export function dayNumber(date: Date): number {
	return Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
}
