// learn.test.ts - unit tests of the first steps: the parser, and every step of every game on the real engine.
// SPDX-License-Identifier: MIT
//
// QUEVEDO_ENGINE: the folder of the built engine (run.mjs). Without it the steps are only read.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import assert from "node:assert/strict";
import texts from "learn:all";
import { createEngine } from "../engine/host.mjs";
import { holdAll, judge, matchesMove, type Tried } from "../src/learn/check";
import { conditionOf, parseFirstSteps, type Scene, type Step } from "../src/learn/parse";
import { LessonError } from "../src/lessons/entries";
import type { Board, Game, Move, View } from "../src/types";

const STEP = `step: One
say: A pawn moves forward.
task: Move a pawn.
accept: any
right: Good.
`;
const SMALL = `game: hexapawn\nabout: Small.\nfinish: Done.\n${STEP.repeat(5)}picture: The start.\ndots: a1\n`;

function refused(text: string, why: RegExp): void {
	assert.throws(() => parseFirstSteps(text, "x.txt"), (error: unknown) => error instanceof LessonError && why.test(error.message), String(why));
}

test("first steps are read, and a fault is reported with its file and line", () => {
	const { game, steps, pictures } = parseFirstSteps(SMALL, "x.txt");
	assert.deepEqual([game, steps.length, pictures[0]?.dots], ["hexapawn", 5, "a1"]);
	refused(SMALL.replace("about: Small.\n", ""), /^x\.txt:1: about: missing/);
	refused(SMALL.replace("task: Move a pawn.\n", ""), /^x\.txt:4: task: missing/);
	refused(SMALL.replace("accept: any", "accept: a1-a2"), /^x\.txt:4: hint: missing/);
	refused(SMALL.replace("accept: any\n", ""), /^x\.txt:4: accept: missing/);
	refused(SMALL.replace("say: A pawn", "say: One. Two. A pawn"), /^x\.txt:5: say: 3 sentences/);
	refused(SMALL.replace(STEP, ""), /4 steps; a game has 5 to 12/);
	refused(SMALL.replace("dots: a1", "hint: a1"), /hint: not a key of a picture/);
});

test("conditions", () => {
	refused(SMALL.replace("accept: any", "accept: safe"), /safe and forced are for claims/);
	assert.deepEqual(conditionOf("from e2"), { kind: "from", cell: "e2" });
	assert.deepEqual(conditionOf("e8 = white queen"), { kind: "holds", cell: "e8", piece: "white queen" });
	assert.deepEqual(conditionOf("8/5 6/5"), { kind: "move", pattern: "8/5 6/5" });
	assert.ok(matchesMove("build A1 ...", "build A1 5") && !matchesMove("build A1 ...", "build B1 5") && !matchesMove("6/off", "6/offx"));
	assert.ok(matchesMove("move B1 A2 20+", "move B1 A2 20") && !matchesMove("move B1 A2 20+", "move B1 A2 9") && !matchesMove("move B1 A2 20+", "move B1 C2 30"));
});

// ---- The texts, on the real engine ----

const folder = process.env["QUEVEDO_ENGINE"] ?? "";
const hasEngine = existsSync(join(folder, "manifest.json"));

let compiled: Promise<WebAssembly.Module> | undefined; // once for all games

async function openEngine() {
	const { core, data } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as { core: string; data: Record<string, string> };
	const bytes = (path: string) => new Uint8Array(readFileSync(join(folder, "..", path)));
	const engine = await createEngine(await (compiled ??= WebAssembly.compile(bytes(core))), (game: string) => data[game] ? bytes(data[game]) : null);
	const ask = <T>(route: string, body?: object) => engine.ask(route, body) as Promise<T>;
	return {
		ask, board: (game: string) => ask<Board>(`boards?game=${game}`),
		view: (game: string, { position, moves }: Scene, more: string[] = []) => ask<View>("positions", { game, position, moves: [...moves, ...more] }),
	};
}

type Engine = Awaited<ReturnType<typeof openEngine>>;

/** A move with a count stands for one move for each number. */
function eachCount({ move, max }: Move): string[] {
	return max ? Array.from({ length: max }, (_, i) => move.replace(/\d+$/, String(i + 1))) : [move];
}

/** Every legal move, with the position after it if a condition looks at it. */
async function allTried(engine: Engine, game: string, { scene, accepts, claims }: Step): Promise<Tried[]> {
	const board = await engine.board(game), before = await engine.view(game, scene);
	const looksAhead = [...accepts, ...claims].flat().some(({ kind }) => !["any", "from", "to", "move"].includes(kind));
	assert.ok(!before.over && before.seat > 0, "nobody is to move");
	return Promise.all(before.moves.flatMap(eachCount).map(async (move) => ({ board, move, before, after: looksAhead ? await engine.view(game, scene, [move]) : before })));
}

/** Whether the side to move can win at once. */
async function canWin(engine: Engine, game: string, scene: Scene, moves: string[]): Promise<boolean> {
	const view = await engine.view(game, scene, moves);
	for (const { move } of view.moves)
		if ((await engine.view(game, scene, [...moves, move])).result === `win ${view.seat}`)
			return true;
	return false;
}

/** The claims that look further ahead. */
async function foresees(engine: Engine, game: string, { scene, claims }: Step, { move, after }: Tried): Promise<boolean> {
	const kinds = claims.flat().map(({ kind }) => kind);
	if (kinds.includes("safe") && await canWin(engine, game, scene, [move]))
		return false;
	for (const reply of kinds.includes("forced") ? after.moves : [])
		if (!await canWin(engine, game, scene, [move, reply.move]))
			return false;
	return true;
}

/** What is wrong with a step; empty: nothing. */
async function faultsOf(engine: Engine, game: string, step: Step): Promise<string[]> {
	const faults: string[] = [];
	const tried = await allTried(engine, game, step);
	const right = tried.filter((one) => judge(step, one).kind === "right"), wrong = tried.filter((one) => judge(step, one).kind === "wrong");
	if (!right.length)
		faults.push(`no legal move is accepted; legal: ${tried.map(({ move }) => move).join(", ").slice(0, 300)}`);
	for (const condition of step.accepts.flat()) {
		if (condition.kind === "move" && !tried.some(({ move }) => matchesMove(condition.pattern, move)))
			faults.push(`${condition.pattern} is not legal; legal: ${tried.map(({ move }) => move).join(", ").slice(0, 300)}`);
		if ((condition.kind === "from" || condition.kind === "to" || condition.kind === "holds") && !tried[0]?.board.cells.some(({ name }) => name === condition.cell))
			faults.push(`there is no cell ${condition.cell}`);
		if (condition.kind === "any" && wrong.length)
			faults.push("a move is refused though any is accepted");
	}
	for (const one of wrong)
		if (judge(step, one).text !== step.hint || !step.hint)
			faults.push(`${one.move} is refused without the hint`);
	for (const one of right) {
		if (judge(step, one).text !== step.right)
			faults.push(`${one.move}: not the kind reply`);
		if (!holdAll(step.claims, one) || !await foresees(engine, game, step, one))
			faults.push(`${one.move}: what the text says afterwards does not hold`);
		await engine.view(game, step.scene, [one.move, ...step.reply]).catch((error: Error) => faults.push(`${one.move}, ${step.reply.join(", ")}: ${error.message}`));
	}
	return faults;
}

test("every game with a board has first steps", { skip: !hasEngine }, async () => {
	const games = (await (await openEngine()).ask<Game[]>("games")).filter(({ board }) => board).map(({ name }) => name).sort();
	assert.deepEqual(texts.map(({ name }) => name), games);
	for (const { name, text } of texts)
		assert.equal(parseFirstSteps(text, name).game, name);
});

for (const { name, text } of texts)
	test(`the steps and pictures of ${name} hold on the engine`, { skip: !hasEngine }, async () => {
		const engine = await openEngine();
		const { game, steps, pictures } = parseFirstSteps(text, `${name}.txt`);
		const faults: string[] = [];
		for (const step of steps)
			try {
				faults.push(...(await faultsOf(engine, game, step)).map((fault) => `${step.title}: ${fault}`));
			} catch (error) {
				faults.push(`${step.title}: ${(error as Error).message}`);
			}
		const board = await engine.board(game);
		for (const { caption, scene, dots, arrow, marks } of pictures)
			try {
				const view = await engine.view(game, scene);
				if (dots && !view.moves.some(({ clicks }) => board.cells[clicks[0] ?? -1]?.name === dots))
					faults.push(`${caption}: nothing on ${dots} can move`);
				if (arrow && !view.moves.some(({ move }) => move === arrow))
					faults.push(`${caption}: ${arrow} is not legal`);
				for (const mark of marks)
					if (!board.cells.some((cell) => cell.name === mark))
						faults.push(`${caption}: there is no cell ${mark}`);
			} catch (error) {
				faults.push(`${caption}: ${(error as Error).message}`);
			}
		assert.deepEqual(faults, []);
	});
