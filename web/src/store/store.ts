// store.ts - an observable value, and a hook to use it in a component.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";

export interface Store<T> {
	get(): T;
	set(value: T): void;
	subscribe(listener: (value: T) => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
	let now = initial;
	const listeners = new Set<(value: T) => void>();
	return {
		get: () => now,
		set(value) {
			now = value;
			for (const listener of [...listeners])
				listener(value);
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}

export function useStore<T>(store: Store<T>): T {
	const [value, setValue] = useState(() => store.get());
	useEffect(() => {
		const update = (next: T) => setValue(() => next);
		update(store.get());
		return store.subscribe(update);
	}, [store]);
	return value;
}
