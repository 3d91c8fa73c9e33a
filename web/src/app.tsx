// app.tsx - the entry point: header, the page for the address, footer.
// SPDX-License-Identifier: MIT
import { options, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "./messages";
import { Icon } from "./ui/icons";
import { Announcer } from "./ui/announce";
import { ConnectionBanner, EngineBanner } from "./ui/connection";
import { useKeys, watchPointing } from "./ui/keys";
import { Toasts } from "./ui/toast";
import { startRouter, usePlace } from "./router";
import { ShortcutsDialog } from "./pages/lazy";
import { links, routes } from "./routes";
import { startOffline } from "./first";
import { changeSettings, settings, startTheme } from "./store/settings";
import { useStore } from "./store/store";

function Header({ path }: { path: string }) {
	const { theme } = useStore(settings);
	const isDark = document.documentElement.dataset["theme"] === "dark";
	const [isOpen, setOpen] = useState(false); // the links, on a narrow screen
	useEffect(() => setOpen(false), [path]);
	return (
		<header class="top" onKeyDown={(event) => event.key === "Escape" && setOpen(false)}>
			<a class="skip" href="#main">{t("app.skip")}</a>
			<a class="brand" href="/" aria-label={t("app.brand")}>
				<Icon name="logo" /><span>Quevedo</span>
			</a>
			<button type="button" class="icon links-button" aria-label={t("app.menu")} title={t("app.menu")} aria-expanded={isOpen} aria-controls="links"
				onClick={() => setOpen(!isOpen)}><Icon name="menu" /></button>
			<nav class={isOpen ? "links open" : "links"} id="links" aria-label={t("app.main")}>
				{links.map(({ to, text }) => (
					<a href={to} aria-current={path === to ? "page" : undefined}>{text}</a>
				))}
			</nav>
			<button type="button" class="icon" key={theme} aria-label={isDark ? t("app.toLight") : t("app.toDark")}
				title={isDark ? t("app.toLight") : t("app.toDark")}
				onClick={() => changeSettings({ theme: isDark ? "light" : "dark" })}>
				<Icon name={isDark ? "sun" : "moon"} />
			</button>
			{!STATIC_SITE && <a class="icon" href="/account" aria-label={t("account.title")} title={t("account.title")}><Icon name="person" /></a>}
			<a class="icon" href="/settings" aria-label={t("app.settings")} title={t("app.settings")}><Icon name="gear" /></a>
		</header>
	);
}

function NotFound() {
	useEffect(() => void (document.title = t("app.notFoundTitle")), []);
	return (
		<section class="page narrow">
			<h1>{t("app.notFound")}</h1>
			<p>{t("app.notFoundAbout")}</p>
			<div class="row">
				<a class="button primary" href="/">{t("pages.allGames")}</a>
				{links.filter(({ to }) => /learn|puzzles|my-games/.test(to)).map(({ to, text }) => <a class="button" href={to}>{text}</a>)}
			</div>
		</section>
	);
}

function App() {
	const { path, query } = usePlace();
	useStore(settings);
	for (const route of routes) {
		const match = route.pattern.exec(path);
		if (!match)
			continue;
		const args = match.slice(1).map((text) => unescaped(text));
		return <Layout path={path}><route.page key={path} args={args} query={query} /></Layout>;
	}
	return <Layout path={path}><NotFound /></Layout>;
}

function Layout({ path, children }: { path: string; children: preact.ComponentChildren }) {
	const [hasKeys, showKeys] = useState(false);
	useKeys({ "?": () => showKeys(true) });
	return (
		<>
			<Header path={path} />
			<ConnectionBanner />
			<EngineBanner />
			<main id="main" tabIndex={-1}>{children}</main>
			<footer class="bottom">
				<span>{t("app.free")}</span>
				<a href="/help">{t("app.help")}</a>
				{!STATIC_SITE && <a href="/privacy">{t("app.privacy")}</a>}
				{!STATIC_SITE && <a href="/watch">{t("app.matches")}</a>}
				{!STATIC_SITE && <a href="/api/v1/openapi.json">{t("app.api")}</a>}
			</footer>
			{hasKeys && <ShortcutsDialog onClose={() => showKeys(false)} />}
			<Toasts />
			<Announcer />
		</>
	);
}

/** An address with a broken escape is used unchanged. */
function unescaped(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/* Effects run before the next event. By default they wait for the next frame, and one that clears what belongs to the last
   position would take away a click made in between. */
options.requestAnimationFrame = queueMicrotask;
startTheme();
watchPointing();
startRouter();
startOffline();
const root = document.getElementById("app");
if (root)
	render(<App />, root);
