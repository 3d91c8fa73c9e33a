// markup.tsx - the markup of comments: **bold**, *italics* and links. Everything else is shown as it is written.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";

/* A word that is marked begins and ends with something else than a blank. */
const MARK = /\*\*([^\s*](?:[^*\n]*[^\s*])?)\*\*|\*([^\s*](?:[^*\n]*[^\s*])?)\*|\[([^[\]\n]+)\]\((https?:\/\/[^\s()]+)\)|https?:\/\/[^\s<>"]+/g;

function Link({ to, children }: { to: string; children: ComponentChildren }) {
	return <a href={to} target="_blank" rel="noopener noreferrer nofollow">{children}</a>;
}

/** The parts of a text, as elements and strings; never as HTML. */
export function marked(text: string): ComponentChildren {
	const parts: ComponentChildren[] = [];
	let end = 0;
	for (const found of text.matchAll(MARK)) {
		const [whole, bold, italics, name, to] = found, at = found.index;
		if (whole.startsWith("*") && /\w/.test(text[at - 1] ?? "")) // 2*3*4
			continue;
		const link = /[.,;:!?)]+$/.exec(whole); // ends the sentence, not the address
		const used = bold || italics || name ? whole : link ? whole.slice(0, link.index) : whole;
		parts.push(text.slice(end, at), bold ? <strong>{marked(bold)}</strong> : italics ? <em>{marked(italics)}</em>
			: name ? <Link to={to ?? ""}>{name}</Link> : <Link to={used}>{used}</Link>);
		end = at + used.length;
	}
	return parts.length ? [...parts, text.slice(end)] : text;
}
