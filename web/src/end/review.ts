// review.ts - opens a game for review: the one place that decides where.
// SPDX-License-Identifier: MIT
import { navigate } from "../router";
import { reviewLink } from "../review/link";
import type { Play } from "../types";

export function reviewOf(play: Play): void {
	navigate(reviewLink(play));
}
