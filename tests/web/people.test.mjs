// people.test.mjs - people play each other, each in a browser: links, lobby, spectators, offers, tabs.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptance, board, cell, checkBoard, choose, control, countIs, enter, inStep, mouse, noViolations, quevedo, until } from "./support.mjs";

const accept = (page) => page.getByRole("button", { name: "Accept", exact: true }).click();
const offerDraw = async (page) => {
	await (await control(page, "Draw")).click();
	await page.getByRole("button", { name: "Yes, offer a draw" }).click();
};

/** Two people play by the link that the first one sends, and a third watches. */
async function threeAtATable(world, game) {
	const [ann, bob, eve] = [await world.player(), await world.player(), await world.player()];
	const first = await ann.tab(`/games/${game}`);
	await choose(first, { name: /^A friend/ });
	await first.getByRole("button", { name: "Start the game" }).click();
	await first.waitForURL(/\/play\//);
	await first.getByRole("heading", { name: "Waiting for your friend" }).waitFor();
	const size = first.viewportSize();
	await first.setViewportSize({ width: 390, height: 844 });
	assert.ok((await first.getByRole("img", { name: "QR code" }).boundingBox()).y < (await board(first).boundingBox()).y, "the invitation is above the board on a phone");
	await first.setViewportSize(size);
	assert.equal(await first.getByRole("button", { name: "Hint" }).count(), 0, "a hint before the friend is here");
	const link = await first.getByRole("textbox", { name: "Invitation" }).inputValue();
	const id = link.split("/play/")[1];
	const second = await bob.tab();
	await second.goto(link);
	await second.getByRole("heading", { name: /invites you to play/ }).waitFor();
	await second.getByRole("textbox", { name: "Your name" }).fill("Bob");
	await second.getByRole("button", { name: "Join game" }).click();
	const third = await eve.tab();
	await third.goto(link);
	await third.getByText("You are watching this game.").waitFor();
	await first.getByText("Your turn").first().waitFor();
	return { ann, bob, eve, id, pages: [first, second, third] };
}

/** Who is to move plays this one; all three see it. */
async function move(world, { id, pages }, name) {
	const { view } = await world.server.get(`/api/v1/plays/${id}`);
	const found = view.moves.find((one) => one.move === name);
	assert.ok(found, `${name} is not among ${view.moves.map((one) => one.move)}`);
	await enter(world, pages[view.seat - 1], mouse, view, found);
	await all(world, { id, pages }, (play) => play.view.position !== view.position);
}

async function all(world, { id, pages }, ready) {
	for (const page of pages)
		await inStep(world, page, id, ready);
}

async function firstMoves(world, table, count) {
	for (let i = 0; i < count; i++) {
		const { view } = await world.server.get(`/api/v1/plays/${table.id}`);
		await move(world, table, view.moves[i % view.moves.length].move);
	}
}

acceptance("people", [], [
	["two play by a link and a third watches; only owners move; resign and rematch", async (world) => {
		const table = await threeAtATable(world, "connect4");
		const { ann, bob, eve, id, pages } = table;
		await firstMoves(world, table, 3);
		const before = await world.server.get(`/api/v1/plays/${id}`);

		/* It is Bob's turn. Neither Ann's clicks nor Eve's do anything, and the server refuses them too. */
		for (const page of [pages[0], pages[2]]) {
			const layout = await world.boardOf("connect4");
			const labels = await board(page).getByRole("gridcell").evaluateAll((cells) => cells.map((one) => one.getAttribute("aria-label")));
			assert.ok(!labels.some((label) => label.includes("can be played")));
			await cell(page, layout.cells[before.view.moves[0].clicks[0]].name).click();
		}
		/* Nor can they type: Eve's field takes nothing, Ann's sends nothing while she waits. */
		assert.ok(await pages[2].getByLabel("Type a move").isDisabled());
		await pages[0].getByLabel("Type a move").fill(before.view.moves[0].move);
		await pages[0].keyboard.press("Enter");
		await pages[0].getByText("You can't move right now.").waitFor();
		for (const stranger of [ann, eve]) {
			const { status } = await stranger.ask("POST", `/api/v1/plays/${id}/moves`, { move: before.view.moves[0].move });
			assert.ok([403, 409].includes(status), `a stranger's move got ${status}`);
		}
		assert.equal((await world.server.get(`/api/v1/plays/${id}`)).version, before.version);
		for (const name of ["Undo", "Swap"])
			assert.ok(await (await control(pages[2], name)).isDisabled(), `${name} is there for a spectator`);
		for (const name of ["Resign", "Draw"])
			assert.equal(await (await control(pages[2], name)).count(), 0, `${name} is there for a spectator`);

		/* They greet each other; who watches hears it, and can say nothing. */
		await pages[1].getByRole("button", { name: "Good luck" }).click();
		for (const page of pages)
			await page.locator(".said", { hasText: "Bob: Good luck" }).waitFor();
		assert.equal(await pages[2].getByRole("button", { name: "Good luck" }).count(), 0);
		await pages[0].locator(".people", { hasText: "1 watching" }).waitFor();
		assert.equal(await pages[2].getByText("1 watching").count(), 0, "the spectator counts as another one");
		await pages[0].getByRole("button", { name: "Hide quick phrases" }).click();
		await pages[0].locator(".said").waitFor({ state: "detached" });
		for (const name of ["Hint", "Analyse"])
			assert.ok(await (await control(pages[0], name)).isDisabled(), `${name} during the game`);
		for (const [player, text] of [[ann, "Their turn"], [bob, "Your turn"]]) {
			const list = await player.tab("/my-games");
			await list.locator(".entry .turn", { hasText: text }).waitFor();
			await list.goto("about:blank");
		}

		await (await control(pages[1], "Resign")).click();
		await pages[1].getByRole("button", { name: "Yes, resign" }).click();
		await pages[0].getByText("You won by resignation").first().waitFor();
		await pages[1].getByRole("heading", { name: "You resigned" }).waitFor();
		await pages[1].locator(".end-panel").getByText("Red wins.", { exact: true }).waitFor();
		await pages[2].getByRole("heading", { name: /won by resignation/ }).waitFor();
		assert.equal((await bob.get(`/api/v1/plays/${id}`)).result, "win 1");

		await pages[0].keyboard.press("Escape"); // closes the menu
		await pages[0].getByRole("button", { name: "Rematch" }).click();
		await pages[1].getByText(/asks for a rematch/).waitFor();
		assert.equal(await pages[1].getByRole("button", { name: "Accept", exact: true }).count(), 0, "the rematch is offered once");
		await pages[1].getByRole("button", { name: "Decline" }).waitFor();
		await pages[1].getByRole("button", { name: "Accept rematch" }).click();
		for (const page of pages.slice(0, 2))
			await page.waitForURL((url) => url.pathname !== `/play/${id}` && url.pathname.startsWith("/play/"));
		await pages[2].keyboard.press("Escape"); // closes the menu
		await pages[2].getByRole("link", { name: "Watch it" }).click();
		const next = pages[0].url().split("/play/")[1];
		await until("the spectator to follow", () => pages[2].url().endsWith(next));
		const again = await world.server.get(`/api/v1/plays/${next}`);
		assert.equal(again.result, null);
		assert.ok(again.line.length === 0);
	}],
	["undo needs consent; a draw is agreed", async (world) => {
		const table = await threeAtATable(world, "reversi");
		const { id, pages } = table;
		await firstMoves(world, table, 2);
		const before = await world.server.get(`/api/v1/plays/${id}`);
		await (await control(pages[1], "Undo")).click();
		await pages[0].getByText("asks to take back a move").waitFor();
		assert.equal((await world.server.get(`/api/v1/plays/${id}`)).line.length, before.line.length);
		await pages[0].getByRole("button", { name: "Decline" }).click();
		await pages[1].getByText("You asked").waitFor({ state: "detached" });
		assert.equal((await world.server.get(`/api/v1/plays/${id}`)).line.length, before.line.length);
		await (await control(pages[1], "Undo")).click();
		await accept(pages[0]);
		await all(world, table, (play) => play.line.length < before.line.length);
		const left = (await world.server.get(`/api/v1/plays/${id}`)).line.length;
		await until("the list without what was taken back", async () => await pages[1].locator(".movetree .move").count() === left);

		await offerDraw(pages[0]);
		await pages[1].getByText("offers a draw").waitFor();
		assert.equal(await pages[2].getByRole("button", { name: "Accept" }).count(), 0);
		await accept(pages[1]);
		for (const page of pages)
			await page.getByText("Draw by agreement.").first().waitFor();
		assert.equal((await world.server.get(`/api/v1/plays/${id}`)).reason, "agreed");
	}],
	["a game is offered and joined in the lobby; a private one is not there", async (world) => {
		const [ann, bob] = [await world.player(), await world.player()];
		const { title } = (await ann.get("/api/v1/games")).find(({ name }) => name === "reversi");
		const join = `Join: ${title}, `;
		const lobby = await bob.tab("/lobby");
		await lobby.getByText("No open games right now").waitFor();
		await until("chess as the first choice", async () => await lobby.getByRole("combobox", { name: "Game" }).inputValue() === "chess");
		const hidden = await ann.tab("/games/hexapawn");
		await choose(hidden, { name: /^Anyone/ });
		await hidden.getByRole("checkbox", { name: /^Private/ }).check();
		await hidden.getByRole("button", { name: "Start the game" }).click();
		await hidden.waitForURL(/\/play\//);
		const page = await ann.tab("/lobby");
		await page.getByRole("combobox", { name: "Game" }).selectOption("reversi");
		await page.getByRole("button", { name: "Create a game" }).click();
		await page.waitForURL(/\/play\//);
		await lobby.getByRole("button", { name: join }).waitFor();
		const list = await bob.get("/api/v1/lobby");
		assert.ok(!JSON.stringify(list).includes(hidden.url().split("/play/")[1]), "the private game is in the lobby");
		await hidden.getByRole("button", { name: "Cancel the invitation" }).click();
		await hidden.getByRole("heading", { name: "This invitation was cancelled" }).waitFor();
		await countIs(lobby.getByRole("button", { name: /^Join/ }), 1);
		await lobby.getByRole("button", { name: join }).click();
		await lobby.waitForURL(page.url());
		await page.getByText("Your turn").first().waitFor();
		const watcher = await (await world.player()).tab("/lobby");
		await watcher.getByRole("link", { name: `Watch: ${title}, ` }).click();
		await watcher.getByText("You are watching this game.").waitFor();
	}],
	["two tabs of one person show the same game and both can play", async (world) => {
		const ann = await world.player();
		const { page, id } = await ann.play({ game: "noughts", seats: ["human", "human"] });
		const other = await ann.tab(`/play/${id}`);
		await board(other).waitFor();
		const table = { id, pages: [page, other] };
		await firstMoves(world, table, 4);
		const { view } = await world.server.get(`/api/v1/plays/${id}`);
		await checkBoard(world, page, view);
		await checkBoard(world, other, view);
	}],
	["who has an account is marked, right after a name that is cut off on a phone, and in the lobby", async (world) => {
		const [ann, bob] = [await world.player({ viewport: { width: 390, height: 844 } }), await world.player()];
		const name = "WWWWWWWWWWWWWWWWWWWWWWWW", mark = { name: "This player has an account" };
		assert.equal((await ann.ask("POST", "/api/v1/accounts", { name, password: "a password of Ann" })).status, 201);
		const { page, id } = await ann.play({ game: "connect4", seats: ["human", "open"] });
		const entry = (await bob.tab("/lobby")).getByRole("listitem").filter({ hasText: name });
		await entry.getByRole("img", mark).waitFor();
		await bob.ask("POST", `/api/v1/plays/${id}/actions`, { action: "join" });
		await countIs(page.getByRole("img", mark), 1, "only one has an account");
		const seat = page.locator(".seat", { has: page.getByRole("img", mark) });
		assert.equal(await seat.getByRole("img", mark).getAttribute("title"), mark.name);
		const [text, tick, chip] = await Promise.all([seat.getByText(name), seat.getByRole("img", mark), seat.locator(".chip")].map((one) => one.boundingBox()));
		assert.ok(text.height < 1.2 * chip.height && text.x + text.width <= tick.x && tick.x - text.x - text.width < 12 && tick.x + tick.width <= 390, JSON.stringify({ text, tick, chip }));
		assert.ok(await seat.getByText(name).evaluate((one) => one.scrollWidth > one.clientWidth), "the name is cut off");
		assert.ok((await seat.getByText("to move").boundingBox()).height < 20, "the turn has one line");
	}],
	["an account: another browser is logged out, a token is revoked, the password changed, the account deleted", async (world) => {
		const [here, there] = [await world.player(), await world.player()];
		world.allow(/401 \(Unauthorized\)/); // of the browser that is logged out
		const page = await here.tab("/settings"), other = await there.tab("/settings");
		const logIn = async (one, password, button) => {
			await one.getByLabel("Account name").fill("Berta");
			await one.getByLabel(/^Password/).fill(password);
			await one.getByRole("button", { name: button }).click();
			await one.getByText("You are logged in as").waitFor();
		};
		await logIn(page, "first password", "Create account");
		await logIn(other, "first password", "Log in");
		await page.getByRole("link", { name: /^Sessions, password/ }).click();
		await page.getByText("(this browser)").waitFor();
		await page.getByLabel("What the token is for").fill("my bot");
		await page.getByRole("button", { name: "Create a token" }).click();
		const token = await page.locator(".token code").textContent();
		const status = async () => (await fetch(`${world.server.url}/api/v1/me`, { headers: { Authorization: `Bearer ${token}` } })).status;
		assert.equal(await status(), 200);
		await page.getByRole("button", { name: "Revoke my bot" }).click();
		await until("the end of the token", async () => await status() === 401);
		await page.getByRole("button", { name: /^Log out (?!here|everywhere)/ }).click();
		await countIs(page.getByRole("button", { name: /^Log out (?!here|everywhere)/ }), 0);
		await other.reload();
		await other.getByLabel("Account name").waitFor(); // a guest again
		await page.getByLabel("Current password").fill("first password");
		await page.getByLabel(/^New password/).fill("second password");
		await page.getByRole("button", { name: "Change password" }).click();
		await page.getByText("Password changed.").waitFor();
		await logIn(other, "second password", "Log in");
		const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download my data" }).click()]);
		assert.equal(download.suggestedFilename(), "quevedo-account.json");
		const { id } = await here.play({ game: "noughts", seats: ["human", "open"] });
		await until("the mark of an account", async () => (await world.server.get(`/api/v1/plays/${id}`)).seats[0].account);
		await page.getByRole("region", { name: "Delete account" }).getByLabel("Your password").fill("second password");
		await page.getByLabel("I want to delete my account.").check();
		await page.getByRole("button", { name: "Delete account" }).click();
		await page.getByText("You are a guest here.").waitFor();
		await other.reload();
		await other.getByLabel("Account name").waitFor();
	}],
	["a player and a study are reported to the operator, and nobody else sees it", async (world) => {
		const table = await threeAtATable(world, "noughts"), [first, , third] = table.pages;
		await first.getByRole("button", { name: "Report a player" }).click();
		const form = first.getByRole("dialog", { name: "Report a player" });
		assert.equal(await form.getByRole("combobox").count(), 0, "there is one other player");
		assert.ok(await form.getByRole("button", { name: "Send report" }).isDisabled(), "a report needs a reason");
		await form.getByRole("radio", { name: /^The name is offensive/ }).check();
		await form.getByLabel(/What happened/).fill("The name is an insult.");
		await noViolations(first, "a report");
		await form.getByRole("button", { name: "Send report" }).click();
		await first.getByText("Thank you. The operator will look at it.").waitFor();
		await countIs(form, 0);
		await third.getByRole("button", { name: "Report a player" }).click(); // a spectator says which one
		await third.getByRole("dialog").getByLabel("Player").selectOption({ label: "Bob" });
		await third.getByRole("dialog").getByRole("radio", { name: /^Cheating/ }).check();
		await third.getByRole("button", { name: "Send report" }).click();
		await third.getByText("Thank you. The operator will look at it.").waitFor();
		const made = await table.ann.ask("POST", "/api/v1/studies", { title: "Mine", chapters: [{ name: "One", record: '{"quevedo":1,"game":"noughts","position":"start","seats":[]}\n' }] });
		const study = await table.bob.tab(`/study/${made.body.id}`);
		await study.getByRole("button", { name: "Report this study" }).click();
		await study.getByRole("radio", { name: "The study is offensive or illegal" }).check();
		await study.getByRole("button", { name: "Send report" }).click();
		await study.getByText("Thank you. The operator will look at it.").waitFor();
		const listed = JSON.parse(execFileSync(quevedo, ["server", "reports", "--json", "--data", world.server.data]));
		assert.deepEqual(listed.map(({ kind, reason, shown, text }) => [kind, reason, shown, text]).sort(), [
			["game", "cheating", "Bob", ""], ["game", "name", "Bob", "The name is an insult."], ["study", "content", "Mine", ""]]);
	}],
]);

const mails = mkdtempSync(join(tmpdir(), "quevedo-mails-"));
process.on("exit", () => rmSync(mails, { recursive: true, force: true }));

acceptance("mail", () => {
	writeFileSync(join(mails, "send.sh"), `cat >"${mails}/new" && mv "${mails}/new" "${mails}/mail"\n`);
	return ["--mail-command", `sh ${mails}/send.sh`, "--allow-host", "games.example"];
}, [
	["the link of a mail: whoever is not logged in logs in, and the address is confirmed", async (world) => {
		const [here, there] = [await world.player(), await world.player()];
		const password = "a password of Clara", email = "clara@example.org";
		assert.equal((await here.ask("POST", "/api/v1/accounts", { name: "Clara", password })).status, 201);
		assert.equal((await here.ask("POST", "/api/v1/account/email", { password, email })).status, 200);
		await until("the mail", () => existsSync(join(mails, "mail")));
		const [link] = /\/account\?confirm=\S+/.exec(readFileSync(join(mails, "mail"), "utf8"));
		const page = await there.tab(link);
		await page.getByRole("heading", { name: "Log in to confirm your address" }).waitFor();
		assert.equal(await page.getByRole("button", { name: "Create account" }).count(), 0);
		await page.getByLabel("Account name").fill("Clara");
		await page.getByLabel(/^Password/).fill(password);
		await page.getByRole("button", { name: "Log in" }).click();
		await page.getByText("E-mail address confirmed.").waitFor();
		await page.waitForURL(/\/account$/);
		assert.equal((await there.get("/api/v1/me")).email, email);
		world.allow(/403 \(Forbidden\)/); // it was used
		await page.goto(world.server.url + link);
		await page.getByRole("region", { name: "Confirm this e-mail address" }).getByRole("button").click();
		await page.getByText("This code is wrong, was used or has expired.").waitFor();
	}],
	["the code of a mail is entered", async (world) => {
		const dora = await world.player(), password = "a password of Dora", email = "dora@example.org";
		rmSync(join(mails, "mail"));
		assert.equal((await dora.ask("POST", "/api/v1/accounts", { name: "Dora", password })).status, 201);
		const page = await dora.tab("/account"), card = page.getByRole("region", { name: "E-mail" });
		await card.getByLabel("E-mail address").fill(email);
		await card.getByLabel("Your password").fill(password);
		await card.getByRole("button", { name: "Save address" }).click();
		await until("the mail", () => existsSync(join(mails, "mail")));
		await card.getByText("Enter a confirmation code").click();
		await card.getByLabel("Code").fill(/^The code is: (\S+)$/m.exec(readFileSync(join(mails, "mail"), "utf8"))[1]);
		await card.getByRole("button", { name: "Confirm this e-mail address" }).click();
		await page.getByText("E-mail address confirmed.").waitFor();
		assert.equal((await dora.get("/api/v1/me")).email, email);
	}],
	["the header leads to the account, where a guest can log in", async (world) => {
		const page = await (await world.player()).tab("/");
		await page.getByRole("banner").getByRole("link", { name: "Account" }).click();
		await page.getByText("You are a guest here.").waitFor();
		const login = page.getByRole("region", { name: "Log in or create an account" });
		await login.getByLabel("Account name").fill("Clara");
		await login.getByLabel(/^Password/).fill("a password of Clara");
		await login.getByRole("button", { name: "Log in" }).click();
		await page.getByText("You are logged in as").waitFor();
	}],
]);
