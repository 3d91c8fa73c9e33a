// router.ts - which page is shown: the address, its changes, and links that do not load the page anew.
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

function tell(): void {
	for (const listener of listeners)
		listener();
}

/** Goes to an address of this site. */
export function navigate(to: string, replace = false): void {
	if (replace)
		history.replaceState(null, "", to);
	else
		history.pushState(null, "", to);
	tell();
	if (replace)
		return;
	window.scrollTo(0, 0);
	/* The link is gone with its page: keyboard and screen reader go on from the top of the new one. */
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

/** True if a click on a link is ours to follow: plain, same site, not the API, not a download. */
function isOurs(event: MouseEvent, link: HTMLAnchorElement): boolean {
	const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
	return plain && !event.defaultPrevented && link.origin === location.origin && !link.target &&
		!link.hasAttribute("download") && !link.pathname.startsWith("/api/");
}

/** From now on links and the back button change the place. Call it once. */
export function startRouter(): void {
	window.addEventListener("popstate", tell);
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
