// PlayHint.tsx - the button beside a hint that plays its move.
// SPDX-License-Identifier: MIT
import { t } from "../messages";

export function PlayHint({ onClick }: { onClick(): void }) {
	return <>{" "}<button type="button" class="text" title={t("play.playHintAbout")} onClick={onClick}>{t("play.playHint")}</button></>;
}
