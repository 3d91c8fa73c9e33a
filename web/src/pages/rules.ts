// rules.ts - the help text of a game, cut into its parts.
// SPDX-License-Identifier: MIT

/** Lines that open with "Word:" begin a part of their own; the rest is running text. */
export function ruleParts(help: string): { head: string | null; text: string }[] {
	const parts: { head: string | null; text: string }[] = [];
	for (const line of help.split("\n")) {
		const match = /^([A-Z][a-z]+): (.*)$/.exec(line);
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
