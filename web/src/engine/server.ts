// server.ts - the engine of the server.
// SPDX-License-Identifier: MIT
import { get, post } from "../api";
import { follow } from "../socket";
import type { Engine } from "./engine";

export const serverEngine: Engine = {
	request: <T>(request: string, body: unknown) =>
		body === undefined ? get<T>(`/api/v1/${request}`) : post<T>(`/api/v1/${request}`, body),
	/* Over the socket, where a request can be cancelled at once. */
	stream: (request, body, listener) => follow(`/api/v1/${request}`, listener, body),
};
