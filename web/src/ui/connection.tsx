// connection.tsx - banners: a lost connection, until it is back; on the static site also the engine, while it is loading.
// SPDX-License-Identifier: MIT
import { coreState, loadCore } from "../engine/core";
import { t } from "../messages";
import { usePlace } from "../router";
import { connection } from "../socket";
import { useStore } from "../store/store";

export function ConnectionBanner() {
	const lost = useStore(connection) === "lost";
	const { path } = usePlace();
	const canPlay = useStore(coreState) !== "none" && !path.startsWith("/play/");
	const text = canPlay ? t("ui.offline") : t("ui.connectionLost");
	return <div class="banner" role="status" hidden={!lost}>{lost ? text : ""}</div>;
}

/** With a server, its engine serves meanwhile, and nobody has to wait. */
export function EngineBanner() {
	const core = useStore(coreState);
	if (!STATIC_SITE || core === "idle" || core === "ready")
		return null;
	if (core === "loading")
		return <div class="banner" role="status">{t("ui.engineLoading")}</div>;
	return (
		<div class="banner" role="alert">
			{core === "none" ? t("ui.noWebAssembly") : `${t("ui.engineFailed")} `}
			{core === "failed" ? <button type="button" onClick={() => void loadCore().catch(() => {})}>{t("ui.tryAgain")}</button> : null}
		</div>
	);
}
