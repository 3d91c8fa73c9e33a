// messages.mjs - puts the texts of web/messages/LANGUAGE.json into the page: an esbuild plugin.
// SPDX-License-Identifier: MIT
//
// A call t("room.key", ...) or rich("room.key", ...) gets the message in place of its key, so a page contains the texts of one
// language and only those that it uses. A message without arguments replaces the whole call. An unknown key fails the build.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const CALL = /\b(t|rich)\(\s*("[^"\\\n]*"|[^\s")])(\s*\))?/g;
const IMPORT = /^import \{[^}]*\} from "(?:\.{1,2}\/)+messages";$/m;

export function loadMessages(language) {
	return language === "pseudo" ? pseudo(loadMessages("en")) : JSON.parse(readFileSync(join(here, `messages/${language}.json`), "utf8"));
}

/** A language for tests: what is not between these brackets does not come from the messages. */
function pseudo(english) {
	return Object.fromEntries(Object.entries(english).map(([key, message]) => [key, `⟦${message}⟧`]));
}

/** The source with its messages; an error names the key and its line. */
export function fillMessages(source, texts) {
	const errors = [];
	if (!IMPORT.test(source))
		return { contents: source, errors };
	const contents = source.replace(CALL, (call, name, key, end, at) => {
		const fault = (text) => {
			errors.push({ text, location: { line: source.slice(0, at).split("\n").length, lineText: call } });
			return call;
		};
		if (!key.startsWith('"'))
			return fault(`${name}() needs its key as a string`);
		const message = texts[JSON.parse(key)];
		if (message === undefined)
			return fault(`no message ${key}`);
		const isPlain = name === "t" && end !== undefined && !/['{}<>]/.test(message);
		return isPlain ? JSON.stringify(message) : `${name}(${JSON.stringify(message)}${end ?? ""}`;
	});
	return { contents, errors };
}

export function messages(language) {
	return {
		name: "messages",
		setup(build) {
			build.initialOptions.define = { ...build.initialOptions.define, LANGUAGE: JSON.stringify(language === "pseudo" ? "en" : language) };
			let texts;
			build.onStart(() => {
				texts = loadMessages(language);
			});
			build.onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, ({ path }) => {
				const { contents, errors } = fillMessages(readFileSync(path, "utf8"), texts);
				for (const error of errors)
					error.location.file = path;
				return { contents, errors, loader: path.endsWith("x") ? "tsx" : "ts", watchFiles: [join(here, "messages/en.json")] };
			});
		},
	};
}
