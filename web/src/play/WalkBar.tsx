// WalkBar.tsx - the buttons that walk the moves of a game, and the way back to it.
// SPDX-License-Identifier: MIT
import { WalkButtons } from "../pages/walk";
import type { Play } from "../types";
import type { Ask } from "./actions";
import { roleOf } from "./rights";
import type { Look } from "./useLook";

export function WalkBar({ look, play, ask }: { look: Look; play: Play; ask: Ask }) {
	const role = roleOf(play);
	return (
		<div class="walk-bar">
			<WalkButtons walk={look} />
			{look.back ? (
				<div class="row">
					<button type="button" class="primary" onClick={look.toGame}>Back to the game</button>
					{role.alone && !play.result ? (
						<button type="button" onClick={() => void ask.act({ action: "goto", node: look.node }).then((done) => done && look.toGame())}>
							Play from here
						</button>
					) : null}
				</div>
			) : null}
		</div>
	);
}
