// frames.ts - the positions of a sample game, which are sent as changes.
// SPDX-License-Identifier: MIT
import type { Frame, Standing, View } from "../types";

/** The position at a frame. */
export function viewOfFrame(frames: Frame[], at: number): Pick<View, "standing" | "marks" | "last"> {
	const standing = new Map<number, Standing>();
	for (const { changes } of frames.slice(0, at + 1))
		for (const piece of changes) {
			standing.delete(piece[0]);
			if (piece[2])
				standing.set(piece[0], piece);
		}
	const { marks, touches } = frames[at] ?? { marks: [], touches: [] };
	return { standing: [...standing.values()], marks, last: { move: "", seat: 0, touches } };
}
