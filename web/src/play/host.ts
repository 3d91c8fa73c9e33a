// host.ts - who keeps a play: the server, or this browser (local.ts).
// SPDX-License-Identifier: MIT
import { get, getText, post, RequestError } from "../api";
import { coreState } from "../engine/core";
import type { Listener } from "../engine/engine";
import { follow } from "../socket";
import type { Action, Created, NewPlay, PhraseMessage, Play, PlayMessage, ThoughtsMessage, WatchersMessage } from "../types";
import { isLocal, localHost } from "./local";

/** turn: the move is that of the computer to move in this turn. ply: the moves before it; so it can be sent again. */
export interface MoveRequest {
	move: string;
	turn?: number;
	ply?: number;
}

export interface PlayHost {
	create(request: NewPlay): Promise<Created>;
	get(id: string): Promise<Play>;
	/** aloud: with the thoughts of computers. Returns a function that ends it. */
	follow(id: string, aloud: boolean, listener: Listener<PlayMessage | ThoughtsMessage | PhraseMessage | WatchersMessage>): () => void;
	move(id: string, request: MoveRequest): Promise<PlayMessage>;
	act(id: string, action: Action): Promise<Play>;
	record(id: string, format: "record" | "pgn"): Promise<string>;
}

function pathOf(id: string): string {
	return `/api/v1/plays/${encodeURIComponent(id)}`;
}

const serverHost: PlayHost = {
	create: (request) => post<Created>("/api/v1/plays", request),
	get: (id) => get<Play>(pathOf(id)),
	follow: (id, aloud, listener) => follow(`${pathOf(id)}/events?people=1${aloud ? "&thoughts=1" : ""}`, listener),
	move: (id, request) => post<PlayMessage>(`${pathOf(id)}/moves`, request),
	act: (id, action) => post<Play>(`${pathOf(id)}/actions`, action),
	record: (id, format) => getText(`${pathOf(id)}/record?format=${format}`),
};

export function hostOf(id: string): PlayHost {
	return STATIC_SITE || isLocal(id) ? localHost : serverHost;
}

/** Without a server, or without a network, this browser keeps the play. */
export async function createPlay(request: NewPlay): Promise<Created> {
	if (STATIC_SITE)
		return localHost.create(request);
	try {
		return await serverHost.create(request);
	} catch (error) {
		const alone = request.seats?.every((seat) => seat !== "open") ?? true;
		if (!(error instanceof RequestError && error.code === "offline" && alone && coreState.get() !== "none"))
			throw error;
		return localHost.create(request);
	}
}
