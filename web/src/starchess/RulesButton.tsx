// RulesButton.tsx - a button that shows the rules, which are loaded then (lazy.ts).
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { t } from "../messages";
import { Dialog } from "../ui/dialog";
import { StarRules } from "./lazy";

export function RulesButton() {
	const [open, setOpen] = useState(false);
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>{t("starchess.rules")}</button>
			{open ? <Dialog title={t("starchess.rulesTitle")} onClose={() => setOpen(false)}><StarRules /><button type="button" onClick={() => setOpen(false)}>{t("ui.close")}</button></Dialog> : null}
		</>
	);
}
