// lazy.ts - what of a game the board can wait for (parts.ts): loaded when it is first shown.
// SPDX-License-Identifier: MIT
import { lazyUnstyled as lazy } from "../ui/lazy";

const load = () => import("./parts");

export const AskFirst = lazy(() => load().then((parts) => parts.AskFirst));
export const Fairness = lazy(() => load().then((parts) => parts.Fairness));
export const LuckPanel = lazy(() => load().then((parts) => parts.LuckPanel));
export const Thoughts = lazy(() => load().then((parts) => parts.Thoughts));
