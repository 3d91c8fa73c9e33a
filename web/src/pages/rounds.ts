// rounds.ts - the main line of two players as rows, one for each round: pure functions.
// SPDX-License-Identifier: MIT
import { moveName } from "../board/text";
import { t } from "../messages";
import { mainLine, nodeAt, type GameNode, type GameTree } from "../tree";
import { firstMove } from "./numbers";

/** A player's move, and what chance did before and after it. */
export interface Turn {
	ids: number[];
}

export interface Round {
	number: number; // of the move
	turns: (Turn | null)[]; // of the first player, then of the second; null: shown in another row, or skipped
}

/** Rows, interrupted by notes and variations. */
export type Part = Round | { variations: number[] } | { remark: string };

/** Imported moves have no seat. */
export function isChance({ seat, move }: Pick<GameNode, "seat" | "move">): boolean {
	return seat === 0 || (seat < 0 && /^roll /.test(move ?? ""));
}

/** "3-1" of "roll 3 1" and "roll 31"; what else chance does keeps its name. */
export function rollName(move: string): string {
	const dice = /^roll ([\d ]+)$/.exec(move)?.[1];
	return dice ? [...dice.replaceAll(" ", "")].join("-") : move;
}

/** "0.4 s", "12 s", "1:05". */
export function timeText(seconds: number): string {
	if (seconds < 9.95)
		return t("pages.seconds", { n: seconds.toFixed(1) });
	const whole = Math.round(seconds);
	if (whole < 60)
		return t("pages.seconds", { n: whole });
	const two = (n: number) => String(n).padStart(2, "0");
	return whole < 3600 ? `${Math.floor(whole / 60)}:${two(whole % 60)}`
		: `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** The moves of the main line by node, with their numbers as players say them: "17. Nf3", "16… Qe7"; numbered: two players take turns. */
export function numberedNames(tree: GameTree, numbered: boolean): Map<number, string> {
	const names = new Map<number, string>(), first = nodeAt(tree, 0).children[0];
	const name = (id: number) => isChance(nodeAt(tree, id)) ? rollName(nodeAt(tree, id).move ?? "") : moveName(nodeAt(tree, id));
	if (!numbered)
		mainLine(tree).slice(1).forEach((id, i) => names.set(id, `${i + 1}. ${name(id)}`));
	else if (first !== undefined)
		for (const part of roundsOf(tree, first))
			if ("turns" in part)
				part.turns.forEach((turn, column) => turn?.ids.forEach((id) => names.set(id, `${part.number}${column ? "…" : "."} ${name(id)}`)));
	return names;
}

/** The line that begins with this node; shown: what of a note. A roll belongs to the move after it; what else chance does, to the move before it. */
export function roundsOf(tree: GameTree, from: number, shown = (note: string) => note): Part[] {
	const parts: Part[] = [];
	let round: Round | null = null; // the row that can still grow
	let turn: Turn | null = null; // the last one
	const first = firstMove(tree.game, tree.start);
	let number = first.number - Number(!first.second), last = Number(!first.second); // the round and the column of the last move
	let rolls: number[] = [];
	const add = (column: number) => {
		if (column <= last) {
			number++;
			round = null;
		}
		if (!round) {
			round = { number, turns: column ? [null] : [] };
			parts.push(round);
		}
		turn = { ids: rolls };
		round.turns.push(turn);
		last = column;
		rolls = [];
	};
	const takeRound = (id: number, node: GameNode, isEnd: boolean) => {
		const next = last === 0 ? 1 : 0;
		if (isChance(node) && !/^roll /.test(node.move ?? "") && turn)
			return void turn.ids.push(id);
		rolls.push(id);
		if (!isChance(node))
			return add(node.seat > 0 ? (node.seat - 1) % 2 : next); // without a seat, the players take turns
		if (isEnd) {
			add(next);
			last = next - 1; // the move is still to come
		}
	};
	for (let at = from; at !== -1;) {
		const node = nodeAt(tree, at), siblings = nodeAt(tree, node.parent).children;
		const isBranch = siblings[0] === at && siblings.length > 1;
		const remark = shown(node.note);
		const isEnd = Boolean(remark) || isBranch || !node.children.length; // of a row
		takeRound(at, node, isEnd);
		if (remark)
			parts.push({ remark });
		if (isBranch)
			parts.push({ variations: siblings.slice(1) });
		if (isEnd)
			round = turn = null;
		at = node.children[0] ?? -1;
	}
	return parts;
}
