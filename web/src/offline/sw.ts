// sw.ts - the service worker: keeps the files of the page and of the engine, so that they work without a network.
// SPDX-License-Identifier: MIT
//
// Every file but the page itself is named after a hash of its contents, so files of two versions cannot be mixed. The page comes from
// the network if there is one, so a new version is used as soon as the page is loaded again. The API is never kept.
import { cacheNames, isOldCache, pathIn, sourceOf, type Kept } from "./plan";

/** What build.mjs fills in. */
declare const KEPT: Kept;

// The types of a service worker contradict those of a page, which this project is checked with.
interface ExtendableEvent extends Event {
	waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
	request: Request;
	respondWith(response: Promise<Response>): void;
}
interface KeepMessage extends ExtendableEvent {
	data: { type: "keep"; files: string[] };
}
interface Scope {
	registration: ServiceWorkerRegistration;
	serviceWorker?: { state: ServiceWorkerState }; // this one; not in Firefox
	clients: { claim(): Promise<void>; matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<unknown[]> };
	skipWaiting(): Promise<void>;
	addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
	addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
	addEventListener(type: "message", listener: (event: KeepMessage) => void): void;
}
const scope = globalThis as unknown as Scope;

const NETWORK_MS = 3000; // how long a page that is kept waits for a newer one
const SETTLED_MS = 5000; // the page that was there before has left by then
const root = scope.registration.scope; // several copies may share one host
const names = cacheNames(root, KEPT.version);

function isKept(file: string): Promise<Response | undefined> {
	return caches.match(new URL(file, root), { ignoreVary: true });
}

// ---- Installing ----

/** Without the lines that the server adds for previews of the link, which depend on the address. */
async function hashOf(response: Response): Promise<string> {
	const text = (await response.text()).replace(/<meta (?:property="og:|name="twitter:)[^\n]*\n/g, "");
	const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
	return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The page of this very version: from the browser's cache, if it was loaded just now, or from the network. */
async function fetchIndex(): Promise<Response> {
	for (const cache of ["force-cache", "reload"] as const) {
		const response = await fetch(root, { cache });
		if (response.ok && await hashOf(response.clone()) === KEPT.index)
			return response;
	}
	throw new Error("the page is of another version");
}

async function fetchWhole(file: string): Promise<Response> {
	const response = await fetch(new URL(file, root));
	if (!response.ok)
		throw new Error(`${file}: status ${response.status}`);
	return response;
}

async function install(): Promise<void> {
	const cache = await caches.open(names.page);
	await cache.put(root, await fetchIndex());
	await Promise.all(KEPT.files.map(async (file) => cache.put(new URL(file, root), await isKept(file) ?? await fetchWhole(file))));
	await scope.skipWaiting();
}

/** Drops files of older versions some time after a page was loaded, unless there is another page that may need them. */
async function dropOld(): Promise<void> {
	const own = scope.registration.active; // pages are loaded through the active worker: this one
	await new Promise((next) => setTimeout(next, SETTLED_MS));
	const open = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
	const { installing, waiting, active } = scope.registration;
	const isActive = scope.serviceWorker ? scope.serviceWorker.state === "activated" : active === own;
	if (open.length > 1 || installing || waiting || !isActive)
		return; // a newer worker has files of its own
	for (const name of await caches.keys())
		if (isOldCache(name, names))
			await caches.delete(name);
	const engine = await caches.open(names.engine);
	for (const request of await engine.keys())
		if (!KEPT.engine.includes(pathIn(root, request.url) ?? ""))
			await engine.delete(request);
}

// ---- Requests ----

async function keptPage(): Promise<Response | undefined> {
	return (await caches.open(names.page)).match(root, { ignoreVary: true });
}

/** A load balancer that has no server at the moment. */
const isAway = (response: Response) => response.status >= 502 && response.status <= 504;

/** The page from the network, or the one that is kept if the network is slow or missing, or the server is away. */
async function page(request: Request): Promise<Response> {
	const fetched = fetch(request);
	fetched.catch(() => {}); // it may fail after the kept one was used
	const slow = new Promise<null>((resolve) => setTimeout(() => resolve(null), NETWORK_MS));
	const response = await Promise.race([fetched, slow]).catch(() => null);
	return response && !isAway(response) ? response : await keptPage() ?? fetched;
}

/** A file whose name contains its hash. */
async function file(path: string, request: Request): Promise<Response> {
	const kept = await isKept(path);
	if (kept)
		return kept;
	const response = await fetch(request);
	if (response.ok && KEPT.engine.includes(path))
		await (await caches.open(names.engine)).put(new URL(path, root), response.clone());
	return response;
}

/** One after another, so that they do not delay what the user does. */
async function keep(files: string[]): Promise<void> {
	const cache = await caches.open(names.engine);
	for (const path of files)
		if (KEPT.engine.includes(path) && !await isKept(path))
			await cache.put(new URL(path, root), await fetchWhole(path));
}

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => {
	event.waitUntil(scope.clients.claim());
	void dropOld(); // requests would wait for it otherwise
});
scope.addEventListener("message", (event) => {
	if (event.data.type === "keep") // first the scripts that the page did not need so far
		event.waitUntil(keep([...KEPT.engine.filter((path) => path.startsWith("assets/")), ...event.data.files]).catch(() => {})); // the next visit tries again
});
scope.addEventListener("fetch", (event) => {
	const { request } = event;
	const path = pathIn(root, request.url);
	const source = path === null || request.method !== "GET" ? "network" : sourceOf(path, request.mode, KEPT);
	if (source === "page") {
		event.respondWith(page(request));
		event.waitUntil(dropOld());
	} else if (source === "file")
		event.respondWith(file(path ?? "", request));
});
