// lead.ts - of several tabs with the same game, only one thinks for its computers: the one that was used last.
// SPDX-License-Identifier: MIT
//
// The tab that leads holds a lock. Browsers have locks over HTTPS and on localhost only; without them every tab leads, and whoever
// keeps the game accepts the first move.
import { useEffect, useRef, useState } from "preact/hooks";

export interface Lead {
	/** This tab is being used. */
	claim(): void;
	leave(): void;
}

/** onChange: whether this tab leads. Until the first call it does not. */
export function joinLead(game: string, onChange: (leads: boolean) => void): Lead {
	const locks = navigator.locks as LockManager | undefined;
	if (!locks) {
		onChange(true);
		return { claim() {}, leave() {} };
	}
	const ended = new AbortController();
	let waiting = new AbortController(); // ends the request that waits until no other tab leads
	let release: (() => void) | null = null; // not null: this tab leads
	const request = (options: LockOptions) => {
		let own: typeof release = null;
		const hold = () => new Promise<void>((resolve) => {
			if (ended.signal.aborted)
				return resolve();
			waiting.abort();
			own = release = resolve;
			onChange(true);
		});
		/* Another tab has claimed it, or it does not wait any more. */
		const lose = () => {
			if (!own || own !== release || ended.signal.aborted)
				return;
			release = null;
			onChange(false);
			wait();
		};
		locks.request(game, options, hold).catch(lose);
	};
	const wait = () => {
		waiting = new AbortController();
		request({ signal: waiting.signal });
	};
	const claim = () => {
		if (!release && !document.hidden && !ended.signal.aborted)
			request({ steal: true });
	};
	document.addEventListener("visibilitychange", claim, { signal: ended.signal });
	window.addEventListener("focus", claim, { signal: ended.signal });
	if (document.hidden)
		wait();
	else
		claim();
	return {
		claim,
		leave() {
			ended.abort();
			waiting.abort();
			release?.();
		},
	};
}

/** game "": none. */
export function useLead(game: string): { leads: boolean; claim(): void } {
	const [led, setLed] = useState("");
	const lead = useRef<Lead | null>(null);
	useEffect(() => {
		if (!game)
			return;
		const own = lead.current = joinLead(game, (leads) => setLed(leads ? game : ""));
		return () => own.leave();
	}, [game]);
	return { leads: Boolean(game) && led === game, claim: () => lead.current?.claim() };
}
