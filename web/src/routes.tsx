// routes.tsx - the pages and their addresses. To add one: write pages/NAME.tsx, list it in pages/more.ts, pages/lazy.ts and here.
// SPDX-License-Identifier: MIT
import type { ComponentType } from "preact";
import { GalleryPage, GamePage, LobbyPage, PlayPage } from "./first";
import { HistoryPage } from "./history/lazy";
import { LabPage } from "./lab/lazy";
import { LearnGamePage, LearnPage } from "./learn/lazy";
import { LessonPage, LessonsPage, SharedLessonPage, TeacherPage, WritePage } from "./lessons/lazy";
import { t } from "./messages";
import { AccountPage, AnalysePage, HelpPage, MatchPage, PrivacyPage, SettingsPage, WatchPage } from "./pages/lazy";
import { PuzzlePage, PuzzlesPage } from "./puzzles/lazy";
import { ReviewPage } from "./review/lazy";
import { EditPage, SharedStudyPage, StudiesPage, StudyPage, TrainPage } from "./study/lazy";

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
	{ pattern: /^\/review$/, page: ReviewPage },
	{ pattern: /^\/review\/([^/]+)$/, page: ReviewPage },
	{ pattern: /^\/edit$/, page: EditPage },
	{ pattern: /^\/train$/, page: TrainPage },
	{ pattern: /^\/lab$/, page: LabPage },
	{ pattern: /^\/learn$/, page: LearnPage },
	{ pattern: /^\/learn\/([^/]+)$/, page: LearnGamePage },
	{ pattern: /^\/lessons$/, page: LessonsPage },
	{ pattern: /^\/lessons\/shared$/, page: SharedLessonPage },
	{ pattern: /^\/lessons\/teacher$/, page: TeacherPage },
	{ pattern: /^\/lessons\/write$/, page: WritePage },
	{ pattern: /^\/lessons\/([^/]+)$/, page: LessonPage },
	{ pattern: /^\/puzzles$/, page: PuzzlesPage },
	{ pattern: /^\/puzzles\/([^/]+)$/, page: PuzzlePage },
	{ pattern: /^\/my-games$/, page: HistoryPage },
	{ pattern: /^\/study$/, page: StudiesPage },
	{ pattern: /^\/study\/shared$/, page: SharedStudyPage },
	{ pattern: /^\/study\/([^/]+)$/, page: StudyPage },
	...(STATIC_SITE ? [] : [
		{ pattern: /^\/account$/, page: AccountPage },
		{ pattern: /^\/lobby$/, page: LobbyPage },
		{ pattern: /^\/privacy$/, page: PrivacyPage },
		{ pattern: /^\/watch$/, page: WatchPage },
		{ pattern: /^\/watch\/([^/]+)$/, page: MatchPage },
	]),
	{ pattern: /^\/settings$/, page: SettingsPage },
	{ pattern: /^\/help$/, page: HelpPage },
];

/** The links of the header. */
export const links: { to: string; text: string }[] = [
	{ to: "/", text: t("app.games") },
	...(STATIC_SITE ? [] : [{ to: "/lobby", text: t("app.lobby") }]),
	{ to: "/learn", text: t("app.learn") },
	{ to: "/puzzles", text: t("app.puzzles") },
	{ to: "/analyse", text: t("app.analysis") },
	{ to: "/study", text: t("app.studies") },
	{ to: "/lab", text: t("app.lab") },
	{ to: "/lessons", text: t("app.lessons") },
	{ to: "/my-games", text: t("app.myGames") },
];
