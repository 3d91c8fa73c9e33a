// local.ts - plays that this browser keeps itself: on the static site, and without a network.
// SPDX-License-Identifier: MIT
//
// A worker of its own holds them, with the routes of the server (src/server/wasm/engine.h), and this host does what the server does
// besides: it keeps their lines, lets computers think, and looks again when a clock may run out.
//
// Several tabs may show the same play. Each has an engine of its own. A tab that has saved a change tells the others, which load the
// play again; if two change it at once, the store accepts the first.
import { RequestError } from "../api";
import { loadCore } from "../engine/core";
import type { Listener } from "../engine/engine";
import { t } from "../messages";
import { storedGames } from "../store/games";
import type { Created, Play, PlayMessage, ThoughtsMessage } from "../types";
import type { PlayHost } from "./host";
import { joinLead, type Lead } from "./lead";
import { applyMove } from "./messages";
import { startSearch, waitForMove, type Search, type Think } from "./thinking";

const PREFIX = "local-";

export function isLocal(id: string): boolean {
	return id.startsWith(PREFIX);
}

/** The id of a play that is stored as this id. */
export function localId(stored: string): string {
	return PREFIX + stored;
}

/** The id that the keeper of a play knows it by, which is part of the proof of its dice. */
export function keptId(id: string): string {
	return isLocal(id) ? id.slice(PREFIX.length) : id;
}

/** Its address. */
export function addressOf(stored: string): string {
	return `/play/${encodeURIComponent(localId(stored))}`;
}

/** The search that is due for a computer. */
interface DueThink extends Think {
	turn: number;
	now: boolean; // it has to move at once
}

/** What the engine says before each response about a play. */
interface Kept {
	type: "kept";
	id: string;
	first: number; // the number of the first line
	lines: string[];
	think: DueThink | null;
	due: number | null; // ms
}

interface Room {
	id: string; // the engine's
	lines: string[];
	revision: number; // that this tab has saved or loaded
	saved: string; // its contents
	play: Play | null;
	think: DueThink | null;
	search: (Search & { turn: number; began: number }) | null;
	failed: number; // the turn in which the engine has failed once
	movedAt: number;
	timer: number;
	followers: Set<Listener<PlayMessage | ThoughtsMessage>>;
	lead: Lead | null; // null: nobody looks
	leads: boolean; // this tab thinks for the computers
	turn: Promise<unknown>; // the end of the last request
}

const rooms = new Map<string, Room>();

function roomAt(id: string): Room {
	const old = rooms.get(id);
	if (old)
		return old;
	const room: Room = {
		id, lines: [], revision: 0, saved: "", play: null, think: null, search: null, failed: -1, movedAt: -Infinity, timer: 0,
		followers: new Set(), lead: null, leads: false, turn: Promise.resolve(),
	};
	rooms.set(id, room);
	return room;
}

// ---- Requests to the engine ----

async function send<T>(request: string, body?: unknown): Promise<T> {
	const { plays } = await loadCore();
	return new Promise<T>((resolve, reject) => {
		plays.stream<T | Kept>(request, body, {
			message: (message) => isKept(message) ? keep(message) : resolve(message),
			error: reject,
		});
	});
}

function isKept(message: unknown): message is Kept {
	return (message as Partial<Kept> | null)?.type === "kept";
}

function keep({ id, first, lines, think, due }: Kept): void {
	const room = roomAt(id);
	room.lines.splice(first, room.lines.length, ...lines);
	room.think = think;
	clearTimeout(room.timer);
	if (due !== null && room.followers.size)
		room.timer = window.setTimeout(() => void look(room).catch(() => {}), due + 1);
}

/** A request about a play. The engine may not have it any more, or not yet. */
async function ask<T>(room: Room, request: string, body?: unknown): Promise<T> {
	try {
		return await send<T>(request, body);
	} catch (error) {
		if (!(error instanceof RequestError && error.status === 404))
			throw error;
		await restore(room, error);
		return send<T>(request, body);
	}
}

/** Requests about a play one after another, each with what follows from it. */
function inTurn<T>(room: Room, work: () => Promise<T>): Promise<T> {
	const done = room.turn.then(work);
	room.turn = done.catch(() => {});
	return done;
}

// ---- The store ----

function contentsOf(result: string | null, lines: string[]): string {
	return JSON.stringify([result, lines]);
}

/** Loads a play as it is stored. missing: thrown if it is not. */
async function restore(room: Room, missing: RequestError): Promise<Play> {
	const kept = await storedGames.load(room.id);
	if (!kept)
		throw missing;
	room.search?.stop(); // it may have begun after a move that was refused
	room.search = null;
	room.lines = [...kept.lines];
	room.revision = kept.revision ?? 0;
	room.saved = contentsOf(kept.result, kept.lines);
	return send<Play>("plays/load", { lines: kept.lines });
}

/** False: another tab was faster. */
async function save(room: Room, { game, title, seats, created, result }: Play): Promise<boolean> {
	const lines = [...room.lines], contents = contentsOf(result, lines), revision = room.revision + 1;
	if (contents === room.saved)
		return true;
	const isSaved = await storedGames.save({
		id: room.id, game, title, seats: seats.map(({ kind, name, spec }) => ({ kind, name, spec })), created, updated: Date.now(), result, lines, revision,
	});
	if (isSaved) {
		room.revision = revision;
		room.saved = contents;
		tabs()?.postMessage(room.id);
	}
	return isSaved;
}

let channel: BroadcastChannel | null = null;

/** Tells the other tabs which plays have changed. */
function tabs(): BroadcastChannel | null {
	if (channel || typeof BroadcastChannel !== "function")
		return channel;
	channel = new BroadcastChannel("quevedo games");
	channel.onmessage = ({ data: id }: MessageEvent<string>) => {
		const room = rooms.get(id);
		if (room?.followers.size)
			look(room).catch(() => {});
	};
	return channel;
}

// ---- What the page sees ----

function outside<T extends PlayMessage>(message: T): T {
	const id = PREFIX + message.id;
	if (message.type !== "play")
		return { ...message, id };
	return { ...message, id, url: addressOf(message.id), rematch: message.rematch && PREFIX + message.rematch };
}

/** Takes a response about the play, saves the play and passes the response on. */
async function receive<T extends PlayMessage>(room: Room, response: T): Promise<T> {
	const message = outside(response);
	room.play = message.type === "play" ? message : room.play && applyMove(room.play, message);
	room.play ??= outside(await ask<Play>(room, `plays/${room.id}`));
	const next = room.play.rematch && rooms.get(keptId(room.play.rematch));
	if (next && !next.revision)
		await look(next); // the other tabs go there, too
	if (!await save(room, room.play)) {
		show(room, outside(await restore(room, deleted())));
		throw new RequestError(409, "conflict", t("play.changedElsewhere"));
	}
	show(room, message);
	return message;
}

function show(room: Room, message: PlayMessage): void {
	if (message.type === "play")
		room.play = message;
	for (const follower of room.followers)
		follower.message(message);
	think(room);
}

function deleted(): RequestError {
	return new RequestError(404, "play", t("play.deletedElsewhere"));
}

/** Another tab may have changed it. */
function look(room: Room): Promise<Play> {
	return inTurn(room, async () => {
		const kept = await storedGames.load(room.id);
		const isOld = kept && (kept.revision ?? 0) !== room.revision;
		return receive(room, isOld ? await restore(room, deleted()) : await ask<Play>(room, `plays/${room.id}`));
	});
}

// ---- Computers ----

/** Starts or ends the search that the play needs. It thinks only while somebody looks, and in one tab. */
function think(room: Room): void {
	const { think: due, play, search } = room;
	const isMine = room.followers.size > 0 && room.leads;
	if (search && (search.turn !== due?.turn || !isMine)) {
		search.stop();
		room.search = null;
	}
	if (due && play && isMine && !room.search) {
		const thoughts = (found: ThoughtsMessage) => room.followers.forEach((follower) => follower.message(found));
		room.search = { turn: due.turn, began: performance.now(), ...startSearch(play, due, thoughts, (move) => void moveComputer(room, due.turn, move)) };
	}
	if (due?.now)
		room.search?.hurry();
}

/** move null: the engine has failed. It may try once more, then the computer gives up. */
async function moveComputer(room: Room, turn: number, move: string | null): Promise<void> {
	const { play, search } = room;
	if (move === null && room.failed !== turn) {
		room.failed = turn;
		room.search = null;
		return think(room);
	}
	if (play)
		await waitForMove(play, room.movedAt, search?.began ?? 0);
	if (room.search !== search)
		return;
	room.search = null;
	room.movedAt = performance.now();
	await inTurn(room, async () => receive(room, await ask<Play>(room, `plays/${room.id}/computer`, { turn, move })))
		.catch((error) => console.warn(error)); // another tab may have been faster
}

/** Deletes a play. */
export async function forgetPlay(id: string): Promise<void> {
	rooms.delete(id);
	await storedGames.remove(id);
}

// ---- The host ----

function roomOf(id: string): Room {
	return roomAt(keptId(id));
}

/** What a player does in this tab: a move or an action. */
function request<T extends PlayMessage>(id: string, route: "moves" | "actions", body: unknown): Promise<T> {
	const room = roomOf(id);
	room.lead?.claim();
	return inTurn(room, async () => receive(room, await ask<T>(room, `plays/${room.id}/${route}`, body)));
}

/** Whether this tab thinks for the computers. */
function joinRoom(room: Room): void {
	tabs();
	room.lead = joinLead(`quevedo ${room.id}`, (leads) => {
		room.leads = leads;
		think(room);
	});
}

export const localHost: PlayHost = {
	async create(request) {
		const { engine: _, ...asked } = request; // this host thinks itself
		const made = await send<Created>("plays", asked);
		await look(roomAt(made.id));
		return { ...made, id: PREFIX + made.id, url: addressOf(made.id) };
	},
	get: (id) => look(roomOf(id)),
	follow(id, _aloud, listener) {
		const room = roomOf(id);
		room.followers.add(listener);
		if (!room.lead)
			joinRoom(room);
		look(room).catch((error: unknown) => listener.error?.(error instanceof RequestError ? error : new RequestError(0, "engine", String(error))));
		return () => {
			room.followers.delete(listener);
			if (!room.followers.size) {
				room.lead?.leave();
				room.lead = null;
				room.leads = false;
			}
			think(room);
		};
	},
	move: (id, { ply: _, ...move }) => request<PlayMessage>(id, "moves", move), // nothing is lost on the way
	act: (id, action) => request<Play>(id, "actions", action),
	record: (id, format) => inTurn(roomOf(id), () => ask<string>(roomOf(id), `plays/${roomOf(id).id}/record?format=${format}`)),
};
