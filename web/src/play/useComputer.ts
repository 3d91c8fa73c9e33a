// useComputer.ts - the computers of a play, if the engine in this browser thinks for them. The server checks their moves.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { RequestError } from "../api";
import { engineFor, type Terms } from "../engine/ask";
import { coreState, hasData, loadedData, useEngineData } from "../engine/core";
import { baseName } from "../pages/parts";
import { settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Play, PlayMessage, ThoughtsMessage } from "../types";
import { toastError } from "../ui/toast";
import { isAhead } from "./ahead";
import { hostOf } from "./host";
import { useLead } from "./lead";
import { isLocal } from "./local";
import { canThinkHere, commandsComputers, counts, needsOf } from "./ownengine";
import { startSearch, waitForMove } from "./thinking";

const PATIENCE_MS = 2000; // until the server thinks instead of a core that is still loading
const RETRY_MS = 1000; // until a move that could not be sent is sent again

export interface Computer {
	thoughts: ThoughtsMessage | null;
	/** The computer plays the best move that it has found. */
	hurry(): void;
}

function wait(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}

/** After a conflict the play has moved on without this tab: somebody else thinks or has moved. */
function showError(error: unknown): void {
	if (!(error instanceof RequestError && error.status === 409))
		toastError(error);
}

/** Sends the move of a computer until it arrives, or the play has moved on. */
async function sendMove(play: Play, move: string, isCurrent: () => boolean): Promise<PlayMessage | null> {
	while (isCurrent())
		try {
			return await hostOf(play.id).move(play.id, { move, turn: play.turn });
		} catch (error) {
			const later = error instanceof RequestError && (error.status === 0 || error.status === 429 || error.status >= 500);
			if (!later) {
				showError(error);
				return null;
			}
			await wait(RETRY_MS);
		}
	return null;
}

function termsOf(play: Play): Terms {
	return { counts: counts(play), ...needsOf(play.seats.map(({ spec }) => spec)) };
}

/** Who thinks from now on. */
function setEngine(play: Play, engine: Play["engine"], receive: (message: PlayMessage) => void): void {
	hostOf(play.id).act(play.id, { action: "engine", engine }).then(receive, showError);
}

/** Lets the browser's engine think from its next turn on: once for each play, so that two tabs do not contend. */
function useTakeOver(play: Play | null, leads: boolean, receive: (message: PlayMessage) => void): void {
	const core = useStore(coreState), data = useStore(loadedData);
	const { engine } = useStore(settings);
	const taken = useRef("");
	useEffect(() => {
		const isBusy = play?.thinking && play.seats.some((seat) => seat.kind === "person");
		if (!play || !leads || isBusy || isLocal(play.id) || play.engine === "browser" || taken.current === play.id || !canThinkHere(play) ||
			engineFor(play.game, termsOf(play)) !== "browser")
			return;
		taken.current = play.id;
		setEngine(play, "browser", receive);
	}, [play?.id, play?.version, leads, core, data, engine]);
}

/** show: takes a move that cannot be sent yet, because yours was not. It is sent afterwards. */
export function useComputer(play: Play | null, receive: (message: PlayMessage) => void, show: (move: string) => void): Computer {
	const [thoughts, setThoughts] = useState<ThoughtsMessage | null>(null);
	const core = useStore(coreState);
	useStore(loadedData);
	const hurry = useRef<() => void>(() => {});
	const hurried = useRef(false); // the seat to move has to move at once, for its whole turn
	const movedAt = useRef(-Infinity);
	const shown = useRef({ position: "", move: "" }); // the answer that was shown already
	useEngineData(play?.game ?? "");
	const { leads, claim } = useLead(play && !isLocal(play.id) ? `quevedo ${play.id}` : "");
	useTakeOver(play, leads, receive);
	const spec = play?.seats.find((seat) => seat.seat === play.view.seat)?.spec;
	const due = leads && play?.engine === "browser" && play.thinking && spec && commandsComputers(play) ? `${play.id} ${play.turn}` : "";
	const choice = due && play ? engineFor(play.game, termsOf(play)) : "none";
	const isLoading = choice !== "browser" && (core === "idle" || core === "loading" || !hasData(baseName(play?.game ?? "")));

	useEffect(() => void (hurried.current = false), [play?.id, play?.view.seat]);
	useEffect(() => {
		if (!play || !due || !spec)
			return;
		if (choice !== "browser") {
			if (isAhead(play))
				return;
			const timer = setTimeout(() => setEngine(play, "server", receive), isLoading ? PATIENCE_MS : 0);
			return () => clearTimeout(timer);
		}
		let current = true;
		const began = performance.now();
		const finish = async (move: string | null) => {
			if (isAhead(play)) {
				shown.current = { position: play.view.position, move: move ?? "" };
				return move === null ? undefined : show(move);
			}
			if (move === null)
				return setEngine(play, "server", receive);
			if (!hurried.current)
				await waitForMove(play, movedAt.current, began);
			const message = await sendMove(play, move, () => current);
			movedAt.current = performance.now();
			if (message)
				receive(message);
		};
		if (shown.current.move && shown.current.position === play.view.position) {
			void finish(shown.current.move);
			shown.current.move = "";
			return () => void (current = false);
		}
		const search = startSearch(play, { player: spec }, setThoughts, (move) => void finish(move));
		hurry.current = () => {
			hurried.current = true;
			search.hurry();
		};
		if (hurried.current)
			search.hurry();
		return () => {
			current = false;
			search.stop();
			hurry.current = () => {};
		};
	}, [due, spec, choice, isLoading]);
	const moveNow = () => {
		if (!leads) { // this tab thinks from now on
			hurried.current = true;
			claim();
		}
		hurry.current();
	};
	return { thoughts, hurry: moveNow };
}
