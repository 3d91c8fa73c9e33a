// useSaving.ts - saves an open study: in this browser at once, on the server after a pause.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { RequestError } from "../api";
import { mayPass, pauseBefore } from "../reconnect";
import type { StudyMessage } from "../types";
import { isTooLarge, type StoredStudy, type StudyText } from "./model";
import { keepStudy } from "./store";
import { createStudy, serverStudy, takeTheirs, uploadStudy, type OpenStudy } from "./sync";

export type SaveState = "saved" | "saving" | "here" | "large"; // here: in this browser only; large: not at all

const PAUSE_MS = 1200;

export interface Saving {
	study: StoredStudy;
	state: SaveState;
	conflict: StudyMessage | null;
	change(part: Partial<StudyText>): void;
	/** Saves now, if there is something to save. */
	flush(): Promise<StoredStudy>;
	/** Both end a conflict. */
	takeTheirs(): Promise<void>;
	keepMine(): Promise<StoredStudy>; // as a study of its own
}

/** The state of a study that was just opened. */
export function openedState({ study, missing }: Pick<OpenStudy, "study" | "missing">): SaveState {
	return (study.changed || missing) && !STATIC_SITE ? "here" : "saved";
}

export function useSaving(opened: OpenStudy): Saving {
	const { study: first, conflict: clash } = opened;
	const [study, setStudy] = useState(first);
	const [state, setState] = useState<SaveState>(openedState(opened));
	const [conflict, setConflict] = useState(clash);
	const latest = useRef(first);
	const timer = useRef(0);
	const running = useRef<Promise<StoredStudy> | null>(null);
	const unanswered = useRef<StoredStudy | null>(null); // the server may have saved it
	const failures = useRef(0); // in a row
	const closed = useRef(false);
	const missing = useRef(opened.missing ?? false); // uploaded again when you change or share it

	const set = (next: StoredStudy) => {
		latest.current = next;
		setStudy(next);
	};

	async function upload(): Promise<StoredStudy> {
		const sent = unanswered.current ?? latest.current;
		unanswered.current = null;
		if (STATIC_SITE || (!sent.changed && !missing.current)) {
			setState("saved");
			return sent;
		}
		try {
			const { server, version, changed } = await uploadStudy(sent);
			failures.current = 0;
			missing.current = false;
			/* What was changed meanwhile is still to be saved. */
			const isDone = !changed && latest.current.chapters === sent.chapters && latest.current.title === sent.title && latest.current.about === sent.about;
			set({ ...latest.current, server, version, changed: !isDone });
			await keepStudy(latest.current);
			setState(isDone ? "saved" : "saving");
			if (!isDone)
				schedule();
		} catch (error) {
			setState("here");
			if (mayPass(error))
				sendLater(sent);
			else if (error instanceof RequestError && error.status === 409)
				setConflict(await serverStudy(sent.server).catch(() => null));
		}
		return latest.current;
	}

	/** One request at a time: each names the version that the one before made. */
	async function flush(): Promise<StoredStudy> {
		clearTimeout(timer.current);
		await running.current;
		running.current = upload();
		const done = await running.current;
		running.current = null;
		return done;
	}

	function schedule(pause = PAUSE_MS): void {
		clearTimeout(timer.current);
		timer.current = window.setTimeout(() => void flush(), pause);
	}

	/** The same text first, whatever changes meanwhile: if it was saved, the server's version is ours and no conflict. */
	function sendLater(sent: StoredStudy): void {
		unanswered.current = sent.server ? sent : null;
		if (!closed.current)
			schedule(pauseBefore(1 + failures.current++));
	}

	useEffect(() => {
		if (first.changed && !clash)
			void flush();
		return () => {
			closed.current = true;
			clearTimeout(timer.current);
			if (latest.current.changed && !STATIC_SITE)
				void flush();
		};
	}, []);

	return {
		study, state, conflict, flush,
		change(part) {
			const next = { ...latest.current, ...part, updated: Date.now(), changed: true };
			set(next);
			if (isTooLarge(next))
				return setState("large");
			void keepStudy(next);
			setState(STATIC_SITE ? "saved" : "saving");
			if (!conflict)
				schedule();
		},
		async takeTheirs() {
			if (conflict)
				set(await takeTheirs(conflict, latest.current));
			setConflict(null);
			setState("saved");
		},
		async keepMine() {
			const { title, about, chapters } = latest.current, mine = await createStudy({ title, about, chapters });
			if (conflict)
				await takeTheirs(conflict, latest.current);
			return mine;
		},
	};
}
