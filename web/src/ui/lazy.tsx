// lazy.tsx - components whose code is loaded when they are first shown, so that the first board comes sooner.
// SPDX-License-Identifier: MIT
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../messages";

let styled: Promise<void> | null = null;

/** The style sheet of all parts that are loaded later, once. */
export function laterStyle(): Promise<void> {
	styled ??= new Promise((loaded, failed) => {
		const link = document.createElement("link");
		link.rel = "stylesheet";
		link.href = new URL(LATER_STYLE, import.meta.url).href;
		link.onload = () => loaded();
		link.onerror = () => {
			link.remove();
			styled = null;
			failed(new Error("the style sheet could not be loaded"));
		};
		document.head.append(link);
	});
	return styled;
}

/** A part that the first style sheet serves. */
export function lazyUnstyled<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
	let loaded: ComponentType<P> | null = null;
	return function Lazy(props: P) {
		const [tries, setTries] = useState(0);
		const [failed, setFailed] = useState(false);
		const [, setReady] = useState(loaded !== null);
		useEffect(() => {
			if (loaded)
				return;
			setFailed(false);
			load().then((component) => {
				loaded = component;
				setReady(true);
			}, () => setFailed(true));
		}, [tries]);
		const Loaded = loaded;
		if (Loaded)
			return <Loaded {...props} />;
		return failed
			? <p class="failure" role="alert"><span>{t("ui.cannotLoad")}</span><button type="button" onClick={() => setTries(tries + 1)}>{t("ui.tryAgain")}</button></p>
			: <p class="waiting" role="status">{t("ui.loading")}</p>;
	};
}

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
	return lazyUnstyled(() => Promise.all([load(), laterStyle()]).then(([component]) => component));
}
