// imcs.test.mjs - a game over IMCS, watched on the page while two programs play it.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { createConnection } from "node:net";
import { acceptance, board, inStep, until } from "./support.mjs";

/** Somebody at the IMCS server. */
class Guest {
	constructor(server) {
		const [host, port] = server.imcs.split(":");
		this.heard = "";
		this.socket = createConnection({ host, port: Number(port) });
		this.socket.setEncoding("latin1");
		this.socket.on("data", (text) => (this.heard += text));
		this.socket.on("error", () => {});
	}

	say(line) {
		this.socket.write(`${line}\r\n`);
	}

	async hears(text) {
		await until(`'${text}' in '${this.heard}'`, () => this.heard.includes(text));
	}
}

acceptance("IMCS", ["--imcs", "0"], [
	["a game is in the lobby, is seen move by move, and stays to be replayed", async (world) => {
		const [ann, bob] = [new Guest(world.server), new Guest(world.server)];
		ann.say("register ann pw");
		bob.say("register bob pw");
		await ann.hears("202 ");
		await bob.hears("202 ");
		ann.say("offer W");
		await ann.hears("103 1 ");
		bob.say("accept 1");
		await bob.hears("106 B");
		const page = await (await world.player()).tab("/lobby");
		const entry = page.getByRole("region", { name: "In progress" });
		await entry.getByText("ann").first().waitFor();
		await entry.getByRole("link", { name: /Watch/ }).first().click();
		await board(page).waitFor();
		const id = new URL(page.url()).pathname.split("/").pop();
		ann.say("b1-c3");
		await bob.hears("! b1-c3");
		bob.say("d6-c4");
		await ann.hears("! d6-c4");
		await inStep(world, page, id, (play) => play.line.length === 2);
		await page.getByText("bob").first().waitFor();
		ann.say("resign");
		await bob.hears("232 B wins on opponent resignation");
		const play = await inStep(world, page, id, (one) => one.result);
		assert.equal(play.result, "win 2");
	}],
]);
