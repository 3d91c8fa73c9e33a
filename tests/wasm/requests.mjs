// requests.mjs - the requests that compare.mjs and browser.mjs send to the engine for browsers: some to every game, with all it can do.
// SPDX-License-Identifier: MIT

// Instead of random bytes: the same in each run, as in lines.c.
export function repeatableBytes() {
	let state = 0;
	return (bytes) => bytes.forEach((_, i) => (bytes[i] = (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 24));
}

// A response without the times that a clock has measured, and without the reason why a text is not JSON: a native program has jansson's.
export function comparable(text) {
	const timeless = text.replace(/(\\?"(?:created|seconds|time|due)\\?":)[-0-9.e]+/g, "$1T").replace(/invalid JSON.*/, "invalid JSON");
	// In PGN the times move the ends of the lines.
	return timeless.includes("[%emt") ? timeless.replace(/\{\[%emt [^\]]*\]\}/g, "").replace(/(\\n| )+/g, " ") : timeless;
}

// Plies of perft that take a moment; the others have 3.
const depths = { noughts: 8, hexapawn: 10, connect4: 6, draughts: 6, reversi: 6, gomoku: 2, backgammon: 2, starchess: 2 };

// Texts that are or are not JSON.
const texts = [
	'{"game":"\\u006eoughts","moves":[ "5" , "\\u0031" ]}', '{"game":"noughts","moves":["\\ud83d\\ude00\\t\\u00e9"]}',
	'{"game":"noughts","game":"noughts"}', '{"game":"noughts"} ', '{"game":"noughts"}x', '{"game":"noughts",}', '{"game":"noughts"',
	'{"game":noughts}', '{"game":"noughts","seat":1e2}', '{"game":"noughts","seat":01}', '{"game":"noughts","seat":-0}',
	'{"game":"noughts","seat":99999999999999999999}', '{"game":"noughts","book":null,"notions":true,"position":null}', '[]', '{}', '"x"',
	'{"game":"noughts","moves":[[]]}', '{"game":"\\ud800"}', '{"game":"\\u0000"}', '{"game":"a\\qb"}', "[".repeat(3000), '{"a":1.5e999}',
];

// The levels of a game that need no more than a moment.
function quickLevels({ ladders }) {
	return ladders.flatMap(({ levels }) => levels).filter(({ player }) => !/\bnodes=\d{6}/.test(player)).map(({ spec }) => spec);
}

// [[request, body, fails], ...]; body undefined: a GET; fails: the engine refuses it. The engine, of which nothing else was requested,
// plays games to get there.
export async function makeRequests(engine) {
	const requests = [];
	const add = (request, body) => requests.push([request, body, false]);
	const addRefused = (request, body) => requests.push([request, body, true]);
	const { ask } = engine;
	let random = 1;

	// A position some random moves after the start, where a player is to move.
	async function midGame(game, plies) {
		const moves = [];
		for (;;) {
			const view = await ask("positions", { game, moves });
			const legal = view.moves.map((m) => m.move);
			if (view.result || !legal.length) return [];
			if (moves.length >= plies && view.seat) return moves;
			random = (random * 1103515245 + 12345) % 2147483648;
			moves.push(legal[random % legal.length]);
		}
	}

	// Sends a request now, too: one that creates or changes a game, so that later ones find the same ids and dice, or one that the engine
	// may refuse. Resolves with the response (null: refused), and with what the host has to do.
	async function act(request, body) {
		let kept = { lines: [] };
		const response = await ask(request, body, (message) => (kept = message)).catch(() => null);
		requests.push([request, body, response === null]);
		return { response, kept };
	}

	// Some turns of a game in progress, an undo and its end; then the game again from its lines.
	async function playGame(game) {
		const { response: { id }, kept: { lines } } = await act("plays", { game, seats: ["human", "level:1"], name: "Ada" });
		for (let turn = 0; turn < 6; turn++) {
			const { response: play, kept } = await act(`plays/${id}`);
			lines.push(...kept.lines);
			const at = { game, position: play.start, moves: play.line.map((one) => one.move) };
			let next = null;
			if (kept.think) {
				const { response } = await act("move", { ...at, player: kept.think.player, seed: turn });
				next = await act(`plays/${id}/computer`, { turn: kept.think.turn, move: response.move });
			} else if (play.view.seat === 1) {
				next = await act(`plays/${id}/moves`, { move: play.view.moves[0].move });
			} else if (kept.due !== null) {
				next = await act(`plays/${id}/actions`, { action: "throw", seed: `seed ${turn}` });
			}
			lines.push(...(next?.kept.lines ?? []));
		}
		addRefused(`plays/${id}/moves`, { move: "nowhere" });
		lines.push(...(await act(`plays/${id}/actions`, { action: "undo" })).kept.lines);
		lines.push(...(await act(`plays/${id}/actions`, { action: "resign" })).kept.lines);
		const { response: record } = await act(`plays/${id}/record`);
		await act(`plays/${id}/record?format=pgn`);
		await act("records", { record });
		await act("plays/load", { lines });
		await act(`plays/${id}/actions`, { action: "rematch" });
	}

	add("games");
	add("history");
	add("gallery");
	addRefused("boards?game=nothing");
	addRefused("positions", { game: "chess", moves: ["e2e5"] });
	addRefused("positions", { game: "chess", moves: ["e2e4", 'a"\\\u00e9\u4e2d\n'] });
	addRefused("positions", { game: "chess", unknown: 1.5e300 });
	for (const facts of await ask("games")) {
		const { name: game, seats, chance, exact } = facts;
		await act(`boards?game=${game}`);
		await act(`openings?game=${game}`);
		const moves = await midGame(game, 7);
		const at = { game, moves };
		add("positions", { ...at, notions: true, book: true, course: true });
		add("evaluation", at);
		add("perft", { game, depth: depths[game] ?? 3 });
		add("perft", { ...at, depth: 2 });
		for (const player of quickLevels(facts)) add("move", { ...at, player, seed: 7, book: true });
		add("move", { ...at, player: "mcts:playouts=300", seed: 3 });
		const search = chance ? "expectimax" : seats === 2 ? "negascout" : "maxn";
		add("move", { game, moves: await midGame(game, 0), player: `${search}:nodes=5000,book=none` });
		add("analysis", { ...at, player: `${search}:nodes=20000`, lines: 3 });
		add("trace", { ...at, player: `${search}:depth=2`, nodes: 50 });
		const { response: log } = await act("trace", { ...at, player: `${search}:depth=2`, nodes: 80, log: true });
		for (const visit of [0, 1, 2, 40]) await act("trace/words", { id: log?.id ?? 0, visit });
		if (exact) add("solve", { ...at, nodes: 20000 });
	}
	// What the data of the games is for: nets, patterns, tables, books.
	add("analysis", { game: "chess", player: "selective:quiet=1,eval=net,nodes=20000" });
	add("analysis", { game: "reversi", player: "negascout:nodes=50000" });
	add("solve", { game: "connect4", moves: [], distance: true });
	add("solve", { game: "chess", position: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1" });
	add("move", { game: "chess", player: "level:6", book: true });
	add("values", { game: "noughts" });
	add("luck", { game: "backgammon", moves: await midGame("backgammon", 9) });
	add("review", { game: "connect4", moves: await midGame("connect4", 12) });
	add("review", { game: "chess", moves: await midGame("chess", 8) });
	// The laboratory.
	for (const [game, moves] of [["noughts", ["5"]], ["race", ["roll 6"]], ["starchess", []]])
		await act("trace", { game, moves, player: "mcts:playouts=40", log: true });
	for (const game of ["hexapawn", "noughts", "connect4", "minichess", "diagram"]) add("proof", { game, nodes: 3000, steps: 300 });
	addRefused("proof", { game: "race", moves: ["roll 6"] });
	for (const at of [{ game: "hexapawn" }, { game: "noughts" }, { game: "chess", space: "krk" }]) {
		add("wave", at);
		for (const index of [0, 5, 20]) add("wave/position", { ...at, wave: 3, index });
	}
	addRefused("wave", { game: "chess" });
	addRefused("wave/position", { game: "hexapawn", wave: 99 });
	for (const request of ["learn", "boxes"]) {
		add(request, { games: 30, seed: 4, seat: 2 });
		add(request, { game: "noughts", games: 20, opponent: "random" });
		addRefused(request, { game: "backgammon" });
	}
	add("td", { games: 200, every: 50, test: 20, seed: 3 });
	addRefused("td", { games: 0 });
	for (const position of ["K7/R7/8/8/8/1k6/8/8 w - - 0 1", "8/8/8/4K3/R7/5k2/8/8 w - - 0 1"]) add("machine", { position });
	addRefused("machine", { position: "8/8/8/4K3/8/5k2/8/8 w - - 0 1" });
	add("mask", { game: "starchess", player: "mask:turns=2", nodes: 200 });
	addRefused("mask", { game: "chess" });
	await act("records", { record: '[Event "A"]\n[White "Ada"]\n\n1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 1-0\n' });
	await act("records", { record: '[GameType "21"]\n\n1. 11-15 23-19 2. 8-11 2-0\n' });
	await act("records", { record: "nothing" });
	const watched = { game: "noughts", player: "alphabeta:depth=3,killers=2", log: true };
	for (let i = 0; i < 5; i++) await act("trace", watched); // ids count the logs, so each must be made here, too
	const { response: last } = await act("trace", watched);
	for (let visit = 0; visit < 20; visit++) add("trace/words", { id: last.id, visit });
	addRefused("trace/words", { id: last.id - 4, visit: 0 });
	addRefused("trace/words", { id: last.id, visit: last.kept });
	addRefused("trace/words", { visit: 0 });
	await act("trace", { game: "noughts", moves: ["5", "1", "9"], player: "perfect", log: true });
	addRefused("plays/nothing");
	for (const game of ["noughts", "chess", "race", "backgammon"]) await playGame(game);
	// More games than the engine keeps in memory, and one of them again.
	const { response: first } = await act("plays", { game: "noughts", seats: ["human", "human"] });
	for (let i = 0; i < 20; i++) add("plays", { game: "hexapawn" });
	addRefused(`plays/${first.id}`);
	for (const json of texts) await act("positions", json);
	return requests;
}

// The responses of an engine, as lines.c prints them: "STATUS TEXT".
export async function runRequests(engine, requests) {
	const responses = [];
	for (const [request, body, fails] of requests) {
		for (let tries = 0; ; tries++) {
			const messages = [];
			const last = engine.run(request, body, (message) => messages.push(`200 ${message}`));
			const missing = /"data: (\S+) is not loaded"/.exec(last.text);
			if (missing && tries < 4) {
				await engine.prepare(missing[1]);
				continue;
			}
			if (last.status >= 400 !== fails)
				throw new Error(`${request} ${JSON.stringify(body)}: status ${last.status}: ${last.text.slice(0, 200)}`);
			responses.push(...messages, `${last.status} ${last.text.replaceAll("\n", "\\n")}`);
			break;
		}
	}
	return responses;
}
