// lazy.ts - the pages, and panels of some, that are loaded when they are first shown (more.ts and analysis/parts.ts).
// SPDX-License-Identifier: MIT
import { lazy } from "../ui/lazy";

const load = () => import("./more");
const loadAnalysis = () => import("../analysis/parts");

export const AccountPage = lazy(() => load().then((pages) => pages.AccountPage));
export const AnalysePage = lazy(() => loadAnalysis().then((parts) => parts.AnalysePage));
export const EvalBar = lazy(() => loadAnalysis().then((parts) => parts.EvalBar));
export const EvalGraph = lazy(() => loadAnalysis().then((parts) => parts.EvalGraph));
export const HelpPage = lazy(() => load().then((pages) => pages.HelpPage));
export const LobbyPage = lazy(() => load().then((pages) => pages.LobbyPage));
export const MatchPage = lazy(() => load().then((pages) => pages.MatchPage));
export const NotionTable = lazy(() => load().then((pages) => pages.NotionTable));
export const PrivacyPage = lazy(() => load().then((pages) => pages.PrivacyPage));
export const SettingsPage = lazy(() => load().then((pages) => pages.SettingsPage));
export const ShortcutsDialog = lazy(() => load().then((pages) => pages.ShortcutsDialog));
export const UploadOffer = lazy(() => load().then((pages) => pages.UploadOffer));
export const WatchPage = lazy(() => load().then((pages) => pages.WatchPage));
