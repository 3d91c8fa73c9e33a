// WalkBar.tsx - the navigation buttons of a game, and the way back to the current position.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { WalkButtons } from "../pages/walk";
import type { Play } from "../types";
import type { PlayActions } from "./actions";
import { roleOf } from "./rights";
import type { Look } from "./useLook";

export function WalkBar({ look, play, actions }: { look: Look; play: Play; actions: PlayActions }) {
	const role = roleOf(play);
	return (
		<div class="walk-bar">
			<WalkButtons walk={look} />
			{look.back ? (
				<div class="row">
					<button type="button" class="primary" onClick={look.toGame}>{t("play.backToGame")}</button>
					{role.alone && !play.result ? (
						<button type="button" onClick={() => void actions.act({ action: "goto", node: look.node }).then((done) => done && look.toGame())}>
							{t("play.playFromHere")}
						</button>
					) : null}
				</div>
			) : null}
		</div>
	);
}
