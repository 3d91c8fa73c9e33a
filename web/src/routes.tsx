// routes.tsx - the pages and their addresses. To add one: write pages/NAME.tsx, list it here.
// SPDX-License-Identifier: MIT
import type { ComponentType } from "preact";
import { AnalysePage } from "./pages/analyse";
import { EditPage } from "./pages/edit";
import { GalleryPage } from "./pages/gallery";
import { GamePage } from "./pages/game";
import { HelpPage } from "./pages/help";
import { LobbyPage } from "./pages/lobby";
import { MatchPage } from "./pages/match";
import { PlayPage } from "./pages/play";
import { SettingsPage } from "./pages/settings";
import { TrainPage } from "./pages/train";
import { WatchPage } from "./pages/watch";

export interface PageProps {
	/** The matched groups of the pattern, unescaped. */
	args: string[];
	query: URLSearchParams;
}

export interface Route {
	pattern: RegExp;
	page: ComponentType<PageProps>;
}

export const routes: Route[] = [
	{ pattern: /^\/$/, page: GalleryPage },
	{ pattern: /^\/play\/([^/]+)$/, page: PlayPage },
	{ pattern: /^\/games\/([^/]+)$/, page: GamePage },
	{ pattern: /^\/analyse$/, page: AnalysePage },
	{ pattern: /^\/edit$/, page: EditPage },
	{ pattern: /^\/train$/, page: TrainPage },
	{ pattern: /^\/lobby$/, page: LobbyPage },
	{ pattern: /^\/watch$/, page: WatchPage },
	{ pattern: /^\/watch\/([^/]+)$/, page: MatchPage },
	{ pattern: /^\/settings$/, page: SettingsPage },
	{ pattern: /^\/help$/, page: HelpPage },
];

/** The links of the header. */
export const links: { to: string; text: string }[] = [
	{ to: "/", text: "Games" },
	{ to: "/lobby", text: "Lobby" },
	{ to: "/analyse", text: "Analysis" },
	{ to: "/watch", text: "Matches" },
];
