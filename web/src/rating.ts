// rating.ts - Glicko-2 (Mark Glickman, "Example of the Glicko-2 system", 2013): pure functions.
// SPDX-License-Identifier: MIT

export interface Rating {
	rating: number; // on the scale of Elo
	deviation: number; // the rating is within two of these with 95 %
	volatility: number; // how much the results vary
}

/** A result against an opponent or a puzzle, whose rating does not change by it. */
export interface RatedResult {
	rating: number;
	deviation: number;
	score: number; // 1: won, 0.5: draw, 0: lost
}

export const NEW_RATING: Rating = { rating: 1500, deviation: 350, volatility: 0.06 };

const SCALE = 173.7178, CENTRE = 1500; // 400 / ln 10
const TAU = 0.5; // how fast the volatility may change
const CLOSE = 1e-6;

/** How much less a result says if the opponent's rating is uncertain. */
function weightOf(phi: number): number {
	return 1 / Math.sqrt(1 + (3 * phi * phi) / (Math.PI * Math.PI));
}

/** The expected score against an opponent. */
export function expectedScore(rating: number, opponent: Pick<RatedResult, "rating" | "deviation">): number {
	return 1 / (1 + Math.exp((-weightOf(opponent.deviation / SCALE) * (rating - opponent.rating)) / SCALE));
}

/** Step 5 of the paper: the Illinois algorithm finds the root of f. */
function nextVolatility(delta: number, phi: number, v: number, sigma: number): number {
	const a = Math.log(sigma * sigma);
	const f = (x: number) => {
		const e = Math.exp(x), sum = phi * phi + v + e;
		return (e * (delta * delta - sum)) / (2 * sum * sum) - (x - a) / (TAU * TAU);
	};
	let low = a, high = delta * delta > phi * phi + v ? Math.log(delta * delta - phi * phi - v) : a - TAU;
	while (delta * delta <= phi * phi + v && f(high) < 0)
		high -= TAU;
	let atLow = f(low), atHigh = f(high);
	while (Math.abs(high - low) > CLOSE) {
		const next = low + ((low - high) * atLow) / (atHigh - atLow), atNext = f(next);
		if (atNext * atHigh <= 0) {
			low = high;
			atLow = atHigh;
		} else {
			atLow /= 2;
		}
		high = next;
		atHigh = atNext;
	}
	return Math.exp(low / 2);
}

/** The rating after the results of one rating period. Without results only the deviation grows. */
export function rate({ rating, deviation, volatility }: Rating, results: RatedResult[]): Rating {
	const phi = deviation / SCALE;
	if (!results.length)
		return { rating, volatility, deviation: Math.min(NEW_RATING.deviation, SCALE * Math.hypot(phi, volatility)) };
	let information = 0, surprise = 0;
	for (const result of results) {
		const weight = weightOf(result.deviation / SCALE), expected = expectedScore(rating, result);
		information += weight * weight * expected * (1 - expected);
		surprise += weight * (result.score - expected);
	}
	const v = 1 / information;
	const sigma = nextVolatility(v * surprise, phi, v, volatility);
	const next = 1 / Math.sqrt(1 / (phi * phi + sigma * sigma) + information);
	return {
		rating: CENTRE + SCALE * ((rating - CENTRE) / SCALE + next * next * surprise),
		deviation: Math.min(NEW_RATING.deviation, SCALE * next),
		volatility: sigma,
	};
}
