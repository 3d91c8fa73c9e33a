// api.ts - requests to the server, each answered once. Streams are in socket.ts.
// SPDX-License-Identifier: MIT
import type { ApiError } from "./types";

/** What the server refused, in its own sentence; status 0: it could not be reached. */
export class RequestError extends Error {
	constructor(readonly status: number, readonly code: string, message: string) {
		super(message);
	}
}

/** Any error as a sentence for people. */
export function sentence(error: unknown): string {
	if (error instanceof RequestError || error instanceof Error)
		return error.message;
	return String(error);
}

export function errorOf(status: number, body: unknown): RequestError {
	const error = (body as ApiError | null)?.error;
	if (error && typeof error.message === "string")
		return new RequestError(status, error.code, error.message);
	return new RequestError(status, "unknown", `The server returned status ${status}.`);
}

async function request(path: string, init: RequestInit): Promise<Response> {
	let answer: Response;
	try {
		answer = await fetch(path, { credentials: "same-origin", ...init });
	} catch (error) {
		if (error instanceof DOMException && error.name === "AbortError")
			throw error;
		throw new RequestError(0, "offline", "Can't reach the server.");
	}
	if (!answer.ok)
		throw errorOf(answer.status, await answer.json().catch(() => null));
	return answer;
}

async function bodyOf<T>(answer: Response): Promise<T> {
	if (answer.status === 204)
		return undefined as T;
	try {
		return (await answer.json()) as T;
	} catch {
		throw new RequestError(answer.status, "unknown", "Couldn't read the server's response.");
	}
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
	return bodyOf<T>(await request(path, signal ? { signal } : {}));
}

export async function getText(path: string): Promise<string> {
	return (await request(path, {})).text();
}

export async function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
	const init: RequestInit = {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify(body),
	};
	return bodyOf<T>(await request(path, signal ? { ...init, signal } : init));
}

// ---- Answers that never change while the page is open ----

const kept = new Map<string, Promise<unknown>>();

/** Like get(), but asks only once for each path. */
export function getOnce<T>(path: string): Promise<T> {
	const old = kept.get(path);
	if (old)
		return old as Promise<T>;
	const answer = get<T>(path);
	kept.set(path, answer);
	answer.catch(() => kept.delete(path));
	return answer;
}
