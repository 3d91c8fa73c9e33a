// share.ts - a lesson as a link: its text, compressed, after the "#" of the address.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { packText, unpackText } from "../ui/pack";
import { MOST_TEXT } from "./parse";

const MOST_LINK = 4 * MOST_TEXT + 1000; // characters; the longest lesson fits, even if nothing in it can be compressed

/** The part of the link after "#". */
export function packLesson(text: string): Promise<string> {
	return packText(text, MOST_LINK);
}

/** The text of a lesson from a link. Throws an Error for the reader. */
export async function unpackLesson(packed: string): Promise<string> {
	if (!packed)
		throw new Error(t("lessons.linkEmpty"));
	if (packed.length > MOST_LINK)
		throw new Error(t("lessons.linkTooLong"));
	try {
		return await unpackText(packed, 4 * MOST_TEXT);
	} catch {
		throw new Error(t("lessons.linkDamaged"));
	}
}
