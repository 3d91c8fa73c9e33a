// lessons.test.mjs - the lessons: a wrong and a right answer through the page, progress, links, the teacher's pages.
// SPDX-License-Identifier: MIT
//
// QUEVEDO_LESSONS: numbers of lessons, separated by commas, or "all"; default: one of each kind of answer.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { acceptance, axeSource, root, until } from "./support.mjs";

const folder = join(root, "web/lessons");
const names = readdirSync(folder).filter((name) => name.endsWith(".txt")).sort().map((name) => name.slice(0, -4));
const chosen = process.env.QUEVEDO_LESSONS;

/** The test's own reading: the first value of each key. */
function entriesOf(name) {
	const entries = {};
	let last;
	for (const line of readFileSync(join(folder, `${name}.txt`), "utf8").split("\n")) {
		const [, key, value] = /^([a-z]+): (.*)$/.exec(line) ?? [];
		if (/^\s/.test(line) && last)
			entries[last] = `${entries[last]} ${line.trim()}`;
		else if (key && !(key in entries))
			entries[last = key] = value;
		else
			last = undefined;
	}
	return entries;
}

function wanted() {
	if (chosen === "all")
		return names;
	if (chosen)
		return names.filter((name) => chosen.split(",").includes(name.slice(0, 2)));
	const kinds = new Map();
	for (const name of names)
		if (!kinds.has(entriesOf(name).answer))
			kinds.set(entriesOf(name).answer, name);
	return [...kinds.values()];
}

/** Enters an answer as a reader does. */
async function give(page, { answer: kind, title }, answer) {
	const question = page.locator(".lesson-question");
	if (kind === "number" || kind === "fill")
		return question.getByLabel(/^Your number/).fill(answer);
	if (kind === "play") {
		await question.getByRole("button", { name: "Start the game again" }).click();
		for (const move of answer.split(", ")) {
			await question.getByText("It is your move.").waitFor();
			await question.getByLabel("Type a move").fill(move);
			await question.getByLabel("Type a move").press("Enter");
		}
		return question.getByText("The game is over. Check your answer.").waitFor();
	}
	if (kind === "order") {
		const items = question.getByRole("listitem");
		for (const [to, item] of answer.split(", ").entries())
			for (let tries = 0; !(await items.nth(to).textContent()).startsWith(item); tries++) {
				assert.ok(tries < 9, `${title}: ${item} does not move up`);
				await question.getByRole("button", { name: `Move ${item} up` }).click();
			}
		return undefined;
	}
	const select = question.getByRole("combobox", { name: "Your answer" });
	const radio = question.getByRole("radio", { name: answer, exact: true });
	await until(`choices of ${title}`, async () => await radio.count() + await select.count() > 0);
	return await select.count() ? select.selectOption(answer) : radio.locator("xpath=..").click();
}

/** The text that a reply must be: measures may be anything. */
function pattern(text) {
	return new RegExp(`^(Right|Not yet)\\. ${text.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".+?")}$`);
}

async function answerBoth(page, lesson) {
	for (const [answer, reply, look] of [[lesson.mistake, lesson.wrong, "wrong"], [lesson.example, lesson.right, "right"]]) {
		await give(page, lesson, answer);
		await page.getByRole("button", { name: "Check my answer" }).click();
		const said = page.locator(`.lesson-reply.${look}`);
		await said.waitFor();
		assert.match(await said.textContent(), pattern(reply), lesson.title);
	}
}

async function noViolations(page, what) {
	await page.evaluate(axeSource());
	const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
	assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], what);
}

acceptance("lessons", [], [
	["tell a right answer from a wrong one, and remember which are done", async (world) => {
		const page = await (await world.player()).tab("/lessons");
		const list = wanted();
		for (const name of list) {
			await page.goto(`${world.server.url}/lessons/${name}`);
			await answerBoth(page, entriesOf(name));
			await page.getByRole("button", { name: "Give me a hint" }).click();
			await page.locator(".lesson-hints li").first().waitFor();
		}
		await page.goto(`${world.server.url}/lessons`);
		await page.getByText(`${list.length} of ${names.length} lessons done`).waitFor();
		assert.equal(await page.locator(".lesson-done").count(), list.length);
		await noViolations(page, "the list");
	}],
	["can be done with the keyboard alone", async (world) => {
		const page = await (await world.player()).tab("/lessons/04-two-plies");
		const radio = page.getByRole("radio", { name: "A", exact: true });
		await radio.waitFor();
		await radio.focus();
		await page.keyboard.press("ArrowLeft"); // from the first to the last
		await page.keyboard.press("Enter");
		await page.locator(".lesson-reply.right").waitFor();
		await page.keyboard.press("Tab");
		await page.keyboard.press("Tab");
		assert.equal(await page.evaluate(() => document.activeElement.textContent), "Give me a hint");
		await noViolations(page, "a lesson");
	}],
	["are shared as links, and a bad link says so", async (world) => {
		const player = await world.player({ permissions: ["clipboard-read", "clipboard-write"] });
		const page = await player.tab("/lessons/write");
		await page.getByText("The text is a lesson.").waitFor();
		await noViolations(page, "the editor");
		const source = page.getByLabel("The lesson");
		await source.fill((await source.inputValue()).replace(/^title: .*$/m, "title: My own lesson"));
		await page.getByRole("button", { name: "Test it" }).click();
		await page.getByText("The lesson works").waitFor();
		await page.getByRole("button", { name: "Copy a link to it" }).click();
		const link = await until("the link", () => page.evaluate(() => navigator.clipboard.readText()));
		assert.match(link, /\/lessons\/shared#/);
		const other = await player.tab();
		await other.goto(link);
		await other.getByRole("heading", { name: "My own lesson" }).waitFor();
		const broken = await player.tab();
		await broken.goto(link.slice(0, -20));
		await broken.getByText("The lesson in this link is damaged.").waitFor();
		await source.fill("title: Only a title");
		await page.getByText(/^lesson:1: idea: missing$/).waitFor();
	}],
	["are shown on a wall and on paper", async (world) => {
		const page = await (await world.player()).tab(`/lessons/${names[2]}?projector=1`);
		await page.getByText(/The idea$/).waitFor();
		await noViolations(page, "the projector");
		for (const slide of ["The experiment", "The question", "Hint 1"]) {
			await page.keyboard.press("ArrowRight");
			await page.getByRole("region", { name: slide }).waitFor();
		}
		await page.keyboard.press("ArrowLeft");
		await page.getByRole("region", { name: "The question" }).waitFor();
		await page.keyboard.press("Escape");
		await page.waitForURL(/lessons\/03-[^?]*$/);
		await page.goto(`${world.server.url}/lessons/teacher`);
		await noViolations(page, "the teacher's page");
		for (const view of ["The course on paper", "Exercises", "Exercises with answers"]) {
			await page.getByRole("link", { name: view, exact: true }).click();
			await page.getByText(entriesOf(names.at(-1)).question).waitFor();
			assert.equal(await page.getByText("Answer:").count(), view.endsWith("answers") ? names.length : 0);
			await page.getByRole("link", { name: "For teachers" }).click();
		}
	}],
]);
