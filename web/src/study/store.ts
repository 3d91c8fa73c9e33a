// store.ts - the studies that this browser keeps: in IndexedDB if possible, else until the page is closed.
// SPDX-License-Identifier: MIT
import type { StoredStudy } from "./model";

const DATABASE = "quevedo-studies", STUDIES = "studies";

function finished<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

let opening: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
	if (!opening) {
		const request = indexedDB.open(DATABASE, 1);
		request.onupgradeneeded = () => request.result.createObjectStore(STUDIES, { keyPath: "id" });
		opening = finished(request);
		opening.catch(() => (opening = null));
	}
	return opening;
}

const session = new Map<string, StoredStudy>(); // if the storage is forbidden or full

async function stored<T>(mode: IDBTransactionMode, work: (studies: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
	try {
		return await finished(work((await open()).transaction(STUDIES, mode).objectStore(STUDIES)));
	} catch {
		return null;
	}
}

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
