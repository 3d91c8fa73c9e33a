// protocol.ts - the messages between the page and a worker with an engine, and the worker's side of them.
// SPDX-License-Identifier: MIT
import type { createEngine, HostedEngine } from "../../engine/host.mjs";

export type ToWorker =
	| { type: "open"; module: WebAssembly.Module }
	| { type: "data"; game: string; bytes: Uint8Array } // before the first request about the game
	| { type: "run"; id: number; request: string; game: string; body: string }; // game "": about none; body "": none

export type FromWorker =
	| { type: "message"; id: number; text: string } // of a stream
	| { type: "done"; id: number; status: number; text: string }
	| { type: "broken"; why: string }; // the engine is of no more use

/** The worker's end of the messages. Requests run one after another, each to its end. */
export function serveEngine(create: typeof createEngine, send: (message: FromWorker) => void): (message: ToWorker) => void {
	const data = new Map<string, Uint8Array>();
	let engine: Promise<HostedEngine> | null = null;
	let last: Promise<void> = Promise.resolve();
	const give = (game: string) => {
		const bytes = data.get(game) ?? null;
		data.delete(game); // the engine has a copy of its own
		return bytes;
	};
	async function run({ id, request, game, body }: ToWorker & { type: "run" }): Promise<void> {
		try {
			const opened = await engine;
			if (!opened)
				throw new Error("the engine is not open");
			if (game)
				await opened.prepare(game);
			const { status, text } = opened.run(request, body, (message) => send({ type: "message", id, text: message }));
			send({ type: "done", id, status, text });
		} catch (error) {
			send({ type: "broken", why: error instanceof Error ? error.message : String(error) });
		}
	}
	return (message) => {
		if (message.type === "open")
			engine = create(message.module, give);
		else if (message.type === "data")
			data.set(message.game, message.bytes);
		else
			last = last.then(() => run(message));
	};
}
