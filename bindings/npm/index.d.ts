// index.d.ts - the types of the package quevedo.
// SPDX-License-Identifier: MIT

/** An error of the engine, with its message. */
export class QuevedoError extends Error {
	/** As in HTTP: 400 for a malformed request, 409 for one that the position does not allow; 0: stopped. */
	readonly status: number;
}

export interface Option {
	name: string;
	help: string;
	choices: string[] | null;
	min: number;
	max: number;
	/** The default. */
	preset: number | string;
}

export interface Level {
	/** Pass it as `player`. */
	spec: string;
	name: string;
	player: string;
}

export interface Game {
	name: string;
	title: string;
	/** The number of players. */
	seats: number;
	/** It has dice. */
	chance: boolean;
	levels: number;
	ladders: { name: string; title: string; help: string; levels: Level[] }[];
	/** What is known about its value, in words. */
	solved: string | null;
	/** The rules, in words. */
	help: string;
	options: Option[];
	/** solve() supports it. */
	exact: boolean;
	[field: string]: unknown;
}

/** A line of play. */
export interface Line {
	move: string;
	/** For the side to move. Missing: the move is from an opening book. */
	score?: number;
	proven?: boolean;
	/** Plies to the end of a proven win or loss. */
	in?: number;
	depth?: number;
	nodes?: number;
	pv?: string[];
	/** The name of the opening. */
	book?: string;
}

export interface Analysis {
	/** Best first. */
	lines: Line[];
	/** The expected score of the side to move, from 0 to 1. */
	share: number;
	depth: number;
	nodes: number;
	done: boolean;
}

export interface Solution {
	value: "win" | "draw" | "loss" | "unknown";
	/** Plies to the end, if `distance` was requested. */
	in: number | null;
	move: string | null;
	nodes: number;
}

export interface Evaluation {
	/** To move; values are for it. */
	seat: number;
	eval: string;
	value: number;
	terms: { name: string; counts: number[]; weight: number; share: number; value: number; cells: number[] }[];
}

export interface TraceNode {
	move: string;
	seat: number;
	value: number | null;
	bound: string;
	kind: string;
	cut: boolean;
	best: boolean;
	children: TraceNode[];
	[field: string]: unknown;
}

export interface Trace {
	game: string;
	position: string;
	player: string;
	move: string;
	value: number | null;
	depth: number;
	nodes: number;
	children: TraceNode[];
	[field: string]: unknown;
}

/** A player and its limits, such as "level:3" or "negascout:nodes=100000"; without it, the strongest one for the game. */
export interface Search {
	player?: string;
	/** Milliseconds at most; up to 30000 in an analysis. */
	time?: number;
}

export class Position {
	private constructor();
	/** The game with its options, such as "connect4:width=8". */
	readonly game: string;
	/** In the game's notation. */
	readonly position: string;
	/** The player to move, from 1; 0: a dice roll is next. */
	readonly seat: number;
	/** The legal moves; in star chess each order once, with its largest number of ships. */
	readonly moves: readonly string[];
	readonly over: boolean;
	/** "win 1", "draw"; null: the game goes on. */
	readonly result: string | null;
	readonly points: number[] | null;
	/** The moves from the position that position() was given. */
	readonly history: readonly string[];
	/** A drawing, for a terminal. */
	show(): string;
	/** The position after these moves. */
	play(...moves: string[]): Promise<Position>;
	/** The move that a player chooses. The same seed and a limit of nodes give the same move. */
	best(options?: Search & { seed?: number; book?: boolean }): Promise<Line>;
	/** Results of a search as it finds them. To leave the loop stops the search. */
	analyse(options?: Search & { lines?: number }): AsyncGenerator<Analysis, void, void>;
	/** The value with perfect play, for games of two players without dice. */
	solve(options?: { distance?: boolean; nodes?: number; time?: number }): Promise<Solution>;
	/** The terms of the evaluation, whose values add up to that of the position. */
	evaluate(): Promise<Evaluation>;
	/** The tree that a search visits; nodes: how many of it to return. */
	trace(options: { player: string; nodes?: number; plies?: number }): Promise<Trace>;
	/** The number of sequences of `depth` legal moves. */
	perft(depth: number): Promise<number>;
}

/** The built-in games. */
export function games(): Promise<Game[]>;
/** A position: the start of the game, or that in `position`, after `moves`. */
export function position(game: string, from?: { position?: string; moves?: readonly string[] }): Promise<Position>;
/** Ends all searches; their promises are rejected. */
export function stop(): void;
