// host.d.mts - types of host.mjs.
// SPDX-License-Identifier: MIT

export interface HostedEngine {
	/** Resolves when the data of a game, such as "chess" or "connect4:width=8", is in the engine. */
	prepare(game: string): Promise<void>;
	/** Runs a request at once. body: undefined, a value, or JSON as a string. */
	run(request: string, body?: unknown, onMessage?: (text: string) => void): { status: number; text: string };
	/** The same with the data loaded first, and with values. Throws what the engine refuses, with a status. */
	ask(request: string, body?: unknown, onMessage?: (message: unknown) => void): Promise<unknown>;
}

export function createEngine(
	module: WebAssembly.Module, loadData: (game: string) => Uint8Array | null | Promise<Uint8Array | null>,
): Promise<HostedEngine>;
