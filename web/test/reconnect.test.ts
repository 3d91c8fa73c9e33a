// reconnect.test.ts - unit tests of pauses before another attempt, and of requests that are sent again.
// SPDX-License-Identifier: MIT

import { test } from "node:test";
import assert from "node:assert/strict";
import { RequestError } from "../src/api";
import { pauseBefore, sendAgain } from "../src/reconnect";

test("pauses grow, within bounds, and are spread", () => {
	assert.equal(pauseBefore(0, 0), 125);
	assert.equal(pauseBefore(0, 1), 375);
	for (let failures = 0; failures < 60; failures++) {
		assert.ok(pauseBefore(failures, 0) <= pauseBefore(failures + 1, 0));
		assert.ok(pauseBefore(failures, 1) <= 15000);
		assert.equal(pauseBefore(failures, 1), 3 * pauseBefore(failures, 0));
	}
});

/** Sends to a server that fails with these statuses, then answers. Returns the attempts and the outcome. */
async function sent(...statuses: number[]): Promise<[number, string]> {
	let attempts = 0;
	const outcome = await sendAgain(() => {
		const status = statuses[attempts++];
		return status === undefined ? Promise.resolve("done") : Promise.reject(new RequestError(status, "", `status ${status}`));
	}, () => Promise.resolve()).catch((error: Error) => error.message);
	return [attempts, outcome];
}

test("a request whose response is lost is sent again", async () => {
	assert.deepEqual(await sent(), [1, "done"]);
	assert.deepEqual(await sent(0, 503, 502), [4, "done"]);
});

test("one that is refused is not", async () => {
	for (const status of [400, 401, 403, 404, 409, 413, 429, 500])
		assert.deepEqual(await sent(0, status), [2, `status ${status}`]);
});

test("it gives up after a bounded number of attempts", async () => {
	const [attempts, outcome] = await sent(...Array<number>(100).fill(0));
	assert.equal(outcome, "status 0");
	assert.ok(attempts >= 8 && attempts <= 24, String(attempts));
});
