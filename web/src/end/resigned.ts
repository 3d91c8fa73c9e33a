// resigned.ts - the seat that you resigned in a game that goes on without you, such as Star Chess: kept until you close the tab.
// SPDX-License-Identifier: MIT
import { createStore } from "../store/store";

export interface Resigned {
	id: string; // of the play
	seat: number;
}

const KEY = "quevedo.resigned";

function stored(): Resigned | null {
	try {
		return JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Resigned | null;
	} catch {
		return null;
	}
}

export const resigned = createStore<Resigned | null>(stored());

export function setResigned(what: Resigned | null): void {
	resigned.set(what);
	try {
		sessionStorage.setItem(KEY, JSON.stringify(what));
	} catch {
		/* A browser without storage forgets it with the page. */
	}
}
