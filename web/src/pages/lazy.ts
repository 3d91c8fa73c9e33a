// lazy.ts - the pages, and a panel of one, that are loaded when they are first shown (more.ts).
// SPDX-License-Identifier: MIT
import { afterFirstBoard } from "../engine/core";
import { lazy, lazyUnstyled } from "../ui/lazy";

const load = () => import("./more");

export const AnalysePage = lazy(() => load().then((pages) => pages.AnalysePage));
export const EditPage = lazy(() => load().then((pages) => pages.EditPage));
export const EvalBar = lazy(() => load().then((pages) => pages.EvalBar));
export const EvalGraph = lazy(() => load().then((pages) => pages.EvalGraph));
export const EvaluationOf = lazy(() => load().then((pages) => pages.EvaluationOf));
export const HelpPage = lazy(() => load().then((pages) => pages.HelpPage));
/* After the first board, if the page has one. */
export const ImportGame = lazyUnstyled(async () => {
	await Promise.race([afterFirstBoard, new Promise((done) => setTimeout(done, 3000))]);
	return (await load()).ImportGame;
});
export const LobbyPage = lazy(() => load().then((pages) => pages.LobbyPage));
export const MatchPage = lazy(() => load().then((pages) => pages.MatchPage));
export const NotionTable = lazy(() => load().then((pages) => pages.NotionTable));
export const SettingsPage = lazy(() => load().then((pages) => pages.SettingsPage));
export const TrainPage = lazy(() => load().then((pages) => pages.TrainPage));
export const UploadOffer = lazy(() => load().then((pages) => pages.UploadOffer));
export const WatchPage = lazy(() => load().then((pages) => pages.WatchPage));
