// ShareDialog.tsx - links to the game and to the current position.
// SPDX-License-Identifier: MIT
import { analyseLink } from "../pages/parts";
import { hrefOf } from "../router";
import type { Play } from "../types";
import { copyText } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { isLocal } from "./local";

export function ShareDialog({ play, onClose }: { play: Play; onClose(): void }) {
	return (
		<Dialog title="Share" onClose={onClose}>
			<div class="stack">
				{!isLocal(play.id) && <CopyField label="Link to this game" text={absolute(`/play/${encodeURIComponent(play.id)}`)} />}
				<CopyField label="Link to this position" text={absolute(analyseLink(play.game, play.view.position, []))} />
				<CopyField label="Position as text" text={play.view.position} />
			</div>
		</Dialog>
	);
}

export function absolute(path: string): string {
	return new URL(hrefOf(path), location.href).href;
}

export function CopyField({ label, text }: { label: string; text: string }) {
	return (
		<div class="copy-field">
			<label class="field">
				<span>{label}</span>
				<input type="text" readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
			</label>
			<button type="button" onClick={() => void copyText(text, label)} aria-label={`Copy: ${label}`}><Icon name="copy" />Copy</button>
		</div>
	);
}
