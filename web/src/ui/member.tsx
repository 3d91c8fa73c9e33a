// member.tsx - the mark beside the name of a player who has an account.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { Icon } from "./icons";

export function Member({ of }: { of: { account?: boolean } }) {
	return of.account ? <span class="member" role="img" aria-label={t("account.hasAccount")} title={t("account.hasAccount")}><Icon name="exact" /></span> : null;
}
