// study.test.ts - notes with glyphs and drawings, files of many games, names in records, chapters, links that hold a study.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ComponentChildren, VNode } from "preact";
import { marked } from "../src/study/markup";
import { drawnOf, withDrawn } from "../src/board/drawn";
import { readJournal, writeJournal } from "../src/journal";
import { glyphOf, readNote, remarkOf, writeNote } from "../src/note";
import { gamesOfText } from "../src/pages/gamefiles";
import { gameTitle } from "../src/study/GameFacts";
import { openStudy, removeWith } from "../src/study/sync";
import { findStored, keepStudy } from "../src/study/store";
import { openedState } from "../src/study/useSaving";
import { exportTree, isTooLarge, moved, nameOf, studyOfText, treeOf } from "../src/study/model";
import { nodeAt, playMove, setNote } from "../src/tree";
import type { Board } from "../src/types";
import { packText, unpackText } from "../src/ui/pack";

test("a note is glyphs, drawings, other commands and a comment", () => {
	const note = "$1 $14 [%cal Ge2e4,Rd7d5] [%csl Yf7] [%eval 0.3] A good move.";
	assert.deepEqual(readNote(note), { glyphs: [1, 14], arrows: ["Ge2e4", "Rd7d5"], circles: ["Yf7"], others: ["[%eval 0.3]"], text: "A good move." });
	assert.equal(writeNote(readNote(note)), note);
	assert.equal(remarkOf("as [%cal Ge2e4] lichess writes"), "as lichess writes");
	assert.deepEqual(glyphOf("$4 x"), { text: "??", title: "blunder", tone: "bad" });
	assert.equal(glyphOf("plain"), null);
	assert.equal(glyphOf("$14 $17")?.text, "+= −/+", "signs that every font has");
	/* A comment that only looks like a glyph stays a comment. */
	assert.equal(writeNote({ ...readNote(""), text: "$1 is a dollar" }), " $1 is a dollar");
	assert.deepEqual(readNote(" $1 is a dollar").glyphs, []);
	for (const odd of ["", "$", "$999 x", "[%cal]", "[%csl ", "[%", "]"])
		assert.equal(writeNote(readNote(writeNote(readNote(odd)))), writeNote(readNote(odd)));
});

const named = (names: string[]) => ({ cells: names.map((name) => ({ name })) }) as unknown as Board;

test("drawings are stored by the names of their cells", () => {
	const chess = named(["e2", "e4", "d5"]), draughts = named(["1", "11", "15", "5"]);
	assert.deepEqual(drawnOf("[%cal Ge2e4] [%csl Rd5,Gz9]", chess), [{ touches: [0, 1], kind: "drawn-2" }, { touches: [2], kind: "drawn-1" }]);
	assert.equal(withDrawn("$1 why", [{ touches: [0, 1], kind: "drawn-2" }, { touches: [2], kind: "drawn-1" }], chess), "$1 [%cal Ge2e4] [%csl Rd5] why");
	/* Numbers need something between them: 1-115 is not 11-15. */
	const note = withDrawn("", [{ touches: [1, 2], kind: "drawn-4" }], draughts);
	assert.equal(note, "[%cal B11-15]");
	assert.deepEqual(drawnOf(note, draughts), [{ touches: [1, 2], kind: "drawn-4" }]);
});

test("a file of any format is split into its games", () => {
	const sgf = gamesOfText("(;GM[2]PB[Ann \\] (]PW[Rob];B[dc](;W[ce])(;W[cc]))\n1 (;GM[Othello]PB[Two];)");
	assert.deepEqual(sgf.map(({ title }) => title), ["Ann ] ( – Rob", "Two"]);
	assert.equal(sgf[1]?.text, "\n(;GM[Othello]PB[Two];)");
	const records = gamesOfText('{"quevedo":1,"game":"chess","position":"start","seats":["Ana","Bruno"]}\n{"move":"e2e4"}\n{"quevedo":1,"game":"chess","position":"start"}\n');
	assert.deepEqual(records.map(({ title }) => title), ["Ana – Bruno", "Game 2"]);
	assert.equal(gamesOfText('[White "x"]\n1. e4\n[White "y"]\n1. d4').length, 2);
	assert.deepEqual(gamesOfText("e4 e5"), []);
});

const record = `${[
	{ quevedo: 1, game: "chess", position: "start", seats: ["Ana", "Bruno"], tags: { Event: "Cup", Date: "2026.11.17" } },
	{ move: "e2e4", seat: 1 }, { note: "$1 good" }, { result: "win 1", reason: "resignation" },
].map((line) => JSON.stringify(line)).join("\n")}\n`;

test("names, tags and result survive reading and writing", () => {
	const { tree } = readJournal(record);
	assert.deepEqual(tree.about, { seats: ["Ana", "Bruno"], tags: { Event: "Cup", Date: "2026.11.17" }, result: "win 1", reason: "resignation", end: 1 });
	assert.equal(writeJournal(tree), record);
	assert.equal(gameTitle(tree), "Ana – Bruno");
	/* A longer main line has no result. */
	assert.ok(!writeJournal(playMove(tree, "e7e5", 2)).includes("result"));
	assert.ok(writeJournal(setNote(tree, 1, "")).includes("resignation"));
});

test("chapters: names, order, size, export", () => {
	assert.deepEqual(moved(["a", "b", "c"], 0, 2), ["b", "c", "a"]);
	assert.deepEqual(moved(["a", "b"], 1, 2), ["a", "b"]);
	assert.equal(nameOf(" a\nb\u0007 ", "x"), "a b");
	assert.equal(nameOf("\n", "x"), "x");
	assert.equal([...nameOf("é".repeat(200), "x")].length, 100);
	assert.ok(isTooLarge({ chapters: Array.from({ length: 65 }, () => ({ name: "x", record })) }));
	assert.ok(isTooLarge({ chapters: [{ name: "x", record: "y".repeat(260 << 10) }] }));
	assert.ok(!isTooLarge({ chapters: [{ name: "x", record }] }));
	assert.equal(nodeAt(treeOf({ name: "x", record }), 1).note, "$1 good");
	assert.deepEqual(exportTree("T", { name: "One", record }).about?.tags, { Event: "Cup", Date: "2026.11.17", StudyName: "T", ChapterName: "One" });
});

test("a link holds a study, within bounds", async () => {
	const study = { title: "T", about: "why", chapters: [{ name: "One", record }] };
	const packed = await packText(JSON.stringify(study), 10000);
	assert.match(packed, /^[\w-]+$/);
	assert.deepEqual(studyOfText(await unpackText(packed, 10000)), study);
	await assert.rejects(unpackText(packed.slice(0, -9), 10000));
	await assert.rejects(unpackText(packed, 100), /too large/);
	await assert.rejects(packText(JSON.stringify(study), 10), /too large/);
	for (const bad of ["1", "{}", '{"title":"x","about":"","chapters":[{}]}'])
		assert.throws(() => studyOfText(bad));
});

/** What is shown, with the names of the elements: "<strong>bold</strong>". */
function shown(children: ComponentChildren): string {
	if (Array.isArray(children))
		return children.map(shown).join("");
	if (typeof children !== "object" || children === null)
		return String(children ?? "");
	const { type, props } = children as VNode<{ to?: string; children?: ComponentChildren }>;
	const name = typeof type === "string" ? type : `a ${props.to}`;
	return `<${name}>${shown(props.children)}</${name.split(" ", 1)[0]}>`;
}

test("comments have bold, italics and links, and nothing else", () => {
	assert.equal(shown(marked("A **bold** and *thin* word")), "A <strong>bold</strong> and <em>thin</em> word");
	assert.equal(shown(marked("See https://lichess.org/study. Or **[this](http://a.b/c)**!")),
		"See <a https://lichess.org/study>https://lichess.org/study</a>. Or <strong><a http://a.b/c>this</a></strong>!");
	for (const plain of ["2*3*4", "** no **", "*", "**", "a ** b", "[x](javascript:alert(1))", "<b>x</b>", "javascript:alert(1)", "ftp://a"])
		assert.equal(shown(marked(plain)), plain);
	/* No letter is lost or added, whatever is written. */
	const letters = ["*", "**", "a", " ", "[", "]", "(", ")", "http://", "https://b", "\n", "."];
	for (let seed = 1, i = 0; i < 500; i++) {
		let text = "";
		for (let n = 0; n < 12; n++)
			text += letters[(seed = seed * 48271 % 2147483647) % letters.length];
		if (!text.includes("]("))
			assert.equal(shown(marked(text)).replace(/<[^>]*>|\*/g, ""), text.replaceAll("*", ""));
	}
});

test("a study that the server has deleted is kept here, and is not called saved", async (t) => {
	const mine = (id: string, server: string) => ({ id, server, title: id, about: "", chapters: [], created: 0, updated: 0, version: 3, changed: false });
	let list = [{ id: "there" }];
	t.mock.method(globalThis, "fetch", async (path: string) => {
		if (path.endsWith("/api/v1/studies"))
			return new Response(JSON.stringify({ studies: list }));
		return new Response(JSON.stringify({ error: { code: "not_found", message: "study: not found" } }), { status: 404 });
	});
	for (const study of [mine("my-1", "gone"), mine("my-2", "there"), mine("my-3", "")])
		await keepStudy(study);
	const opened = await openStudy("gone");
	assert.equal(opened?.study.title, "my-1");
	assert.equal(openedState(opened!), "here");
	assert.equal(openedState({ ...opened!, missing: false }), "saved");
	/* Who deletes the account removes its studies from this browser, too. */
	await removeWith(async () => (list = []));
	assert.equal(await findStored("my-2"), null);
	assert.ok(await findStored("my-3"));
	list = [{ id: "gone" }];
	await assert.rejects(removeWith(() => Promise.reject(new Error("wrong password"))));
	assert.ok(await findStored("my-1"));
});
