// MoveNow.tsx - the button that makes the thinking computer play the best move it has found.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { RequestError } from "../api";
import { t } from "../messages";
import type { Play } from "../types";
import { useKeys } from "../ui/keys";
import { toastError } from "../ui/toast";
import { hostOf } from "./host";
import { commandsComputers } from "./ownengine";

const LONG_MS = 700; // a computer that moves sooner needs no button

/** Whether you may hurry the computer that is thinking. */
export function canHurry(play: Play): boolean {
	return play.thinking && commandsComputers(play);
}

/** If the move comes before the request, the server refuses it with 409, and nothing is wrong. */
async function moveNow(play: Play, hurry: () => void): Promise<void> {
	if (!canHurry(play))
		return;
	if (play.engine === "browser")
		return hurry();
	try {
		await hostOf(play.id).act(play.id, { action: "move_now" });
	} catch (error) {
		if (!(error instanceof RequestError && error.status === 409))
			toastError(error);
	}
}

/** hurry: for the engine in this browser. */
export function MoveNow({ play, hurry }: { play: Play; hurry(): void }) {
	const [shown, setShown] = useState(false);
	const may = canHurry(play);
	useKeys({ n: () => void moveNow(play, hurry) });
	useEffect(() => {
		setShown(false);
		if (!may)
			return;
		const timer = setTimeout(() => setShown(true), LONG_MS);
		return () => clearTimeout(timer);
	}, [may, play.version]);
	/* The button disappears with the move, so move the focus to the board. */
	const press = () => {
		void moveNow(play, hurry);
		document.querySelector<SVGElement>("[role=gridcell][tabindex='0']")?.focus({ preventScroll: true });
	};
	return shown && may ? <button type="button" title={t("play.moveNowAbout")} onClick={press}>{t("play.moveNow")}</button> : null;
}
