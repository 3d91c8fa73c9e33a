// support.mjs - what the browser tests share: the real server, browsers for its players, the board as a listener hears it.
// SPDX-License-Identifier: MIT
//
// QUEVEDO: the program (default: build/quevedo); QUEVEDO_MODULES: the folder with playwright-core and axe-core
// (default: web/node_modules); CHROMIUM, FIREFOX: the browsers (default: Debian's).
//
// `make soak` runs the tests in other places (tests/soak/page_matrix.mjs): QUEVEDO_BROWSER=firefox, QUEVEDO_WIDTH=phone and
// QUEVEDO_SCHEME=dark replace Chromium, a desk and light colours, except where a step chooses for itself. QUEVEDO_FULL=1 adds
// the long samples.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const quevedo = process.env.QUEVEDO ?? join(root, "build/quevedo");
const modules = resolve(process.env.QUEVEDO_MODULES ?? join(root, "web/node_modules"));
export const pageFolder = resolve(modules, "../out"); // the built page
const require = createRequire(join(modules, "any.js"));
export const PATIENCE = 30000; // ms until something that must happen counts as missing

export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 320, height: 640 };
const USUAL_PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export const isFirefox = process.env.QUEVEDO_BROWSER === "firefox";
export const onPhone = process.env.QUEVEDO_WIDTH === "phone";
export const isFull = Boolean(process.env.QUEVEDO_FULL);
const scheme = process.env.QUEVEDO_SCHEME ?? "light";
/* The first one has no windows, and takes half the processor time. */
const chromiums = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** For a step: what Firefox, as playwright-core drives it, cannot do. */
export const notInFirefox = (what) => ({ skip: isFirefox && `playwright-core cannot ${what} in Firefox` });
/** For a step that tests what only a wide page has. */
export const notOnPhone = (why) => ({ skip: onPhone && why });

// ---- Waiting ----

/** Asks until it gets something truthy; says the last refusal when patience ends. */
export async function until(what, ask, patience = PATIENCE) {
	const end = Date.now() + patience;
	let last, pause = 20;
	for (;;) {
		try {
			const found = await ask();
			if (found)
				return found;
			last = found;
		} catch (error) {
			last = error;
		}
		if (Date.now() > end)
			throw new Error(`waited in vain for ${what}: ${last?.stack ?? last}`);
		await new Promise((next) => setTimeout(next, pause));
		pause = Math.min(1.3 * pause, 100);
	}
}

/** Waits until so many elements are there. */
export async function countIs(locator, wanted, what = "") {
	let found = 0;
	await until("elements", async () => (found = await locator.count()) === wanted).catch(() => assert.equal(found, wanted, what || String(locator)));
}

/** Shows a panel of the analysis board. */
export async function openTab(page, name) {
	await page.getByRole("tab", { name, exact: true }).click();
}

// ---- The server ----

export class Server {
	/** options: more words for the command line. */
	constructor(options = []) {
		this.data = mkdtempSync(join(tmpdir(), "quevedo-web-"));
		this.options = options;
		this.port = 0;
		this.child = null;
	}

	async start() {
		const child = spawn(quevedo, ["serve", "--port", String(this.port), "--data", this.data, "--json",
			...(this.options.includes("--per-address") ? [] : ["--per-address", "100"]), ...this.options], { stdio: ["ignore", "pipe", "pipe"] });
		this.child = child;
		let complaint = "";
		child.stderr.on("data", (text) => (complaint += text));
		const line = await new Promise((found, failed) => {
			createInterface({ input: child.stdout }).once("line", found);
			child.once("error", failed);
			child.once("exit", (code) => failed(new Error(`the server ended with ${code}: ${complaint}`)));
		});
		this.url = JSON.parse(line).url.replace(/\/$/, "");
		this.imcs = JSON.parse(line).imcs; // "host:port", with --imcs
		this.port = Number(new URL(this.url).port);
		this.complaint = () => complaint;
		return this;
	}

	/** Ends it; the signal decides how politely. */
	async end(signal = "SIGTERM") {
		const { child } = this;
		if (!child || child.exitCode !== null || child.signalCode !== null)
			return;
		const gone = new Promise((done) => child.once("exit", done));
		child.kill(signal);
		await gone;
	}

	async kill() {
		await this.end("SIGKILL");
	}

	async stop() {
		const { child } = this;
		await this.end();
		rmSync(this.data, { recursive: true, force: true });
		assert.equal(child?.signalCode ?? null, null, `the server left by a signal: ${this.complaint?.()}`);
		assert.equal(child?.exitCode ?? 0, 0, `the server failed: ${this.complaint?.()}`);
	}

	async get(path) {
		const answer = await fetch(this.url + path);
		assert.equal(answer.status, 200, `GET ${path}: ${answer.status}`);
		return answer.json();
	}
}

// ---- Browsers ----

/** A person with a browser of their own: cookies, storage, one or more tabs. */
export class Player {
	constructor(world, context) {
		this.world = world;
		this.context = context;
	}

	/** Changes the defaults of the settings in every page from now on. What the page has stored itself stays. */
	async useSettings(defaults) {
		await this.context.addInitScript((chosen) => {
			if (location.protocol.startsWith("http"))
				localStorage["quevedo.settings"] = JSON.stringify({ ...chosen, ...JSON.parse(localStorage["quevedo.settings"] ?? "{}") });
		}, defaults);
		return this;
	}

	useServerEngine() {
		return this.useSettings({ engine: "server" });
	}

	/** A new tab; whatever goes wrong in it fails the test. */
	async tab(path) {
		const page = await this.context.newPage();
		page.setDefaultTimeout(PATIENCE);
		page.on("console", (message) => message.type() === "error" && this.world.fault(`console: ${message.text()}`, message.location()?.url));
		page.on("pageerror", (error) => this.world.fault(`page: ${error.stack ?? error}`));
		if (isFirefox)
			await keepDownloads(page);
		if (path)
			await page.goto(this.world.server.url + path);
		return page;
	}

	async ask(method, path, body) {
		const { url } = this.world.server;
		const answer = await this.context.request.fetch(url + path, {
			method, headers: { origin: url, ...(body ? { "content-type": "application/json" } : {}) },
			...(body ? { data: JSON.stringify(body) } : {}),
		});
		const text = await answer.text();
		return { status: answer.status(), body: text ? JSON.parse(text) : null };
	}

	async get(path) {
		const { status, body } = await this.ask("GET", path);
		assert.equal(status, 200, `GET ${path}: ${status} ${JSON.stringify(body)}`);
		return body;
	}

	/** Makes a play and opens it, in a new tab unless a page is given. */
	async play(request, page) {
		const { status, body } = await this.ask("POST", "/api/v1/plays", request);
		assert.equal(status, 201, JSON.stringify(body));
		page ??= await this.tab();
		await page.goto(`${this.world.server.url}/play/${body.id}`);
		await board(page).waitFor();
		return { page, id: body.id };
	}
}

export class World {
	/** stays: what is kept from one step to the next. */
	constructor(server, browser, stays = {}) {
		this.server = server;
		this.browser = browser;
		this.stays = stays;
		this.faults = [];
		this.allowed = [];
		this.boards = new Map();
	}

	/** Console errors that match are part of the test from now on: browsers report each refused request. */
	allow(pattern) {
		this.allowed.push(pattern);
	}

	fault(text, where = "") {
		const full = `${text} ${where}`;
		if (!this.allowed.some((pattern) => pattern.test(full)))
			this.faults.push(full);
	}

	noFaults() {
		assert.deepEqual(this.faults.splice(0), [], "the page reported errors");
	}

	/**
	 * Without the service worker, which would store the engine in every new context. Computers reply at once, and a forced pass waits
	 * for the test, unless other settings are given.
	 */
	async player({ settings = {}, ...options } = {}) {
		const context = await (await this.browserFor(options)).newContext(place({ serviceWorkers: "block", ...options }));
		await context.addInitScript(() => document.addEventListener("securitypolicyviolation",
			(event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)));
		return new Player(this, context).useSettings({ ...settings, instant: settings.instant ?? true, autopass: settings.autopass ?? false });
	}

	/**
	 * The player and the page that all steps of a file share: a new page takes five times as much processor time as a new address.
	 * What a step stores in it, the next one finds.
	 */
	async regular() {
		this.stays.player ??= await this.player();
		this.stays.player.world = this;
		this.stays.page ??= await this.stays.player.tab();
		if (isFirefox) // where a page behind another window hears nothing of its focus
			await this.stays.page.bringToFront();
		return this.stays;
	}

	/** The shared page at an address. */
	async visit(path) {
		const { page } = await this.regular();
		await page.goto(this.server.url + path);
		return page;
	}

	/** A play on the shared page. */
	async play(request) {
		const { player, page } = await this.regular();
		return player.play(request, page);
	}

	/** Firefox has one motion and one scheme for all contexts: a step with others gets a browser of its own. */
	async browserFor({ reducedMotion, colorScheme }) {
		const preferences = { motion: reducedMotion === "no-preference", dark: (colorScheme ?? scheme) === "dark" };
		if (!isFirefox || !preferences.motion && preferences.dark === (scheme === "dark"))
			return this.browser;
		this.stays.other = await launch(preferences);
		return this.stays.other;
	}

	/** The board of a game as the server describes it; the page puts the levels of 3D noughts one below the other. */
	async boardOf(game) {
		if (!this.boards.has(game)) {
			const layout = await this.server.get(`/api/v1/boards?game=${encodeURIComponent(game)}`);
			if (game.startsWith("noughts3d"))
				layout.cells.forEach((one, i) => Object.assign(one, { row: i >> 2, column: i & 3 }));
			this.boards.set(game, layout);
		}
		return this.boards.get(game);
	}
}

/** The options of a context: those of a step, else those of the place where the tests run. */
export function place(options = {}) {
	const size = onPhone && !options.viewport ? USUAL_PHONE : { viewport: DESK };
	const all = { ...size, reducedMotion: "reduce", colorScheme: scheme, ...options };
	if (isFirefox) // its preferences choose colours and motion; it has no touch
		for (const name of ["reducedMotion", "colorScheme", "hasTouch", "isMobile"])
			delete all[name];
	return all;
}

/** preferences: of Firefox only. */
export function launch({ motion = false, dark = scheme === "dark" } = {}) {
	const { chromium, firefox } = require("playwright-core");
	if (!isFirefox)
		return chromium.launch({ executablePath: process.env.CHROMIUM ?? chromiums.find(existsSync) });
	return firefox.launch({
		channel: "moz-firefox", executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
		firefoxUserPrefs: {
			"ui.systemUsesDarkTheme": dark ? 1 : 0, "ui.prefersReducedMotion": motion ? 0 : 1,
			"ui.useOverlayScrollbars": 1, // as on phones, and in Chromium without windows
		},
	});
}

/** playwright-core does not notice that Firefox saves a file which the page has made: the page keeps it instead. */
async function keepDownloads(page) {
	await page.addInitScript(() => {
		const blobs = new Map(), make = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
		globalThis.saved = [];
		URL.createObjectURL = (blob) => {
			const url = make(blob);
			blobs.set(url, blob);
			return url;
		};
		HTMLAnchorElement.prototype.click = function () {
			if (this.download)
				globalThis.saved.push({ name: this.download, blob: blobs.get(this.href) });
			else
				click.call(this);
		};
	});
	const wait = page.waitForEvent.bind(page);
	page.waitForEvent = async (event, ...more) => {
		if (event !== "download")
			return wait(event, ...more);
		const { name, bytes } = await until("a download", () => page.evaluate(async () => {
			const file = globalThis.saved.shift();
			return file && { name: file.name, bytes: [...new Uint8Array(await file.blob.arrayBuffer())] };
		}));
		const path = join(mkdtempSync(join(tmpdir(), "quevedo-saved-")), "file");
		process.on("exit", () => rmSync(dirname(path), { recursive: true, force: true }));
		writeFileSync(path, Buffer.from(bytes));
		return { suggestedFilename: () => name, path: async () => path };
	};
}

export function axeSource() {
	return readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
}

/** axe-core finds nothing on the page. */
export async function noViolations(page, what) {
	if (!await page.evaluate(() => "axe" in window))
		await page.evaluate(axeSource());
	const violations = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations);
	assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`), [], what);
}

/** Waits until the service worker has everything that the games need. */
export async function keepsAll(page) {
	const manifest = join(pageFolder, "engine/manifest.json");
	if (!existsSync(manifest))
		return; // built without the engine: there is nothing to keep
	const { core, data } = JSON.parse(readFileSync(manifest, "utf8"));
	await until("everything to be kept", () => page.evaluate(async (files) => {
		const found = await Promise.all(files.map((file) => caches.match(new URL(`/${file}`, location.href), { ignoreVary: true })));
		return found.every((one) => one);
	}, [core, ...Object.values(data)]), 4 * PATIENCE);
}

/* The browser that the files of one process share. */
let kept = null;

export async function keepBrowser() {
	return kept = await launch();
}

/** A browser for this use: the one that is kept, else a new one. Nothing is left open in it. */
export async function withBrowser(use) {
	const browser = kept?.isConnected() ? kept : await launch();
	try {
		await use(browser);
	} finally {
		await (browser === kept ? closeAll(browser.contexts()) : closed(browser));
	}
}

async function closeAll(contexts) {
	for (const context of contexts)
		await context.close();
}

/** Firefox may never say that it has ended: then the test ends it with itself. */
async function closed(browser) {
	if (!isFirefox)
		return browser.close();
	await Promise.race([browser.close(), new Promise((done) => setTimeout(done, PATIENCE / 3).unref())]);
	setTimeout(() => process.exit(), PATIENCE / 3).unref();
}

/** One server and one browser for all steps of a file. steps: [name, async (world) => ..., { skip: the reason }]. */
export function acceptance(name, options, steps) {
	test(name, async (t) => {
		assert.ok(existsSync(quevedo), `${quevedo} is not built`);
		const server = await new Server(typeof options === "function" ? options() : options).start();
		const stays = {};
		try {
			await withBrowser(async (browser) => {
				for (const [what, step, { skip = false } = {}] of steps)
					await t.test(what, { skip }, async () => {
						const world = new World(server, browser, stays);
						try {
							await step(world);
							world.noFaults();
						} finally {
							await closeAll(browser.contexts().filter((context) => context !== stays.player?.context));
							await stays.other?.close();
							delete stays.other;
						}
					});
			});
		} finally {
			await server.stop();
		}
	});
}

// ---- The board ----

export function board(page) {
	return page.getByRole("grid");
}

function literal(text) {
	return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** On a phone on its side: the board has most of the height below the header, the controls are in the window, and nothing is wider. */
export async function besideBoard(page, what, controls) {
	const before = page.viewportSize(), size = { width: 844, height: 390 };
	const isInside = (box) => box && box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height;
	await page.setViewportSize(size);
	await page.evaluate(() => scrollTo(0, 0));
	let seen = "";
	await until(`${what} on its side`, async () => {
		const header = await page.locator("header.top").boundingBox(), shown = await board(page).boundingBox();
		const boxes = await Promise.all(controls.map((one) => one.first().boundingBox())), wide = await page.evaluate(() => document.documentElement.scrollWidth);
		seen = JSON.stringify({ header, shown, boxes, wide });
		return isInside(shown) && shown.height >= 0.85 * (size.height - header.height) && boxes.every(isInside) && wide <= size.width;
	}).catch((error) => assert.fail(`${error.message}: ${seen}`));
	await page.setViewportSize(before);
}

export function cell(page, name) {
	return board(page).getByRole("gridcell", { name: new RegExp(`^(point )?${literal(name)}, `) });
}

/** What stands on each cell in words: the test's own reading of the server's data. */
export function wordsOf(layout, view) {
	const standing = new Map(view.standing.map(([at, piece, count]) => [at, [piece, count]]));
	return layout.cells.map(({ name: written }, i) => {
		const name = /^backgammon\b/.test(layout.game) && /^\d+$/.test(written) ? `point ${written}` : written;
		const [piece, count] = standing.get(i) ?? [-1, 0];
		if (!count)
			return `${name}, empty`;
		const { name: kind } = layout.pieces[piece];
		return `${name}, ${count === 1 ? kind : kind.endsWith("man") ? `${count} ${kind.slice(0, -3)}men` : `${count} ${kind}s`}`;
	});
}

const EXTRA = /^(selected|can be (played|reached)|last move|marked|in check|in a full row|forbidden|(wins|loses|draws|unknown)( in \d+)?)$/;

/** What is said of each cell: {words, extras}. */
export async function heard(page) {
	const labels = await board(page).getByRole("gridcell").evaluateAll((cells) => cells.map((one) => one.getAttribute("aria-label")));
	return labels.map((label) => {
		const parts = label.split(", ");
		let end = parts.findIndex((part) => EXTRA.test(part));
		if (end < 0)
			end = parts.length;
		return { words: parts.slice(0, end).join(", "), extras: parts.slice(end) };
	});
}

/** The accessible text of the board is that of the view; marks and the last move too. */
export async function checkBoard(world, page, view) {
	const layout = await world.boardOf(view.game);
	const said = await heard(page);
	assert.deepEqual(said.map(({ words }) => words).sort(), wordsOf(layout, view).sort());
	const withExtra = (...some) => said.filter(({ extras }) => some.some((extra) => extras.includes(extra))).map(({ words }) => words).sort();
	const named = (cells) => [...new Set(cells)].map((i) => wordsOf(layout, view)[i]).sort();
	assert.deepEqual(withExtra("last move"), named(view.last?.touches ?? []), "the last move");
	assert.deepEqual(withExtra("marked", "in check"), named(view.marks), "the marks");
	return said;
}

/** Waits until the page shows the position that the server has. Gives the play. */
export async function inStep(world, page, id, ready = () => true) {
	return until("the page to show the position", async () => {
		const play = await world.server.get(`/api/v1/plays/${id}`).catch(() => null) ?? await ownView(page, id);
		if (!ready(play))
			return null;
		await checkBoard(world, page, play.view);
		return play;
	});
}

function ownView(page, id) {
	return page.evaluate(async (path) => (await fetch(path)).json(), `/api/v1/plays/${id}`);
}

/** A small generator, so that a failing game can be played again. */
export function dealer(seed) {
	let state = seed >>> 0;
	return (below) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

// ---- Controls ----

/** A control of a game: a button or a link, or an item of the menu, which is opened for it. */
export async function control(page, name) {
	const controls = page.getByRole("group", { name: "Game controls" });
	await controls.waitFor();
	const shown = controls.locator(".control").getByText(name, { exact: true }).locator("..");
	if (await shown.count())
		return shown;
	const menu = page.getByRole("menu", { name: "More" });
	if (!await menu.count())
		await controls.getByRole("button", { name: "More", exact: true }).click();
	return menu.locator("[role^=menuitem]").filter({ has: page.getByText(name, { exact: true }) }); // some say why they cannot be used
}

/** Chooses by a label; the button itself cannot be seen. */
export async function choose(page, radio) {
	const button = page.getByRole("radio", radio);
	await button.locator("xpath=..").click();
	assert.ok(await button.isChecked());
}

// ---- Hands ----

/** A finger; Firefox has the mouse only. */
export function tap(locator) {
	return isFirefox ? locator.click() : locator.tap();
}

export const mouse = {
	async cell(page, layout, at) {
		await cell(page, layout.cells[at].name).click();
	},
	async button(page, name, group) {
		await page.getByRole("group", { name: group }).getByRole("button", { name, exact: true }).click();
	},
};

/** What has the focus: its role and name, as they are read. */
export function focused(page) {
	return page.evaluate(() => {
		const one = document.activeElement;
		const label = one.getAttribute("aria-label") ?? (one.labels?.[0] ?? one).textContent ?? "";
		const group = one.closest("[role=group]")?.getAttribute("aria-label") ?? "";
		const fieldset = one.closest("fieldset")?.querySelector("legend")?.textContent ?? "";
		return { role: one.getAttribute("role") ?? one.type ?? one.tagName.toLowerCase(), name: label.trim(), group, fieldset };
	});
}

/** Presses Tab, or the key back, until the focus is where it is wanted. */
export async function tabTo(page, what, wanted, key = "Tab") {
	for (let i = 0; i < 120; i++) {
		const now = await focused(page);
		if (wanted(now))
			return now;
		await page.keyboard.press(key);
	}
	throw new Error(`no Tab leads to ${what}`);
}

/** The arrow that leads nearer, and how often: first to the row, then along it. */
function keysTo(layout, from, to, turned) {
	const down = from.row !== to.row;
	const places = down ? layout.cells.map(({ row }) => row) : layout.cells.filter(({ row }) => row === to.row).map(({ column }) => column);
	const order = [...new Set(places)].sort((a, b) => a - b);
	const way = order.indexOf(down ? to.row : to.column) - order.indexOf(down ? from.row : from.column);
	const onward = (way > 0) !== turned;
	return [down ? (onward ? "ArrowDown" : "ArrowUp") : (onward ? "ArrowRight" : "ArrowLeft"), Math.abs(way)];
}

export function keyboard({ turned = false, toBoard = "Shift+Tab" } = {}) {
	return {
		async cell(page, layout, at) {
			const place = (name) => layout.cells.findIndex((one) => name.replace(/^point /, "").startsWith(`${one.name}, `));
			const { name } = await tabTo(page, "the board", ({ role }) => role === "gridcell", toBoard);
			const to = layout.cells[at];
			let from = place(name);
			for (let i = 0; i < 20 && from !== at; i++) {
				const [key, times] = keysTo(layout, layout.cells[from], to, turned);
				for (let n = 0; n < times; n++)
					await page.keyboard.press(key);
				from = place((await focused(page)).name);
			}
			assert.equal(from, at, `the arrows do not lead to ${to.name}`);
			await page.keyboard.press("Enter");
		},
		async button(page, name, group) {
			const back = await page.evaluate((label) => {
				const there = [...document.querySelectorAll("[role=group]")].find((one) => one.getAttribute("aria-label") === label);
				return there && document.activeElement.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_PRECEDING;
			}, group);
			await tabTo(page, `the button ${name}`, (now) => now.role === "button" && now.name === name && now.group === group, back ? "Shift+Tab" : "Tab");
			/* A button that was pressed before keeps the focus while it cannot be pressed. */
			await until(`the button ${name} to be enabled`, () => page.evaluate(() => !document.activeElement.matches(":disabled, [aria-disabled=true]")));
			await page.keyboard.press("Enter");
		},
	};
}

/** Enters one move with these hands: its cells, or its button. */
export async function enter(world, page, hands, view, move) {
	const layout = await world.boardOf(view.game);
	for (const at of move.clicks)
		await hands.cell(page, layout, at);
	const rivals = view.moves.filter((other) => other.clicks.join() === move.clicks.join());
	if (!move.clicks.length || rivals.length > 1)
		await hands.button(page, move.move, "Moves to choose from");
}

/** Plays a game to its end: my moves by these hands, all checked against the server's position. Gives the play. */
export async function playOut(world, page, id, hands, choose, most = 400) {
	for (let ply = 0; ply < most; ply++) {
		const play = await inStep(world, page, id, ({ result, view, seats }) => result ||
			(view.seat === 0 ? true : seats[view.seat - 1].kind === "person"));
		if (play.result)
			return play;
		if (play.view.seat === 0 && play.dice.mode === "server") {
			/* Before a computer the server itself rolls soon: whoever comes later is refused. */
			if (play.seats[play.view.turn - 1].kind === "person") {
				await page.locator(".promise").getByText(play.dice.commit.slice(0, 16)).waitFor({ state: "attached" });
				await hands.button(page, "Roll", "Dice");
			}
		} else
			await enter(world, page, hands, play.view, play.view.moves[choose(play.view.moves.length)]);
		await until("the move to be taken", async () => (await world.server.get(`/api/v1/plays/${id}`)).version > play.version);
	}
	throw new Error("the game does not end");
}
