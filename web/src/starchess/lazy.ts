// lazy.ts - the parts of Star Chess (parts.ts, more.ts, panels.ts), which few visitors need.
// SPDX-License-Identifier: MIT
import { lazy as lazyStyled, lazyUnstyled as lazy } from "../ui/lazy";

const load = () => import("./parts");
const loadMore = () => import("./more");
const loadPanels = () => import("./panels");

export const ReplayPanel = lazy(() => loadPanels().then((panels) => panels.ReplayPanel));
export const ScorePanel = lazy(() => loadPanels().then((panels) => panels.ScorePanel));
export const StarBoard = lazy(() => load().then((parts) => parts.StarBoard));
export const StarEditor = lazy(() => loadMore().then((more) => more.StarEditor));
export const StarRoom = lazy(() => load().then((parts) => parts.StarRoom));
export const StarRules = lazy(() => loadMore().then((more) => more.StarRules));
export const ThinkingPanel = lazyStyled(() => loadMore().then((more) => more.ThinkingPanel));
export const ThreatList = lazy(() => loadPanels().then((panels) => panels.ThreatList));
