// lazy.ts - the parts of Star Chess (parts.ts) and its rules, which few visitors need.
// SPDX-License-Identifier: MIT
import { lazyUnstyled as lazy } from "../ui/lazy";

const load = () => import("./parts");

export const StarBoard = lazy(() => load().then((parts) => parts.StarBoard));
export const StarEditor = lazy(() => load().then((parts) => parts.StarEditor));
export const StarRoom = lazy(() => load().then((parts) => parts.StarRoom));
export const StarRules = lazy(() => import("./Rules").then((rules) => rules.StarRules));
export const ThinkingPanel = lazy(() => load().then((parts) => parts.ThinkingPanel));
