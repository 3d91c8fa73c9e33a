// lazy.ts - the end of a game and what can be shared (parts.ts): loaded when it is first shown.
// SPDX-License-Identifier: MIT
import { lazy } from "../ui/lazy";

const load = () => import("./parts");

export const EndPanel = lazy(() => load().then((parts) => parts.EndPanel));
export const ExportParts = lazy(() => load().then((parts) => parts.ExportParts));
export const ShareParts = lazy(() => load().then((parts) => parts.ShareParts));
