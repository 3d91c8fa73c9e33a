// GameEnd.tsx - notices that a game has ended while you looked, and then shows the panel of the end, once.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import type { PlayActions } from "../play/actions";
import type { Board, Game, Play } from "../types";
import { EndPanel } from "./lazy";

export interface EndProps {
	play: Play;
	board: Board | null;
	game: Game | null;
	actions: PlayActions;
}

export function GameEnd(props: EndProps) {
	const { play } = props;
	const before = useRef(play);
	const [shown, setShown] = useState(false);
	useEffect(() => {
		const { id, result } = before.current;
		before.current = play;
		if (id !== play.id || !play.result)
			setShown(false);
		else if (!result)
			setShown(true);
	}, [play]);
	return shown && play.result ? <EndPanel {...props} onClose={() => setShown(false)} /> : null;
}
