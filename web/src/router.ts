// router.ts - client-side navigation: the current address, and links that do not reload the page.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";

export interface Place {
	path: string;
	query: URLSearchParams;
}

const listeners = new Set<() => void>();

function here(): Place {
	return { path: location.pathname, query: new URLSearchParams(location.search) };
}

function notifyListeners(): void {
	for (const listener of listeners)
		listener();
}

/** Goes to an address of this site. */
export function navigate(to: string, replace = false): void {
	if (replace)
		history.replaceState(null, "", to);
	else
		history.pushState(null, "", to);
	notifyListeners();
	if (replace)
		return;
	window.scrollTo(0, 0);
	/* The link disappears with its page, so keyboard and screen reader continue at the top of the new one. */
	document.getElementById("main")?.focus({ preventScroll: true });
}

export function usePlace(): Place {
	const [place, setPlace] = useState(here);
	useEffect(() => {
		const update = () => setPlace(here());
		listeners.add(update);
		update();
		return () => void listeners.delete(update);
	}, []);
	return place;
}

/** True if the router handles the click: a plain click on a link of this site, not the API, not a download. */
function isOurs(event: MouseEvent, link: HTMLAnchorElement): boolean {
	const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
	return plain && !event.defaultPrevented && link.origin === location.origin && !link.target &&
		!link.hasAttribute("download") && !link.pathname.startsWith("/api/");
}

/** Handles links and the back button from now on. Call it once. */
export function startRouter(): void {
	window.addEventListener("popstate", notifyListeners);
	document.addEventListener("click", (event) => {
		const link = (event.target as Element | null)?.closest?.("a");
		if (!(link instanceof HTMLAnchorElement) || !isOurs(event, link))
			return;
		if (link.pathname === location.pathname && link.search === location.search && link.hash)
			return;
		event.preventDefault();
		navigate(link.pathname + link.search + link.hash);
	});
}
