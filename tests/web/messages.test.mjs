// messages.test.mjs - every text of the page comes from the message file: a page whose messages stand between brackets has no other text.
// SPDX-License-Identifier: MIT
//
// web/test/messages.test.ts looks for texts in the sources; this test sees what they become. It visits a few pages; QUEVEDO_MESSAGES: all,
// or the rooms whose names contain this. QUEVEDO_WASM: the engine for browsers, as tools/wasm.cmake builds it (default: build/wasm).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { acceptance, board, pageFolder, PATIENCE, quevedo, root, until } from "./support.mjs";

const wanted = process.env.QUEVEDO_MESSAGES ?? (process.env.QUEVEDO_FULL && "all");
const wasm = process.env.QUEVEDO_WASM ?? join(root, "build/wasm");
const folder = mkdtempSync(join(tmpdir(), "quevedo-messages-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/* Parts of the page whose texts are still to be moved to the message file. */
const PENDING = [];

/* What is shown inside these is no message. */
const ALLOWED = [
	"code, pre, textarea, input", // commands, positions, records
	".history", // who invented what, from the engine
	".lesson-idea, .lesson-keys dt, .lesson-question option", // a lesson, the words of its format, and moves to choose from
	".lab-words, .lab-rules, .lab-box-board", // the engine in the browser tells about a node, its rules, and a position
	".notions tbody", // features of a position, from the engine
].join();

/* Names of the program, of people and of file formats; and the words of moves, beside a number or a square. */
const NAMES = /^(quevedo|guest|ana|bo|pgn|pdn|png|svg|gif|json|csv)$/;
const MOVES = /^(roll|move|build|scrap|colonize|terraform|end)$/;

// ---- Texts of the engine and of the content files ----

/* Of its data only what is made to be read. */
const READ = new Set(["title", "name", "by", "about", "help", "text", "note", "who", "when", "work", "here", "choices", "opening", "towards", "words", "message"]);

const LIST = /, |; |: | - | \(|\)/;

/** Texts that are allowed as they are, and all of them in one string, where longer texts may be part of a sentence. */
class Vocabulary {
	words = new Set();
	prose = "";
	filled = []; // texts in which the page fills in values

	add(text) {
		const plain = simple(text);
		if (this.words.has(plain))
			return;
		this.words.add(plain);
		this.prose += `${plain}\n`;
	}

	/** The strings of a response that are made to be read. */
	addResponse(value, key = "") {
		if (typeof value === "string" && READ.has(key))
			[value, ...value.split(key === "help" ? /\n|: / : LIST)].forEach((part) => this.add(part));
		else if (value && typeof value === "object")
			for (const [name, inner] of Object.entries(value))
				this.addResponse(inner, Array.isArray(value) ? key : name);
	}

	/** JSON, in one or more lines. */
	addLines(text) {
		for (const line of text.split("\n"))
			if (/^[[{]/.test(line))
				this.addResponse(JSON.parse(line));
	}

	/** "key: value", continued on indented lines. */
	addFile(path) {
		for (const line of readFileSync(path, "utf8").replace(/\n[ \t]+/g, " ").split("\n"))
			for (const part of [line.replace(/^\w+: /, ""), ...line.replace(/^\w+: /, "").split(" = ")]) {
				this.add(part);
				if (/\{.*\w+ \w+ \w+|\w+ \w+ \w+.*\{/.test(part.replace(/\{[^}]*\}/g, "{")))
					this.filled.push(new RegExp(`^${literal(part)}$`, "i"));
			}
	}

	/** Lists of what is allowed are allowed. */
	has(text) {
		return this.hasOne(text) || this.filled.some((one) => one.test(text)) || text.split(LIST).every((part) => this.hasOne(part));
	}

	hasOne(text) {
		const plain = simple(text).replace(/^\d+ /, "");
		return this.words.has(plain) || (plain.split(" ").length >= 3 && this.prose.includes(plain)) || plain.split(" ").every((word) => isShort(word) || (MOVES.test(word) && /\d/.test(plain)));
	}
}

/** Moves, squares and numbers: words with a digit, single letters and names. */
function isShort(word) {
	return /\d/.test(word) || !/\p{L}{2}/u.test(word) || NAMES.test(word);
}

/** As a regular expression, where {words} stands for anything. */
function literal(text) {
	return text.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+")).join(".*");
}

/** Without case, and without what stands around the words. */
function simple(text) {
	return text.toLowerCase().replace(/\s+/g, " ").replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, "");
}

async function vocabulary(server) {
	const found = new Vocabulary();
	const games = await server.get("/api/v1/games");
	found.addResponse(games);
	found.addResponse(await server.get("/api/v1/history"));
	["Chrome, Linux", "Firefox, Linux"].forEach((label) => found.add(label)); // of sessions
	await Promise.all(games.map(async ({ name, board: hasBoard, book }) => {
		const layout = hasBoard ? await server.get(`/api/v1/boards?game=${name}`) : null;
		found.addResponse(layout);
		for (const piece of layout?.pieces ?? []) // sides are called like their pieces
			[`${piece.name}s`, piece.name.replace(/man$/, "men"), ...piece.name.split(" ")].forEach((word) => found.add(word));
		if (book)
			found.addResponse(await server.get(`/api/v1/openings?game=${name}`));
	}));
	for (const kind of ["learn", "lessons", "puzzles"])
		for (const name of readdirSync(join(root, "web", kind)))
			found.addFile(join(root, "web", kind, name));
	return found;
}

// ---- The page ----

function buildPage() {
	const { status, stderr } = spawnSync(process.execPath, [join(pageFolder, "../build.mjs"), folder, `--engine=${wasm}`, "--language=pseudo"], { encoding: "utf8" });
	assert.equal(status, 0, stderr);
}

/** The server's index.html gets the scripts of the folder. (A page that is not from the server could not open its socket.) */
function replaceScripts(context) {
	const built = readdirSync(join(folder, "assets"));
	const app = built.find((name) => /^app-.*\.js$/.test(name));
	return context.route(/\/assets\/[^/]+\.(js|css)$/, (route) => {
		const name = basename(new URL(route.request().url()).pathname);
		const file = /^app-.*\.js$/.test(name) ? app : name;
		return built.includes(file) ? route.fulfill({ path: join(folder, "assets", file) }) : route.continue();
	});
}

/** In the page: what is read and stands outside of the brackets, each with its place; and values that are missing in messages. */
function outside({ allowed, pending }) {
	const found = [];
	const ATTRIBUTES = ["aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "title", "placeholder", "alt", "label"];
	const place = (element) => {
		const names = [];
		for (let one = element; one && one !== document.body && names.length < 4; one = one.parentElement)
			names.unshift(one.localName + (one.getAttribute("class") ? `.${one.getAttribute("class").trim().split(/\s+/).join(".")}` : ""));
		return names.join(" > ");
	};
	/** The depth after the text. */
	const read = (text, depth, element, kind) => {
		let outer = "";
		for (const char of text) {
			if (char === "⟧")
				depth--;
			outer += char === "⟦" || char === "⟧" || depth > 0 ? "\n" : char;
			if (char === "⟦")
				depth++;
		}
		const unfilled = /\{\w+\}|\[object Object\]|\bundefined\b|\bNaN\b/.exec(text)?.[0];
		if (unfilled)
			found.push({ text: unfilled, whole: text, place: `${kind}${place(element)}`, fault: true });
		for (const part of outer.split(/\n| · | – /))
			if (/\p{L}/u.test(part))
				found.push({ text: part.trim(), whole: text, place: `${kind}${place(element)}` });
		return depth;
	};
	const walk = (element, depth) => {
		if (element.matches(allowed) || (pending && element.matches(pending)) || /^(script|style|noscript)$/.test(element.localName))
			return;
		for (const name of ATTRIBUTES)
			if (element.hasAttribute(name))
				read(element.getAttribute(name), 0, element, `${name} of `);
		for (const node of element.childNodes)
			if (node.nodeType === Node.TEXT_NODE)
				depth = read(node.data, depth, element, "");
			else if (node.nodeType === Node.ELEMENT_NODE)
				walk(node, depth);
	};
	read(document.title, 0, document.documentElement, "the title of ");
	walk(document.body, 0);
	return found;
}

/** The engine's errors are in English: "Line 1: ...". */
function isError({ text, place }) {
	return /\.failure|\.toast/.test(place) && /^[a-z][^:]*:/i.test(text);
}

/** Visits pages and collects what is wrong on them. */
class Visitor {
	constructor(world, player, page, texts) {
		Object.assign(this, { world, player, page, texts, found: new Map(), coming: [] });
	}

	static async start(world, texts) {
		const player = await world.player({ settings: { engine: "server" } }); // so that the responses of the engine are seen
		await replaceScripts(player.context);
		world.allow(/the server responded with a status of 4/); // some visits are refused
		const visitor = new Visitor(world, player, await player.tab(), texts);
		/* Not of streams that are cut off: they would never be complete. */
		visitor.page.on("requestfinished", (request) => /\/api\//.test(request.url()) && visitor.coming.push(
			request.response().then((response) => response.text()).then((text) => texts.addLines(text), () => {})));
		visitor.page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => texts.addLines(String(payload))));
		return visitor;
	}

	/** Opens an address and reads it. */
	async visit(path) {
		await this.page.goto("about:blank");
		await this.page.goto(this.world.server.url + path);
		await this.page.locator("main h1, main [role=grid], main h2").first().waitFor();
		await this.read(path);
	}

	/** What is on the page now. */
	async read(what) {
		await until(`${what} to be loaded`, async () => await this.page.getByText("Loading…").count() === 0);
		await Promise.all(this.coming.splice(0));
		const isForeign = (one) => one.fault || !(this.texts.has(one.text) || isError(one));
		const foreign = (await this.page.evaluate(outside, { allowed: ALLOWED, pending: PENDING.join() })).filter(isForeign);
		await until("the responses, which the page may show before they are reported here", async () => {
			await Promise.all(this.coming.splice(0));
			return !foreign.some(isForeign);
		}, PATIENCE / 3).catch(() => {});
		for (const one of foreign.filter(isForeign))
			this.found.set(`${one.text} | ${one.place}`, this.found.get(`${one.text} | ${one.place}`) ?? `${what}: "${one.text}" in ${one.place}`);
	}

	/** A button, link, tab, option or summary with these words, the first one. */
	async click(words) {
		const name = new RegExp(words), { page } = this;
		await page.getByRole("button", { name }).or(page.getByRole("link", { name })).or(page.getByRole("tab", { name }))
			.or(page.locator("[role^=menuitem], summary, label:has([type=radio])", { hasText: name })).first().click();
	}

	async act(words) {
		await this.click(words);
		await this.read(`after ${words}`);
	}

	/** A control of a game, which may be in its menu. */
	async control(words) {
		if (!await this.page.getByRole("button", { name: new RegExp(words) }).count())
			await this.click("^⟦?More");
		await this.act(words);
	}

	/** Makes a game and reads its page; gives its id. */
	async play(request) {
		const { status, body } = await this.player.ask("POST", "/api/v1/plays", request);
		assert.equal(status, 201, JSON.stringify(body));
		await this.visit(`/play/${body.id}`);
		return body.id;
	}

	/** Types a move, once the one before has been sent. */
	async move(text) {
		await this.page.locator(".move-field button[type=submit]:not([aria-disabled=true])").waitFor();
		const field = this.page.locator(".move-field input, form.typed input, input[aria-label*='Type a move']").first();
		await field.fill(text);
		await field.press("Enter");
	}

	end() {
		if (this.found.size)
			assert.fail(["texts that do not come from the message file:", ...this.found.values()].join("\n"));
	}
}

// ---- The visits ----

let texts = null;
const steps = [];

/** The usual ones are part of `make test`. */
function room(name, isUsual, step) {
	if (wanted ? wanted === "all" || name.includes(wanted) : isUsual)
		steps.push([name, async (world) => {
			texts ??= await vocabulary(world.server);
			const visitor = await Visitor.start(world, texts);
			await step(visitor, visitor.page);
			visitor.end();
		}]);
}

room("the first page, help and settings", true, async (visitor) => {
	await visitor.visit("/");
	await visitor.visit("/help");
	await visitor.visit("/settings");
});

room("a game that ends", true, async (visitor, page) => {
	await visitor.play({ game: "connect4", seats: ["human", "human"], moves: ["4", "1", "4", "1", "4"] });
	await visitor.act("^⟦?More");
	await page.keyboard.press("Escape");
	await visitor.move("1");
	await visitor.move("4");
	await visitor.read("the end");
	await visitor.act("Share");
});

room("account", false, async (visitor, page) => {
	await visitor.visit("/settings");
	await page.locator("input[autocomplete=username]").fill("ana");
	await page.locator("input[type=password]").fill("password of Ana");
	await visitor.act("Create account");
	await page.getByRole("button", { name: /Log out/ }).waitFor();
	await visitor.visit("/account");
	await visitor.act("Create a token");
	await page.getByRole("button", { name: /Revoke/ }).waitFor();
	await visitor.visit("/settings");
	await visitor.act("Log out");
	for (const game of await page.locator("select").first().locator("option").evaluateAll((options) => options.map(({ value }) => value))) {
		await page.locator("select").first().selectOption(game);
		await visitor.read(`the look of ${game}`);
	}
});

room("addresses that lead nowhere", false, async (visitor) => {
	for (const path of ["/nowhere", "/play/none", "/play/local-none", "/games/none", "/watch/none", "/learn/none", "/lessons/none", "/puzzles/none", "/edit?game=none", "/review/none",
		"/lessons/shared#none", "/study/none", "/study/shared#none", "/analyse?game=chess&position=none", "/edit?game=chess&position=none", "/lab?game=none"])
		await visitor.visit(path);
});

room("new games", false, async (visitor, page) => {
	for (const { name } of await visitor.world.server.get("/api/v1/games"))
		await visitor.visit(`/games/${name}`);
	await visitor.visit("/games/starchess");
	await visitor.act("Custom");
	await visitor.visit("/games/chess");
	for (const words of ["Watch two computers", "Pass and play", "A friend", "Anyone", "⟦?Computer", "Custom position", "⟦?Opening⟧?$"])
		await visitor.act(words);
	for (const kind of ["days", "game"]) {
		await page.locator(".time-control select").selectOption(kind);
		await visitor.read(`a clock of ${kind}`);
	}
	await page.locator("textarea").last().fill('[Event "A"]\n\n1. e4 *\n\n[Event "B"]\n\n1. d4 *\n');
	await visitor.read("two games to import");
	await page.locator("textarea").last().fill("nonsense");
	await visitor.act("^⟦?Analyse⟧?$");
	await page.getByRole("alert").waitFor();
	await visitor.read("a record that cannot be read");
});

room("games", false, async (visitor, page) => {
	const games = await visitor.world.server.get("/api/v1/games");
	for (const { name, seats } of games) {
		await visitor.play({ game: name, seats: ["human", ...Array.from({ length: seats - 1 }, () => "level:1")] });
		await page.keyboard.press("t"); // theory
		await page.keyboard.press("h");
		await visitor.read(`a hint in ${name}`);
	}
	await visitor.play({ game: "chess", seats: ["human", "level:2"], clock: "5m", moves: ["e4"] });
	for (const words of ["⟦?Hint", "Board and pieces", "⟦?Close", "⟦?Export", "⟦?Close", "⟦?Share", "⟦?Close", "Zen mode", "Leave zen", "⟦?Resign", "Yes, resign"])
		await visitor.control(words);
	await visitor.act("⟦?Rematch");
	for (const [game, moves] of [["noughts", ["5", "1"]], ["gomoku:opening=swap2", []], ["draughts", []], ["backgammon:match=3", []], ["warptrog", []], ["race", []]]) {
		const id = await visitor.play({ game, seats: ["human", "human"], moves });
		const { view } = await visitor.world.server.get(`/api/v1/plays/${id}`);
		await page.keyboard.press("r");
		await board(page).getByRole("gridcell").first().click();
		if (view.moves[0])
			await visitor.move(view.moves[0].move);
		await visitor.move("nonsense");
		await visitor.read(`a move in ${game}`);
		await visitor.control("⟦?Undo");
		await visitor.act("⟦?More");
	}
	await visitor.play({ game: "noughts", seats: ["human", "human"], moves: ["1", "2", "5", "3"] });
	await visitor.control("⟦?Values");
	await visitor.move("9");
	await visitor.read("the end of noughts and crosses");
	await visitor.play({ game: "noughts", seats: ["human", "open"] });
	await visitor.act("⟦?More");
});

room("star chess", false, async (visitor, page) => {
	await visitor.play({ game: "starchess:seed=3", seats: ["human", "level:1", "level:1", "level:1"] });
	for (const sector of await board(page).getByRole("gridcell").all()) {
		await sector.click();
		await visitor.read("a sector");
		await page.keyboard.press("Escape");
	}
	for (const words of ["⟦?Rules", "⟦?Close", "⟦?History", "⟦?Thinking", "⟦?Resources", "⟦?End turn"])
		await visitor.act(words);
	await visitor.play({ game: "starchess:limit=1", seats: ["human", "human", "human", "human"], moves: ["end", "end", "end"] });
	await visitor.act("End turn");
});

room("people", false, async (visitor) => {
	const { player } = visitor;
	await player.ask("POST", "/api/v1/plays", { game: "chess", seats: ["human", "open"], clock: "5m+3s" });
	await player.ask("POST", "/api/v1/plays", { game: "reversi", seats: ["human", "human"] });
	await player.ask("POST", "/api/v1/plays", { game: "noughts", seats: ["human", "level:1"] });
	for (const path of ["/lobby", "/", "/my-games"])
		await visitor.visit(path);
	const other = await visitor.world.player();
	const { body } = await player.ask("POST", "/api/v1/plays", { game: "chess", seats: ["human", "open"] });
	await visitor.visit(`/play/${body.id}`);
	await other.ask("POST", `/api/v1/plays/${body.id}/actions`, { action: "join", name: "Bo" });
	await until("the guest", async () => /Bo/.test(await visitor.page.locator("main").textContent()));
	await visitor.read("with a guest");
	await visitor.act("Draw");
	await visitor.act("⟦?Yes, offer a draw");
	for (const kind of ["rematch", "undo", "draw"]) {
		await other.ask("POST", `/api/v1/plays/${body.id}/actions`, { action: "offer", kind });
		await visitor.read(`an offer: ${kind}`);
	}
	await visitor.visit("/my-games");
});

room("matches", false, async (visitor) => {
	await visitor.visit("/watch");
	await visitor.visit("/watch/Ana");
	await visitor.act("Go to the start");
});

room("analysis", false, async (visitor, page) => {
	for (const game of ["chess", "backgammon", "reversi", "connect4", "starchess", "race"]) {
		await visitor.visit(`/analyse?game=${game}`);
		for (const key of ["e", "t", "v", "x"])
			await page.keyboard.press(key);
		for (const tab of await page.getByRole("tab").all()) {
			await tab.click();
			await visitor.read(`${await tab.textContent()} of ${game}`);
		}
	}
	await visitor.visit("/analyse?game=chess&moves=e4,e5,Nf3");
	for (const words of ["⟦?Graph", "Analyse whole game", "⟦?Actions", "⟦?Import", "⟦?Close", "⟦?Export", "⟦?Close"])
		await visitor.act(words);
	await visitor.visit("/analyse?game=backgammon&moves=roll%2031");
	await visitor.act("Luck|⟦?Show");
	for (const game of ["chess", "noughts", "draughts", "starchess", "backgammon"])
		await visitor.visit(`/edit?game=${game}`);
	await visitor.act("Clear board");
	await visitor.visit("/train?game=chess");
	await visitor.act("⟦?Hint");
	await visitor.move("a3");
	await visitor.read("a move that is not in the book");
});

room("studies", false, async (visitor, page) => {
	await visitor.visit("/study");
	await visitor.act("New study");
	await page.locator("dialog input").first().fill("Ana");
	await visitor.act("⟦?Create⟧?$");
	await board(page).waitFor();
	for (const words of ["Draw arrows", "Add chapter", "⟦?Close", "Share link"])
		await visitor.act(words);
	await visitor.visit("/study");
	await visitor.act("⟦?Delete");
});

room("reviews", false, async (visitor) => {
	await visitor.visit("/review?game=connect4&moves=4,1,4,1,4,1,7,1");
	await visitor.page.getByRole("table").first().waitFor();
	await visitor.read("a review");
	for (const words of ["Learn from", "Show the best move", "Finish"])
		await visitor.act(words);
	await visitor.visit("/review?game=backgammon&moves=roll%2031,8%2F5%206%2F5");
});

room("puzzles", false, async (visitor) => {
	await visitor.visit("/puzzles");
	for (const path of ["connect4", "noughts?daily=1", "chess", "draughts", "reversi"]) {
		await visitor.visit(`/puzzles/${path}`);
		await visitor.act("⟦?Hint");
		await visitor.act("Show the solution");
	}
	await visitor.visit("/puzzles/noughts?ladder=1");
	await visitor.move("1");
	await visitor.read("a move on the ladder");
});

room("learning", false, async (visitor) => {
	await visitor.visit("/learn");
	for (const name of readdirSync(join(root, "web/learn")).map((file) => file.replace(".txt", "")))
		await visitor.visit(`/learn/${name}`);
	await visitor.visit("/learn/hexapawn?step=6");
	await visitor.act("^⟦?Skip⟧?$");
});

room("lessons", false, async (visitor, page) => {
	for (const path of ["", "/write", "/teacher", "/04-two-plies?projector=1", "/shared"])
		await visitor.visit(`/lessons${path}`);
	for (const name of readdirSync(join(root, "web/lessons")).map((file) => file.replace(".txt", ""))) {
		await visitor.visit(`/lessons/${name}`);
		await visitor.act("Give me a hint");
	}
	await page.goto(`${visitor.world.server.url}/lessons/write`);
	await visitor.act("Test it");
	await page.getByRole("textbox").first().fill("title: x");
	await visitor.read("a lesson with errors");
});

room("the laboratory", false, async (visitor, page) => {
	for (const query of ["", "?game=race&player=expectimax:depth=3,star=1", "?game=starchess&player=maxn:depth=1&at=end", "?game=connect4&player=mcts:playouts=60&at=end",
		"?game=diagram&player=minimax:depth=2&position=A(3,5)%20B(2,9)", "?game=chess&player=negascout:depth=2"]) {
		await visitor.visit(`/lab${query}`);
		await page.locator("canvas").first().waitFor();
		for (const words of ["First step", "Next cut-off|Last step", "⟦?Text⟧?$"])
			await visitor.act(words);
	}
	for (const words of ["Your own tree", "The book's diagrams", "Check all", "Other methods"])
		await visitor.act(words);
	for (const method of await page.locator(".lab nav button, .lab [role=group] button").filter({ hasText: /\p{L}/u }).allTextContents())
		await visitor.act(method.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
});

buildPage();
acceptance("messages", () => {
	if (!wanted)
		return [];
	const matches = join(folder, "matches");
	mkdirSync(matches);
	const made = spawnSync(quevedo, ["match", "connect4", "--games", "4", "--journal", join(matches, "Ana"), "--player", "Ana=level:1", "--player", "Bo=level:2"]);
	assert.equal(made.status, 0, String(made.stderr));
	return ["--matches", matches];
}, steps);
