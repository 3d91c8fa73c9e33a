// media.ts - media queries of the page.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";

/** A phone on its side, as in the style sheets. */
export const LOW = "(min-width: 560px) and (max-height: 520px) and (orientation: landscape)";

/** Whether the query matches now. */
export function useMedia(query: string): boolean {
	const [matches, setMatches] = useState(() => matchMedia(query).matches);
	useEffect(() => {
		const list = matchMedia(query), change = () => setMatches(list.matches);
		change();
		list.addEventListener("change", change);
		return () => list.removeEventListener("change", change);
	}, [query]);
	return matches;
}
