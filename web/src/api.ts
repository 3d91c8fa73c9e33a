// api.ts - requests with a single response. Streams are in socket.ts.
// SPDX-License-Identifier: MIT
import { t } from "./messages";
import type { ApiError } from "./types";

/** An error response, with the message of the server; status 0: the server could not be reached. */
export class RequestError extends Error {
	constructor(readonly status: number, readonly code: string, message: string) {
		super(message);
	}
}

/** The message of any error. */
export function sentence(error: unknown): string {
	if (error instanceof RequestError || error instanceof Error)
		return error.message;
	return String(error);
}

/** What the server or the engine reports, as a sentence: without the field before it, and without hints for the command line. */
export function pageWords(message: string): string {
	const text = message.replace(/; 'quevedo [^']*' lists them$/, "").replace(/^-*[a-z]+: /, "")
		.replace(/^game '(.*)': no such game/, (_, name: string) => t("api.noGame", { name }))
		.replace(/\b(?:line \d+: )?move (\d+), '([^']*)': not a legal move here$/, (_, n: string, move: string) => t("api.illegalMoveAt", { n, move }))
		.replace(/\bmove '([^']*)': not a legal move here$/, (_, move: string) => t("api.illegalMove", { move }));
	return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? "" : ".");
}

export function errorOf(status: number, body: unknown): RequestError {
	const error = (body as ApiError | null)?.error;
	if (error && typeof error.message === "string")
		return new RequestError(status, error.code, pageWords(error.message));
	return new RequestError(status, "unknown", t("api.status", { status }));
}

let first: Promise<unknown> | null = null;

/** The first response of the server, which sets the cookie of a new visitor; null: there was no request yet, or it failed. */
export function firstResponse(): Promise<unknown> | null {
	return first;
}

/** If the session has ended the response has a new cookie, and the request is sent once more, as a guest. */
async function request(path: string, init: RequestInit, isAgain = false): Promise<Response> {
	let response: Response;
	try {
		const sent = fetch(path, { credentials: "same-origin", ...init });
		first ??= sent;
		response = await sent;
	} catch (error) {
		first = null;
		if (error instanceof DOMException && error.name === "AbortError")
			throw error;
		throw new RequestError(0, "offline", t("api.unreachable"));
	}
	if (response.ok)
		return response;
	const body: unknown = await response.json().catch(() => null);
	if (response.status === 401 && !isAgain && (body as ApiError | null)?.error?.message?.startsWith("session: "))
		return request(path, init, true);
	throw errorOf(response.status, body);
}

async function bodyOf<T>(response: Response): Promise<T> {
	if (response.status === 204)
		return undefined as T;
	try {
		return (await response.json()) as T;
	} catch {
		throw new RequestError(response.status, "unknown", t("api.unreadable"));
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
