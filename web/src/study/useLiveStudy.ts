// useLiveStudy.ts - follows the changes of somebody else's study while it is on the screen.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import type { StoredStudy } from "./model";
import { studyOfServer } from "./sync";

const LOOK_MS = 4000;

/** The latest version. Only its number is requested until it changes, and nothing while the page is hidden. */
export function useLiveStudy(first: StoredStudy): StoredStudy {
	const [study, setStudy] = useState(first);
	useEffect(() => {
		let isOpen = true, known = first.version;
		const look = async () => {
			if (document.hidden)
				return;
			const { version } = await get<{ version: number }>(`/api/v1/studies/${encodeURIComponent(first.id)}/version`);
			if (version === known || !isOpen)
				return;
			const next = await studyOfServer(first.id);
			known = next.version;
			if (isOpen)
				setStudy(next);
		};
		const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS); // without a network the next look may succeed
		return () => {
			isOpen = false;
			clearInterval(timer);
		};
	}, []);
	return study;
}
