// engine.ts - what the page asks an engine for. There are two: in the browser (browser.ts) and in the server (server.ts).
// SPDX-License-Identifier: MIT
import type { RequestError } from "../api";
import type {
	AnalysisMessage, Board, Evaluation, Explanation, Gallery, Game, HistoryEntry, LineLuck, Openings, ReadRecord, ReviewMessage, ThoughtsMessage, Values, View,
} from "../types";

/** The requests with one response, by route. Those without a body may have a query: "boards?game=chess". */
export interface Responses {
	games: Game[];
	gallery: Gallery;
	history: HistoryEntry[];
	boards: Board;
	openings: Openings;
	positions: View;
	evaluation: Evaluation;
	luck: LineLuck;
	explanations: Explanation;
	records: ReadRecord;
}

/** The requests with messages before their end. */
export interface Messages {
	analysis: AnalysisMessage;
	values: Values;
	review: ReviewMessage;
	move: ThoughtsMessage | ChosenMove; // the browser's engine only: in the server a player's move belongs to a play
}

/** The last message of "move". */
export interface ChosenMove {
	type?: undefined;
	move: string;
	thoughts: ThoughtsMessage;
}

/** The move of a computer. The same seed gives the same move, unless time ends the search. */
export interface MoveQuestion {
	game: string;
	position: string;
	moves: string[];
	player?: string; // a player spec; missing: the strongest
	seed: number;
	time: number; // ms
	book: boolean; // it may play from its opening book
	aim?: number; // ms that the move should take
	memory?: string; // what a learner remembers
}

export interface Listener<T> {
	message(body: T): void;
	end?(): void;
	error?(error: RequestError): void;
}

export interface Engine {
	request<T>(request: string, body: unknown): Promise<T>;
	/** Returns a function that stops it. */
	stream<T>(request: string, body: unknown, listener: Listener<T>): () => void;
}
