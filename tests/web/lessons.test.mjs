// lessons.test.mjs - the lessons: a wrong and a right answer through the page, progress, links, the teacher's pages.
// SPDX-License-Identifier: MIT
//
// Without QUEVEDO_FULL only one lesson for each kind of answer: web/test/lessons.test.ts answers all of them without a page.
// QUEVEDO_LESSONS: others, as numbers, separated by commas.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { acceptance, isFull, noViolations, notInFirefox, root, until } from "./support.mjs";

const folder = join(root, "web/lessons");
const names = readdirSync(folder).filter((name) => name.endsWith(".txt")).sort().map((name) => name.slice(0, -4));
const chosen = process.env.QUEVEDO_LESSONS;

/** The test's own reading: the first value of each key, and all hints. */
function entriesOf(name) {
	const text = readFileSync(join(folder, `${name}.txt`), "utf8").replace(/\n\s+/g, " ");
	const all = [...text.matchAll(/^([a-z]+): (.*)$/gm)].map(([, key, value]) => [key, value]);
	return { ...Object.fromEntries(all.reverse()), hints: all.filter(([key]) => key === "hint").map(([, hint]) => hint).reverse() };
}

function wanted() {
	if (chosen)
		return names.filter((name) => chosen.split(",").includes(name.slice(0, 2)));
	const kinds = names.map((name) => entriesOf(name).answer);
	return isFull ? names : names.filter((_, i) => kinds.indexOf(kinds[i]) === i);
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

/** Hints appear one by one, in their order, until there are no more. */
async function takeHints(page, { hints, title }) {
	for (let shown = 1; shown <= hints.length; shown++) {
		await page.getByRole("button", { name: shown === 1 ? "Give me a hint" : "Another hint" }).click();
		await page.locator(".lesson-hints li").nth(shown - 1).waitFor();
		assert.deepEqual(await page.locator(".lesson-hints li").allTextContents(), hints.slice(0, shown), title);
	}
	assert.equal(await page.getByRole("button", { name: "Another hint" }).count(), 0, title);
}

acceptance("lessons", [], [
	["tell a right answer from a wrong one, and remember which are done", async (world) => {
		const page = await world.visit("/lessons");
		const list = wanted();
		for (const name of list) {
			const lesson = entriesOf(name);
			await page.locator(".lesson-list a", { hasText: lesson.title }).click(); // the engine stays loaded
			await page.getByRole("heading", { level: 1, name: lesson.title, exact: true }).waitFor();
			await answerBoth(page, lesson);
			await takeHints(page, lesson);
			await page.getByRole("link", { name: "Lessons", exact: true }).first().click();
		}
		await page.reload();
		await page.getByText(`${list.length} of ${names.length} lessons done`).waitFor();
		assert.equal(await page.locator(".lesson-done").count(), list.length);
		await noViolations(page, "the list");
	}],
	["give no reply to an older answer", async (world) => {
		const player = await world.player();
		await player.context.addInitScript(() => {
			const send = Worker.prototype.postMessage;
			window.held = null; // requests to the engine that wait
			Worker.prototype.postMessage = function (...args) {
				const now = () => send.apply(this, args);
				window.held ? window.held.push(now) : now();
			};
		});
		const lesson = entriesOf("04-two-plies"), page = await player.tab("/lessons/04-two-plies");
		await page.locator(".lab-picture canvas").first().waitFor();
		await give(page, lesson, lesson.mistake);
		await page.evaluate(() => {
			window.held = [];
			window.replies = [];
			new MutationObserver(() => window.replies.push(document.querySelector(".lesson-reply")?.textContent ?? "")).observe(document.body, { childList: true, subtree: true, characterData: true });
		});
		await page.getByRole("button", { name: "Check my answer" }).click();
		await until("the request", () => page.evaluate(() => window.held.length > 0));
		await give(page, lesson, lesson.example);
		await page.evaluate(() => {
			const waiting = window.held;
			window.held = null;
			waiting.forEach((now) => now());
		});
		await page.getByRole("button", { name: "Check my answer" }).click();
		await page.locator(".lesson-reply.right").waitFor();
		assert.deepEqual(await page.evaluate(() => window.replies.filter((text) => text.startsWith("Not yet"))), []);
	}],
	["can be done with the keyboard alone", async (world) => {
		const page = await world.visit("/lessons/04-two-plies");
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
		const text = await source.inputValue();
		const line = `# ${"long lesson ".repeat(40)}\n`;
		await source.fill((text + line.repeat(30)).slice(0, 12000)); // as long as a lesson may be
		await page.evaluate(() => navigator.clipboard.writeText(""));
		await page.getByRole("button", { name: "Copy a link to it" }).click();
		await other.goto("about:blank");
		await other.goto(await until("the long link", () => page.evaluate(() => navigator.clipboard.readText())));
		await other.getByRole("heading", { name: "My own lesson" }).waitFor();
		await source.fill(text.replace(/^answer: .*$/m, "answer: guess"));
		const at = text.split("\n").findIndex((one) => one.startsWith("answer:")) + 1;
		await page.getByText(new RegExp(`^lesson:${at}: answer: expected one of`)).waitFor();
		await source.fill("title: Only a title");
		await page.getByText(/^lesson:1: idea: missing$/).waitFor();
	}, notInFirefox("read the clipboard")],
	["are shown on a wall and on paper", async (world) => {
		const page = await world.visit(`/lessons/${names[2]}?projector=1`);
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
			await until("all boards", async () => await page.locator(".waiting").count() === 0);
			assert.ok(await page.locator(".lesson-board").count() > 5 && await page.locator(".paper-tree").count() > 5, view);
			assert.equal(await page.getByText("diagram ?").count(), 0, "a blank is no game");
			if (isFull || view === "Exercises")
				await noViolations(page, view);
			assert.equal(await page.getByText("Answer:").count(), view.endsWith("answers") ? names.length : 0);
			await page.getByRole("link", { name: "For teachers" }).click();
		}
	}],
]);
