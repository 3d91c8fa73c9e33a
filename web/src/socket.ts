// socket.ts - one WebSocket for all streams. It reconnects automatically, whatever the reason of its end (a server
// that restarts closes it with 1012), with growing pauses, and requests each stream again. The page keeps showing its data meanwhile.
// SPDX-License-Identifier: MIT
import { errorOf, firstResponse, get, type RequestError } from "./api";
import { pauseBefore } from "./reconnect";
import { createStore } from "./store/store";
import type { SocketResponse } from "./types";

export type Connection = "idle" | "connecting" | "open" | "lost";

/** For the banner: "lost" means reconnecting. */
export const connection = createStore<Connection>("idle");

export interface StreamHandlers<T> {
	message(body: T): void;
	end?(): void;
	error?(error: RequestError): void;
}

interface Stream {
	method: "GET" | "POST";
	path: string;
	body?: unknown;
	handlers: StreamHandlers<unknown>;
	id: number; // on the current socket; 0: not requested yet
	tries: number; // since its last message
}

const streams = new Set<Stream>();
let socket: WebSocket | null = null;
let nextId = 1;
let failures = 0;
let timer = 0;
let watching = false;

function sendRequest(stream: Stream): void {
	if (socket?.readyState !== WebSocket.OPEN)
		return;
	stream.id = nextId++;
	const { id, method, path, body } = stream;
	socket.send(JSON.stringify(body === undefined ? { id, method, path } : { id, method, path, body }));
}

function receive(text: string): void {
	lastReceived = performance.now();
	failures = 0; // not before: a server may accept connections and end them at once
	let response: SocketResponse;
	try {
		response = JSON.parse(text) as SocketResponse;
	} catch {
		return;
	}
	for (const stream of streams)
		if (stream.id === response.id)
			return deliver(stream, response);
}

function deliver(stream: Stream, response: SocketResponse): void {
	if (response.status === 401)
		renewCookie();
	if (response.end && shouldRetry(stream, response.status))
		retryLater(stream, response.status);
	else if (response.end)
		streams.delete(stream);
	if (response.status >= 400 && streams.has(stream))
		return;
	if (response.status >= 400)
		return stream.handlers.error?.(errorOf(response.status, response.body));
	if (!response.end)
		stream.tries = 0;
	if (response.body !== null && response.body !== undefined)
		stream.handlers.message(response.body);
	if (response.end && !streams.has(stream))
		stream.handlers.end?.();
}

/** An event stream never ends by itself: the server is shutting down or overloaded. */
function shouldRetry(stream: Stream, status: number): boolean {
	return stream.method === "GET" && (status < 400 || status === 401 || status === 429 || status >= 500);
}

/** The session has ended elsewhere: an HTTP request gets the cookie of a guest, with which the socket is opened again. */
function renewCookie(): void {
	void get("/api/v1/me").catch(() => {}).then(reopenSocket);
}

/** Soon, because the game may have moved to another server; later if this one is overloaded. */
function retryLater(stream: Stream, status: number): void
{
	stream.id = 0;
	const pause = pauseBefore(stream.tries++ + (status === 429 ? 2 : 0));
	window.setTimeout(() => {
		if (streams.has(stream) && !stream.id)
			sendRequest(stream);
	}, pause);
}

function lost(): void {
	socket = null;
	for (const stream of streams)
		stream.id = 0;
	if (!streams.size) {
		connection.set("idle");
		return;
	}
	connection.set("lost");
	clearTimeout(timer);
	timer = window.setTimeout(open, pauseBefore(failures++));
}

async function open(): Promise<void> {
	clearTimeout(timer);
	if (socket)
		return;
	if (!streams.size)
		return connection.set("idle"); // no stream needs the socket any more
	if (connection.get() !== "lost")
		connection.set("connecting");
	const protocol = location.protocol === "https:" ? "wss:" : "ws:";
	/* The first HTTP response sets the cookie that the socket needs. */
	await (firstResponse() ?? get("/api/v1/me")).catch(() => {});
	if (socket)
		return;
	const next = new WebSocket(`${protocol}//${location.host}/api/v1/ws`, "quevedo");
	socket = next;
	next.onopen = () => {
		lastReceived = performance.now();
		connection.set("open");
		for (const stream of streams)
			sendRequest(stream);
	};
	next.onmessage = (event) => receive(String(event.data));
	next.onclose = () => socket === next && lost();
}

/* Does not wait for the closing handshake, which can take minutes over a dead connection. */
function dropSocket(): void {
	const old = socket;
	if (!old)
		return;
	old.onclose = null;
	old.close();
	lost();
}

/* A connection can die silently. After a period without messages, send a small request; any response will do. */
const SILENCE_MS = 25000;
const PATIENCE_MS = 8000;
let lastReceived = 0;
let lastPing = 0;
function ping(): void {
	if (socket?.readyState !== WebSocket.OPEN)
		return;
	const now = performance.now();
	if (lastPing > lastReceived && now - lastPing > PATIENCE_MS)
		return dropSocket();
	if (now - lastReceived < SILENCE_MS || lastPing > lastReceived)
		return;
	lastPing = now;
	socket.send(JSON.stringify({ id: nextId++, method: "GET", path: "/api/v1/me" }));
}

/** Reconnects after a change of identity (log in, log out). */
export function reopenSocket(): void {
	socket?.close();
}

/** Follows a stream, across reconnections, until it ends or the returned function is called. */
export function follow<T>(path: string, handlers: StreamHandlers<T>, body?: unknown): () => void {
	const stream: Stream = {
		method: body === undefined ? "GET" : "POST",
		path, body, id: 0, tries: 0,
		handlers: handlers as StreamHandlers<unknown>,
	};
	streams.add(stream);
	watchConnection();
	if (socket?.readyState === WebSocket.OPEN)
		sendRequest(stream);
	else
		void open();
	return () => {
		if (!streams.delete(stream) || !stream.id || socket?.readyState !== WebSocket.OPEN)
			return;
		socket.send(JSON.stringify({ id: stream.id, method: "CANCEL" }));
	};
}

function watchConnection(): void {
	if (watching)
		return;
	watching = true;
	window.setInterval(ping, 2000);
	window.addEventListener("online", () => {
		failures = 0;
		if (streams.size)
			void open();
	});
	window.addEventListener("offline", dropSocket);
	document.addEventListener("visibilitychange", () => {
		if (document.visibilityState !== "visible" || !streams.size)
			return;
		failures = 0;
		void open();
	});
}
