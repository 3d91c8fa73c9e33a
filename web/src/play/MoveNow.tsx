// MoveNow.tsx - the button that makes the thinking computer play the best move it has found.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { post, RequestError } from "../api";
import type { Play } from "../types";
import { useKeys } from "../ui/keys";
import { toastError } from "../ui/toast";
import { roleOf } from "./rights";

const LONG_MS = 700; // a computer that moves sooner needs no button

/** Whether you may hurry the computer that is thinking. */
export function canHurry(play: Play): boolean {
	const people = play.seats.filter((seat) => seat.kind === "person");
	return play.thinking && (people.length ? roleOf(play).alone : play.owner);
}

/** If the move comes before the request, the server refuses it with 409, and nothing is wrong. */
async function moveNow(play: Play): Promise<void> {
	if (!canHurry(play))
		return;
	try {
		await post(`/api/v1/plays/${encodeURIComponent(play.id)}/actions`, { action: "move_now" });
	} catch (error) {
		if (!(error instanceof RequestError && error.status === 409))
			toastError(error);
	}
}

export function MoveNow({ play }: { play: Play }) {
	const [shown, setShown] = useState(false);
	const may = canHurry(play);
	useKeys({ n: () => void moveNow(play) });
	useEffect(() => {
		setShown(false);
		if (!may)
			return;
		const timer = setTimeout(() => setShown(true), LONG_MS);
		return () => clearTimeout(timer);
	}, [may, play.version]);
	/* The button disappears with the move, so move the focus to the board. */
	const press = () => {
		void moveNow(play);
		document.querySelector<SVGElement>("[role=gridcell][tabindex='0']")?.focus({ preventScroll: true });
	};
	return shown && may ? <button type="button" title="Play the best move found so far (n)" onClick={press}>Move now</button> : null;
}
