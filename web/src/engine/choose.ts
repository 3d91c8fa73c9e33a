// choose.ts - which engine serves a request, and which one after an error: pure functions.
// SPDX-License-Identifier: MIT
import { RequestError } from "../api";
import { EngineFailure } from "./browser";

/** none: this browser or this build has no such engine. */
export type CoreState = "none" | "idle" | "loading" | "ready" | "failed";

export interface Situation {
	core: CoreState; // the engine in the browser
	preferred: "browser" | "server"; // by the settings
	builtIn: boolean; // the browser's engine has the game; it has no plug-ins
	hasData: boolean; // its data for the game is loaded
	hasServer: boolean; // false: the static site
	strong?: boolean; // an analysis that shall be as strong as possible
	counts?: boolean; // a rated game, or one with verified dice: the server is the referee
}

/** Which engine to ask. loading: that of the browser is not ready yet, and no other can be used; none: no engine can be used. */
export type Choice = "browser" | "server" | "loading" | "none";

export function chooseEngine({ core, preferred, builtIn, hasData, hasServer, strong, counts }: Situation): Choice {
	if (hasServer)
		return core === "ready" && hasData && preferred === "browser" && builtIn && !strong && !counts ? "browser" : "server";
	if (core === "idle" || core === "loading")
		return "loading";
	return core === "ready" && builtIn ? "browser" : "none";
}

/** The engine to try after this error of another one; null: the error is the response. */
export function chooseAfter(error: unknown, choice: Choice, { core, hasServer }: Pick<Situation, "core" | "hasServer">): Choice | null {
	if (!(error instanceof RequestError))
		return null;
	if (choice === "server")
		return error.code === "offline" && core !== "none" ? "browser" : null;
	/* 404: a request that it does not have; 503: too little memory in this browser. */
	const otherMayServe = error instanceof EngineFailure || error.status === 404 || error.status === 503;
	return otherMayServe && hasServer ? "server" : null;
}
