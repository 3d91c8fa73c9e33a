// lazy.tsx - components whose code is loaded when they are first shown, so that the first board comes sooner.
// SPDX-License-Identifier: MIT
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../messages";
import { LOW } from "./media";

const styled = new Map<string, Promise<void>>();

/** Loads a style sheet once. */
function loadStyle(name: string): Promise<void> {
	const before = styled.get(name);
	if (before)
		return before;
	const loading = new Promise<void>((loaded, failed) => {
		const link = document.createElement("link");
		link.rel = "stylesheet";
		link.href = new URL(name, import.meta.url).href;
		link.onload = () => loaded();
		link.onerror = () => {
			link.remove();
			styled.delete(name);
			failed(new Error("the style sheet could not be loaded"));
		};
		document.head.append(link);
	});
	styled.set(name, loading);
	return loading;
}

/** The style sheet of the parts that are loaded later, and as soon as a phone is on its side, the one for that. */
export async function laterStyle(): Promise<void> {
	const low = matchMedia(LOW), isFirst = !styled.has(LATER_STYLE);
	if (isFirst)
		low.addEventListener("change", () => void laterStyle().catch(() => {}));
	await Promise.all([loadStyle(LATER_STYLE), low.matches && loadStyle(LANDSCAPE_STYLE)]);
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

/** A part with the second style sheet of late parts (laboratory.css). */
export function lazyLaboratory<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
	return lazy(() => Promise.all([load(), loadStyle(LABORATORY_STYLE)]).then(([component]) => component));
}
