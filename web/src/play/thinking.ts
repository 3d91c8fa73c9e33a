// thinking.ts - the search for a computer's move by the engine in this browser.
// SPDX-License-Identifier: MIT
import { askOnce, chooseMove } from "../engine/ask";
import type { MoveQuestion } from "../engine/engine";
import { ladderOf } from "../pages/opponents";
import { settings } from "../store/settings";
import type { Game, Play, ThoughtsMessage } from "../types";

const MOVE_MS = 10000; // the longest time for a move, as in the server
const HASTE_MS = 100; // for a move that is needed now
const BOOK_PLIES = 40; // no line of a book is longer
const PACE_MS = 500; // between two moves of computers that play each other
const REPLY_MS = 500, REPLY_SPREAD_MS = 600; // a weak level takes at least so long to reply to a person, and up to so much longer

/** What the engine needs besides the game. */
export interface Think {
	player: string;
	time?: number; // ms; 0: as long as it may
	aim?: number; // ms; 0: none
	memory?: string | null; // of a learner
}

export interface Search {
	/** Ends with the best move so far, or the first one. */
	hurry(): void;
	stop(): void;
}

function newSeed(): number {
	const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
	return (high % 2 ** 21) * 2 ** 32 + low;
}

/** How long a move has to wait, so that people can follow computers that play each other. movedAt: when the last one came. */
export function paceOf(play: Play, movedAt: number): number {
	return play.seats.some((seat) => seat.kind === "person") ? 0 : Math.max(0, movedAt + PACE_MS - performance.now());
}

/** Whether a level is in the weaker half of its ladder. */
export function isWeak(game: Game | undefined, spec: string): boolean {
	const levels = (game && ladderOf(game, spec))?.levels ?? [];
	return levels.length > 0 && 2 * levels.findIndex((level) => level.spec === spec) < levels.length;
}

/** How long a computer takes to reply, so that it feels like an opponent: 0 for strong ones, or if the reader wants speed. */
export function replyTime(play: Play, game: Game | undefined, chance: number): number {
	const last = play.line[play.line.length - 1]?.seat;
	const isReply = play.seats.some(({ seat, kind }) => kind === "person" && seat === last);
	const spec = play.seats.find(({ seat }) => seat === play.view.seat)?.spec ?? "";
	return isReply && !play.clocks && !settings.get().instant && isWeak(game, spec) ? REPLY_MS + chance * REPLY_SPREAD_MS : 0;
}

/** Waits until the move of a computer may be shown. began: when it began to think. */
export async function waitForMove(play: Play, movedAt: number, began: number): Promise<void> {
	const games = await askOnce("games").catch(() => []);
	const reply = replyTime(play, games.find(({ name }) => name === play.game.split(":", 1)[0]), Math.random());
	const left = Math.max(paceOf(play, movedAt), began + reply - performance.now());
	if (left > 0)
		await new Promise((next) => setTimeout(next, left));
}

/** onEnd: with the move; null: the engine has failed. */
export function startSearch(play: Play, { player, time, aim, memory }: Think, onThoughts: (thoughts: ThoughtsMessage) => void,
	onEnd: (move: string | null) => void): Search {
	let best = "", hurried = false, ended = false;
	const end = (move: string | null) => {
		if (ended)
			return;
		ended = true;
		stop();
		onEnd(move);
	};
	const begin = (who: Pick<MoveQuestion, "player" | "time" | "aim" | "memory">) => chooseMove({
		game: play.game, position: play.start, moves: play.line.map((one) => one.move), seed: newSeed(), book: play.line.length < BOOK_PLIES, ...who,
	}, {
		message(message) {
			const found = message.type === "thoughts" ? message : message.thoughts;
			best = message.type === "thoughts" ? found.line.move : message.move;
			onThoughts(found);
			if (message.type !== "thoughts" || hurried)
				end(best);
		},
		error: () => end(null),
	});
	let stop = begin({ player, time: Math.min(time || MOVE_MS, MOVE_MS), ...(aim ? { aim } : {}), ...(memory ? { memory } : {}) });
	return {
		stop() {
			ended = true;
			stop();
		},
		/* A solver has no move until it is done; then the strongest player moves for it, as in the server. */
		hurry() {
			if (best)
				return end(best);
			if (hurried || ended)
				return;
			hurried = true;
			stop();
			stop = begin({ time: HASTE_MS });
		},
	};
}
