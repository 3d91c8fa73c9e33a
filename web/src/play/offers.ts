// offers.ts - what became of offers: pure functions.
// SPDX-License-Identifier: MIT
import type { OfferKind, Play } from "../types";

type Seen = Pick<Play, "id" | "cursor" | "result" | "rematch" | "seats" | "offers">;

function seatsText({ seats }: Seen): string {
	return JSON.stringify(seats.map(({ kind, name, you }) => [kind, name, you]));
}

/** Your offers that are gone although nothing else has changed: they were declined, or you have withdrawn them. */
export function declinedOffers(before: Seen, after: Seen): OfferKind[] {
	if (before.id !== after.id || before.cursor !== after.cursor || before.result !== after.result || before.rematch !== after.rematch ||
		seatsText(before) !== seatsText(after))
		return [];
	const mine = before.seats.filter(({ you }) => you).map(({ seat }) => seat);
	return before.offers.filter(({ kind, seat }) => mine.includes(seat) && !after.offers.some((offer) => offer.kind === kind))
		.map(({ kind }) => kind);
}
