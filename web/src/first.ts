// first.ts - what is loaded at once: the pages that a visitor begins with, and what all pages share.
// SPDX-License-Identifier: MIT
//
// What is loaded later imports this file, too: the build then puts all that is shared into one file, and not into one for each
// combination of pages that share it.
export { Bench, LabPage, Method } from "./lab/lazy";
export { rich, t } from "./messages";
export { startOffline } from "./offline/offline";
export { GalleryPage } from "./pages/gallery";
export { GamePage } from "./pages/game";
export { LobbyPage } from "./pages/lazy";
export { PlayPage } from "./pages/play";
export { pgnName } from "./pgn";
export { reviewLink } from "./review/link";
export { AddToStudy, EvaluationOf } from "./study/lazy";
export { Tabs } from "./ui/tabs";
