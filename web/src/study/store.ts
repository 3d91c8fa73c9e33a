// store.ts - the studies that this browser keeps: in IndexedDB if possible, else until the page is closed.
// SPDX-License-Identifier: MIT
import { storedIn } from "../store/database";
import type { StoredStudy } from "./model";

const stored = storedIn("quevedo-studies", "studies");
const session = new Map<string, StoredStudy>(); // if the storage is forbidden or full

/** Latest first. */
export async function listStored(): Promise<StoredStudy[]> {
	const all = [...await stored<StoredStudy[]>("readonly", (studies) => studies.getAll()) ?? [], ...session.values()];
	return all.sort((a, b) => b.updated - a.updated);
}

/** By its key, or by its id on the server. */
export async function findStored(id: string): Promise<StoredStudy | null> {
	return (await listStored()).find((one) => one.id === id || one.server === id) ?? null;
}

export async function keepStudy(study: StoredStudy): Promise<void> {
	if (session.has(study.id) || await stored<IDBValidKey>("readwrite", (studies) => studies.put(study)) === null)
		session.set(study.id, study);
}

export async function forgetStudy(id: string): Promise<void> {
	session.delete(id);
	await stored<undefined>("readwrite", (studies) => studies.delete(id));
}
