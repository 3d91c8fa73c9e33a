// DamagedNotice.tsx - a game of which the server cannot read a part.
// SPDX-License-Identifier: MIT
import { t } from "../messages";

export function DamagedNotice() {
	return <p class="notice" role="alert">{t("play.damaged")}</p>;
}
