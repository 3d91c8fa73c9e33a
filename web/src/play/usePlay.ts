// usePlay.ts - follows a play: first the whole play, then the changes of each move.
// SPDX-License-Identifier: MIT
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { RequestError } from "../api";
import { hear } from "../people/heard";
import type { Play, PlayMessage, ThoughtsMessage } from "../types";
import { hostOf } from "./host";
import { applyMove } from "./messages";

export interface PlayStream {
	play: Play | null;
	at: number; // performance.now() at the last message, for the clocks
	error: RequestError | null;
	thoughts: ThoughtsMessage | null; // the last ones of a computer
	/** Handles a response to a move or an action. It is the same as the message of the stream, but often sooner. */
	receive(message: PlayMessage): void;
}

/** aloud: with the thoughts of computers. */
export function usePlay(id: string, aloud: boolean): PlayStream {
	const [state, setState] = useState<Omit<PlayStream, "receive" | "thoughts">>({ play: null, at: 0, error: null });
	const [thoughts, setThoughts] = useState<ThoughtsMessage | null>(null);
	const now = useRef<Play | null>(null);

	const at = useRef(0);
	const take = useCallback((play: Play) => {
		now.current = play;
		setState({ play, at: at.current = performance.now(), error: null });
	}, []);

	/* The clocks count from the last message about the game, so `at` stays. */
	const setWatchers = (watchers: number) => {
		if (now.current)
			setState({ play: now.current = { ...now.current, watchers }, at: at.current, error: null });
	};

	const receive = useCallback((message: PlayMessage) => {
		const before = now.current;
		if (message.type === "play")
			return !before || message.version >= before.version ? take(message) : undefined;
		const next = before && applyMove(before, message);
		if (next && next !== before)
			take(next);
		else if (!next)
			hostOf(id).get(id).then((play) => now.current === before && take(play)).catch(() => {});
	}, [id]);

	useEffect(() => {
		now.current = null;
		setThoughts(null);
		return hostOf(id).follow(id, aloud, {
			message: (body) => {
				if (body.type === "phrase")
					hear(id, body);
				else if (body.type === "watchers")
					setWatchers(body.watchers);
				else
					body.type === "thoughts" ? setThoughts(body) : body.type === "play" ? take(body) : receive(body);
			},
			error: (error) => setState((old) => ({ ...old, error })),
		});
	}, [id, aloud]);
	return { ...state, thoughts, receive };
}
