// connection.tsx - banners: a lost connection, until it is back; on the static site also the engine, while it is loading.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { coreState, loadCore } from "../engine/core";
import { t } from "../messages";
import { usePlace } from "../router";
import { connection } from "../socket";
import { useStore } from "../store/store";

const NOTICE_MS = 700; // until then another server is usually there, and a banner would only move the page up and down

export function ConnectionBanner() {
	const isLost = useStore(connection) === "lost";
	const [lost, setLost] = useState(false);
	useEffect(() => {
		const timer = window.setTimeout(() => setLost(isLost), isLost ? NOTICE_MS : 0);
		return () => clearTimeout(timer);
	}, [isLost]);
	const { path } = usePlace();
	const canPlay = useStore(coreState) !== "none" && !path.startsWith("/play/");
	const text = canPlay ? t("ui.offline") : t("ui.connectionLost");
	return <div class="banner floating" role="status" hidden={!lost}>{lost ? text : ""}</div>;
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
