// connection.tsx - the banner for a lost connection. It disappears after reconnecting.
// SPDX-License-Identifier: MIT
import { connection } from "../socket";
import { useStore } from "../store/store";

export function ConnectionBanner() {
	const lost = useStore(connection) === "lost";
	return (
		<div class="banner" role="status" hidden={!lost}>
			{lost ? "Connection lost. Reconnecting…" : ""}
		</div>
	);
}
