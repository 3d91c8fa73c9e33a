// usePlay.ts - follows a play: first the whole play, then the changes of each move.
// SPDX-License-Identifier: MIT
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { get, type RequestError } from "../api";
import { follow } from "../socket";
import type { LineMove, MoveMessage, Play, PlayMessage, ThoughtsMessage } from "../types";

export interface PlayStream {
	play: Play | null;
	at: number; // performance.now() at the last message, for the clocks
	error: RequestError | null;
	thoughts: ThoughtsMessage | null; // the last ones of a computer
	/** Handles a response to a move or an action. It is the same as the message of the stream, but often sooner. */
	receive(message: PlayMessage): void;
}

function shortOf({ short }: LineMove): { short?: string } {
	return short === undefined ? {} : { short };
}

/** Applies a move message; null if messages are missing and the whole play must be loaded. */
export function applyMove(play: Play, message: MoveMessage): Play | null {
	if (message.version !== play.version + 1)
		return message.version <= play.version ? play : null;
	const tree = message.node < play.tree.length ? play.tree
		: [...play.tree, { ...shortOf(message.move), parent: play.cursor, move: message.move.move }];
	const { version, view, redo, clocks, dice, luck, thinking, result, reason } = message;
	return {
		...play, version, view, redo, clocks, dice, luck, thinking, result, reason, tree,
		cursor: message.node, line: [...play.line, message.move],
	};
}

/** aloud: with the thoughts of computers. */
export function usePlay(id: string, aloud: boolean): PlayStream {
	const [state, setState] = useState<Omit<PlayStream, "receive" | "thoughts">>({ play: null, at: 0, error: null });
	const [thoughts, setThoughts] = useState<ThoughtsMessage | null>(null);
	const now = useRef<Play | null>(null);
	const path = `/api/v1/plays/${encodeURIComponent(id)}`;

	const take = useCallback((play: Play) => {
		now.current = play;
		setState({ play, at: performance.now(), error: null });
	}, []);

	const receive = useCallback((message: PlayMessage) => {
		const before = now.current;
		if (message.type === "play")
			return !before || message.version >= before.version ? take(message) : undefined;
		const next = before && applyMove(before, message);
		if (next && next !== before)
			take(next);
		else if (!next)
			get<Play>(path).then((play) => now.current === before && take(play)).catch(() => {});
	}, [path]);

	useEffect(() => {
		now.current = null;
		setThoughts(null);
		return follow<PlayMessage | ThoughtsMessage>(`${path}/events${aloud ? "?thoughts=1" : ""}`, {
			message: (body) => body.type === "thoughts" ? setThoughts(body) : body.type === "play" ? take(body) : receive(body),
			error: (error) => setState((old) => ({ ...old, error })),
		});
	}, [path, aloud]);
	return { ...state, thoughts, receive };
}
