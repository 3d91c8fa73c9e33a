// copy.ts - copies text to the clipboard, also on plain http, where the clipboard API is not available.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { toast } from "./toast";

/** The old way: from a field, which must be inside the open dialog, if there is one. */
function copyFromField(text: string): boolean {
	const before = document.activeElement;
	const field = document.createElement("textarea");
	field.value = text;
	field.className = "unseen";
	(document.querySelector("dialog[open]") ?? document.body).append(field);
	field.select();
	const done = document.execCommand("copy");
	field.remove();
	if (before instanceof HTMLElement)
		before.focus({ preventScroll: true });
	return done;
}

/** what: the name of the text, for the message. */
export async function copyText(text: string, what: string): Promise<void> {
	const isWritten = await navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;
	if (isWritten || copyFromField(text))
		toast(t("ui.copied", { what }));
	else
		window.prompt(t("ui.copyThis", { what }), text);
}
