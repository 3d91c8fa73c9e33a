// connection.tsx - the line that says that the connection is lost. It goes by itself.
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
