// lazy.ts - the first steps of each game (parts.ts), which are loaded when they are first shown.
// SPDX-License-Identifier: MIT
import { lazy } from "../ui/lazy";

const load = () => import("./parts");

export const LearnPage = lazy(() => load().then((parts) => parts.LearnPage));
export const LearnGamePage = lazy(() => load().then((parts) => parts.LearnGamePage));
export const RulePictures = lazy(() => import("./pictures").then((parts) => parts.RulePictures));
