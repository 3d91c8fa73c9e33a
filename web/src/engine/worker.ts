// worker.ts - the script of a worker with an engine.
// SPDX-License-Identifier: MIT
import { createEngine } from "../../engine/host.mjs";
import { serveEngine, type ToWorker } from "./protocol";

const receive = serveEngine(createEngine, (message) => postMessage(message));
addEventListener("message", (event: MessageEvent<ToWorker>) => receive(event.data));
