// presets.ts - what a bench is set up with, and its link: pure functions.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { splitMoves } from "../pages/parts";
import type { Game } from "../types";
import type { BenchPreset } from "./Bench";
import { PLAIN, specOf, techniquesFor, type Technique } from "./specs";

export const MOST_PLAYERS = 3;

/** A depth that shows something and whose tree can still be read. */
const DEPTHS: Record<string, number> = { diagram: 2, noughts: 3, hexapawn: 4, connect4: 3, chess: 2, minichess: 2, draughts: 4, gomoku: 1, noughts3d: 2, morris: 2, race: 2, backgammon: 1, starchess: 1 };

/** So many moves that two trees side by side could not be read. */
const CROWDED = ["chess", "gomoku", "noughts3d", "morris"];

export function depthFor(game: string): number {
	return DEPTHS[game] ?? 3;
}

function byName(list: Technique[], name: string): Technique | undefined {
	return list.find((technique) => technique.name === name);
}

/** The first bench of a game: what can be compared there. */
export function firstPlayers(game: Pick<Game, "name" | "seats" | "chance">): string[] {
	const list = techniquesFor(game), depth = depthFor(game.name);
	const two = [byName(list, t("lab.minimax")), byName(list, t("lab.plain"))].flatMap((one) => one ? [one] : []);
	const chosen = two.length && !CROWDED.includes(game.name) ? two : two.length ? two.slice(1) : list.slice(0, 1);
	return chosen.map((technique) => specOf(technique, depth));
}

/** What a newcomer can begin with, the first one at once. */
export const STARTS: { name: string; preset: BenchPreset }[] = [
	{ name: t("lab.startNoughts"), preset: { game: "noughts", position: "xoxo.o.x. x", players: ["minimax:depth=3", `alphabeta:depth=3,${PLAIN}`] } },
	{ name: t("lab.startTree"), preset: { game: "diagram", position: "3-1", players: ["minimax:depth=2", `alphabeta:depth=2,${PLAIN}`] } },
	{ name: t("lab.startChess"), preset: { game: "chess", position: "r5k1/5ppp/8/8/8/8/1R3PPP/1R4K1 w - - 0 1", players: [`alphabeta:depth=3,${PLAIN}`], at: "end" } },
	{ name: t("lab.startPlayouts"), preset: { game: "connect4", players: ["mcts:playouts=400"] } },
];

export function isSamePreset(one: BenchPreset, other: BenchPreset): boolean {
	return labLink(one) === labLink(other);
}

export function presetOfQuery(query: URLSearchParams): BenchPreset | null {
	const game = query.get("game");
	if (!game)
		return null;
	const position = query.get("position"), moves = splitMoves(query.get("moves")), at = query.get("at");
	return {
		game, players: query.getAll("player").slice(0, MOST_PLAYERS),
		...(position ? { position } : {}), ...(moves.length ? { moves } : {}),
		...(at === "end" ? { at } : at && /^\d+$/.test(at) ? { at: Number(at) } : {}),
	};
}

export function labLink({ game, position, moves, players }: BenchPreset): string {
	const query = new URLSearchParams({ game });
	if (position && position !== "start")
		query.set("position", position);
	if (moves?.length)
		query.set("moves", moves.join(","));
	for (const player of players)
		query.append("player", player);
	return `/lab?${query}`;
}
