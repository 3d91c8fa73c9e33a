// rules.ts - splits the help text of a game into parts.
// SPDX-License-Identifier: MIT

/** A line that begins with "Word:" starts a new part; other lines continue the text. Typed options after the word are left out. */
export function ruleParts(help: string): { head: string | null; text: string }[] {
	const parts: { head: string | null; text: string }[] = [];
	for (const line of help.split("\n")) {
		const match = /^([A-Z][a-z0-9]+(?: [a-z]+)?)(?: \([a-z]+=\w+\))?: (.*)$/.exec(line);
		const last = parts[parts.length - 1];
		if (match)
			parts.push({ head: match[1] ?? null, text: match[2] ?? "" });
		else if (last && line.trim())
			last.text += ` ${line.trim()}`;
		else if (line.trim())
			parts.push({ head: null, text: line.trim() });
	}
	return parts;
}

/** The parts that describe how moves and positions are typed, which players on the page need not know. */
const NOTATION = ["Moves", "Position"];

/** The rules, and the notation apart from them. */
export function rulesAndNotation(help: string) {
	const isNotation = ({ head }: { head: string | null }) => head !== null && NOTATION.includes(head);
	const parts = ruleParts(help);
	return { rules: parts.filter((part) => !isNotation(part)), notation: parts.filter(isNotation) };
}
