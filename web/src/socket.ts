// socket.ts - one WebSocket for all streams. It heals by itself: a lost one is opened again, with growing
// pauses, and each stream asks anew. What is on the screen stays there meanwhile.
// SPDX-License-Identifier: MIT
import { errorOf, get, type RequestError } from "./api";
import { createStore } from "./store/store";
import type { SocketAnswer } from "./types";

export type Connection = "idle" | "connecting" | "open" | "lost";

/** For the banner: "lost" means trying again. */
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
	id: number; // on the present socket; 0: not asked yet
	tries: number; // since it last said something
}

const streams = new Set<Stream>();
let socket: WebSocket | null = null;
let nextId = 1;
let failures = 0;
let timer = 0;

function ask(stream: Stream): void {
	if (socket?.readyState !== WebSocket.OPEN)
		return;
	stream.id = nextId++;
	const { id, method, path, body } = stream;
	socket.send(JSON.stringify(body === undefined ? { id, method, path } : { id, method, path, body }));
}

function receive(text: string): void {
	heard = performance.now();
	let answer: SocketAnswer;
	try {
		answer = JSON.parse(text) as SocketAnswer;
	} catch {
		return;
	}
	for (const stream of streams)
		if (stream.id === answer.id)
			return deliver(stream, answer);
}

function deliver(stream: Stream, answer: SocketAnswer): void {
	if (answer.end && isForLater(stream, answer.status))
		askLater(stream);
	else if (answer.end)
		streams.delete(stream);
	if (answer.status >= 400 && streams.has(stream))
		return;
	if (answer.status >= 400)
		return stream.handlers.error?.(errorOf(answer.status, answer.body));
	if (!answer.end)
		stream.tries = 0;
	if (answer.body !== null && answer.body !== undefined)
		stream.handlers.message(answer.body);
	if (answer.end && !streams.has(stream))
		stream.handlers.end?.();
}

/** A stream of news has no end of its own: the server is going down, or too busy just now. */
function isForLater(stream: Stream, status: number): boolean {
	return stream.method === "GET" && (status < 400 || status === 429 || status >= 500);
}

function askLater(stream: Stream): void {
	stream.id = 0;
	const pause = Math.min(30000, 1000 * 2 ** stream.tries++) * (1 + Math.random() / 2);
	window.setTimeout(() => {
		if (streams.has(stream) && !stream.id)
			ask(stream);
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
	/* Half a second at first, ten at most; up to half as much again, so that a class of thirty
	 * does not come back in the same moment. */
	const pause = Math.min(10000, 500 * 2 ** failures++) * (1 + Math.random() / 2);
	timer = window.setTimeout(open, pause);
}

async function open(): Promise<void> {
	clearTimeout(timer);
	if (socket)
		return;
	if (!streams.size)
		return connection.set("idle"); // nobody listens any more: nothing is lost
	if (connection.get() !== "lost")
		connection.set("connecting");
	const protocol = location.protocol === "https:" ? "wss:" : "ws:";
	/* The first answer of HTTP brings the cookie that the socket is opened with. */
	await firstCookie();
	if (socket)
		return;
	const next = new WebSocket(`${protocol}//${location.host}/api/v1/ws`, "quevedo");
	socket = next;
	next.onopen = () => {
		failures = 0;
		heard = performance.now();
		connection.set("open");
		for (const stream of streams)
			ask(stream);
	};
	next.onmessage = (event) => receive(String(event.data));
	next.onclose = () => socket === next && lost();
}

let cookie: Promise<unknown> | null = null;
function firstCookie(): Promise<unknown> {
	cookie ??= get("/api/v1/me").catch(() => (cookie = null));
	return cookie;
}

/* A closing handshake over a dead line can take minutes: it is not waited for. */
function dropSocket(): void {
	const old = socket;
	if (!old)
		return;
	old.onclose = null;
	old.close();
	lost();
}

/* A line can die without a word. After a silence a small question is asked; any answer will do. */
const SILENCE_MS = 25000;
const PATIENCE_MS = 8000;
let heard = 0;
let asked = 0;
window.setInterval(() => {
	if (socket?.readyState !== WebSocket.OPEN)
		return;
	const now = performance.now();
	if (asked > heard && now - asked > PATIENCE_MS)
		return dropSocket();
	if (now - heard < SILENCE_MS || asked > heard)
		return;
	asked = now;
	socket.send(JSON.stringify({ id: nextId++, method: "GET", path: "/api/v1/me" }));
}, 2000);

/** After a change of identity (log in, log out) the socket is opened anew. */
export function reopenSocket(): void {
	socket?.close();
}

/** Follows a stream until it ends or the returned function is called; over every loss of connection. */
export function follow<T>(path: string, handlers: StreamHandlers<T>, body?: unknown): () => void {
	const stream: Stream = {
		method: body === undefined ? "GET" : "POST",
		path, body, id: 0, tries: 0,
		handlers: handlers as StreamHandlers<unknown>,
	};
	streams.add(stream);
	if (socket?.readyState === WebSocket.OPEN)
		ask(stream);
	else
		void open();
	return () => {
		if (!streams.delete(stream) || !stream.id || socket?.readyState !== WebSocket.OPEN)
			return;
		socket.send(JSON.stringify({ id: stream.id, method: "CANCEL" }));
	};
}

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
