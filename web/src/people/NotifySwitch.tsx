// NotifySwitch.tsx - turns notifications on and off.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { settings } from "../store/settings";
import { useStore } from "../store/store";
import { canNotify, setNotify } from "./notify";

export function NotifySwitch() {
	const { notify } = useStore(settings);
	if (!canNotify())
		return null;
	return (
		<label>
			<input type="checkbox" checked={notify && Notification.permission === "granted"} onChange={(event) => {
				const box = event.currentTarget;
				void setNotify(box.checked).then(() => (box.checked = settings.get().notify));
			}} />
			<span>{t("people.notify")}</span>
		</label>
	);
}
