// rating.test.ts - unit tests of Glicko-2.
// SPDX-License-Identifier: MIT
import { test } from "node:test";
import assert from "node:assert/strict";
import { expectedScore, NEW_RATING, rate } from "../src/rating";

const near = (actual: number, expected: number, error: number) =>
	assert.ok(Math.abs(actual - expected) <= error, `${actual} is not ${expected}`);

test("the example of Glickman's paper", () => {
	const after = rate({ rating: 1500, deviation: 200, volatility: 0.06 }, [
		{ rating: 1400, deviation: 30, score: 1 },
		{ rating: 1550, deviation: 100, score: 0 },
		{ rating: 1700, deviation: 300, score: 0 },
	]);
	near(after.rating, 1464.06, 0.01);
	near(after.deviation, 151.52, 0.01);
	near(after.volatility, 0.05999, 0.00001);
});

test("without results only the deviation grows, and never beyond that of a new player", () => {
	const after = rate({ rating: 1600, deviation: 50, volatility: 0.06 }, []);
	assert.equal(after.rating, 1600);
	near(after.deviation, Math.hypot(50, 0.06 * 173.7178), 0.001);
	assert.equal(rate(NEW_RATING, []).deviation, 350);
});

test("surprising results move the rating and raise the volatility", () => {
	const strong = Array.from({ length: 10 }, () => ({ rating: 2400, deviation: 30, score: 1 }));
	const after = rate({ rating: 1500, deviation: 60, volatility: 0.06 }, strong);
	assert.ok(after.rating > 1700 && after.volatility > 0.06);
	near(expectedScore(1500, { rating: 1500, deviation: 0 }), 0.5, 1e-9);
	near(expectedScore(1900, { rating: 1500, deviation: 0 }), 10 / 11, 1e-4);
});

test("many lost games stay finite", () => {
	let now = NEW_RATING;
	for (let i = 0; i < 500; i++)
		now = rate(now, [{ rating: 1000, deviation: 0, score: 0 }]);
	assert.ok(Number.isFinite(now.rating) && now.deviation > 0);
});
