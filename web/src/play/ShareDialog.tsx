// ShareDialog.tsx - what can be shared of a game, as a dialog; its contents are loaded later (end/lazy.ts).
// SPDX-License-Identifier: MIT
import { ShareParts } from "../end/lazy";
import { t } from "../messages";
import { hrefOf } from "../router";
import type { Play } from "../types";
import { copyText } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";

export function ShareDialog({ play, onClose }: { play: Play; onClose(): void }) {
	return (
		<Dialog title={t("play.share")} onClose={onClose}>
			<ShareParts play={play} />
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
			<button type="button" onClick={() => void copyText(text, label)} aria-label={t("play.copyOf", { name: label })}><Icon name="copy" />{t("ui.copy")}</button>
		</div>
	);
}
