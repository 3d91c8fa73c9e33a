// database.ts - objects with ids that this browser keeps in IndexedDB, a database for each kind.
// SPDX-License-Identifier: MIT

export function finished<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

/** work may wait for its own requests only: the transaction ends when it has none. null: the storage cannot be used. */
export type Stored = <T>(mode: IDBTransactionMode, work: (objects: IDBObjectStore) => IDBRequest<T> | Promise<T>) => Promise<T | null>;

/** Opens the database when it is first used. */
export function storedIn(database: string, store: string): Stored {
	let opening: Promise<IDBDatabase> | null = null;
	const open = () => {
		if (opening)
			return opening;
		const request = indexedDB.open(database, 1);
		request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: "id" });
		opening = finished(request);
		opening.catch(() => (opening = null));
		return opening;
	};
	return async (mode, work) => {
		try {
			const found = work((await open()).transaction(store, mode).objectStore(store));
			return await (found instanceof IDBRequest ? finished(found) : found);
		} catch {
			return null;
		}
	};
}
