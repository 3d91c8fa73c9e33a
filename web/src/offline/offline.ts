// offline.ts - starts the service worker, and lets it keep every game for use without a network.
// SPDX-License-Identifier: MIT
import { address, coreFile } from "../engine/core";
import { t } from "../messages";
import { createStore } from "../store/store";

/**
 * insecure: browsers allow it only over HTTPS or on localhost; missing: this browser cannot, or there is nothing to keep; loading:
 * the files are being fetched; ready: everything works without a network.
 */
export type OfflineState = "insecure" | "missing" | "loading" | "ready";

export const offlineState = createStore<OfflineState>(initialState());

function initialState(): OfflineState {
	if (!isSecureContext && location.protocol === "http:")
		return "insecure";
	return "serviceWorker" in navigator && "caches" in globalThis && ENGINE_FILES ? "loading" : "missing";
}

const QUIET_MS = 12000; // after the first page has loaded, which shall have the network to itself
const LOOK_MS = 2000;

/** Everything that this browser's engine can need. */
function neededFiles(): string[] {
	if (!ENGINE_FILES)
		return [];
	return [coreFile(ENGINE_FILES), ...Object.values(ENGINE_FILES.data)];
}

async function allKept(files: string[]): Promise<boolean> {
	const found = await Promise.all(files.map((file) => caches.match(address(file), { ignoreVary: true })));
	return found.every((one) => one);
}

function savesData(): boolean {
	const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
	return connection?.saveData === true;
}

async function keepAll(): Promise<void> {
	const { active } = await navigator.serviceWorker.ready;
	const files = neededFiles(), hasAll = await allKept(files);
	if (hasAll)
		offlineState.set("ready");
	if (savesData())
		return; // what is used is kept all the same
	active?.postMessage({ type: "keep", files }); // a new version may have other scripts, with the same engine
	if (hasAll)
		return;
	const look = setInterval(() => void allKept(files).then((all) => {
		if (!all)
			return;
		clearInterval(look);
		offlineState.set("ready");
	}), LOOK_MS);
}

/** Call it once. Errors only mean that the page needs a network. */
export function startOffline(): void {
	if (offlineState.get() !== "loading")
		return;
	const start = () => {
		navigator.serviceWorker.register(address("sw.js"), { updateViaCache: "none" })
			.then(async () => await allKept(neededFiles()) || new Promise((next) => setTimeout(next, QUIET_MS)))
			.then(keepAll)
			.catch(() => offlineState.set("missing"));
	};
	if (document.readyState === "complete")
		start();
	else
		addEventListener("load", start);
}

/** For the settings and the help. */
export function offlineText(state: OfflineState): string {
	switch (state) {
	case "insecure": return t("offline.insecure");
	case "missing": return t("offline.missing");
	case "loading": return t("offline.loading");
	case "ready": return t("offline.ready");
	}
}
