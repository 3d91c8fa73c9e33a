// router.ts - client-side navigation: the current address, and links that do not reload the page.
// SPDX-License-Identifier: MIT
//
// A static folder has one address, so there the path of a view follows a "#".
import { options } from "preact";
import { useEffect, useState } from "preact/hooks";

export interface Place {
	path: string;
	query: URLSearchParams;
}

const listeners = new Set<() => void>();

/** What a link to a path of this site has as its href. */
export function hrefOf(path: string): string {
	return STATIC_SITE ? `#${path}` : path;
}

/** The address of the view, as if the site had a server. */
function viewAddress(): { pathname: string; search: string; hash: string } {
	if (!STATIC_SITE)
		return location;
	return new URL(location.hash.startsWith("#/") ? location.hash.slice(1) : "/", "http://site");
}

/** The id of the element in the view that the address names, with its "#"; "": none. */
export function anchorHere(): string {
	return viewAddress().hash;
}

function here(): Place {
	const { pathname, search } = viewAddress();
	const path = pathname.replace(/(.)\/+$/, "$1"); // links from elsewhere may end with a "/"
	return { path, query: new URLSearchParams(search) };
}

function notifyListeners(): void {
	for (const listener of listeners)
		listener();
}

/** Goes to an address of this site. */
export function navigate(to: string, replace = false): void {
	if (replace)
		history.replaceState(null, "", hrefOf(to));
	else
		history.pushState(null, "", hrefOf(to));
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

/** Components write links as paths: here they get their "#", so that they can be opened in another tab, too. */
function startStaticLinks(): void {
	const before = options.vnode;
	options.vnode = (vnode) => {
		const props = vnode.props as { href?: unknown };
		if (vnode.type === "a" && typeof props.href === "string" && props.href.startsWith("/"))
			props.href = hrefOf(props.href);
		before?.(vnode);
	};
}

/** Where a link leads: a path of this site, or "#ID" within the view. */
function targetOf(link: HTMLAnchorElement): string {
	if (STATIC_SITE)
		return link.hash.startsWith("#/") ? link.hash.slice(1) : link.hash;
	const same = link.pathname === location.pathname && link.search === location.search;
	return same && link.hash ? link.hash : link.pathname + link.search + link.hash;
}

/** Handles links and the back button from now on. Call it once. */
export function startRouter(): void {
	window.addEventListener("popstate", notifyListeners);
	if (STATIC_SITE)
		startStaticLinks();
	document.addEventListener("click", (event) => {
		const link = (event.target as Element | null)?.closest?.("a");
		if (!(link instanceof HTMLAnchorElement) || !isOurs(event, link))
			return;
		const to = targetOf(link);
		if (to.startsWith("#") && !STATIC_SITE)
			return;
		event.preventDefault();
		if (to.startsWith("#")) { // the address has no room for it
			document.getElementById(to.slice(1))?.scrollIntoView();
			document.getElementById(to.slice(1))?.focus({ preventScroll: true });
		} else {
			navigate(to);
		}
	});
}
