// lazy.ts - the first steps of each game (parts.ts), which are loaded when they are first shown.
// SPDX-License-Identifier: MIT
import { afterFirstBoard } from "../engine/core";
import { laterStyle, lazy, lazyUnstyled } from "../ui/lazy";

const load = () => import("./parts");

export const LearnPage = lazy(() => load().then((parts) => parts.LearnPage));
export const LearnGamePage = lazy(() => load().then((parts) => parts.LearnGamePage));
export const RulePictures = lazyUnstyled(() => afterFirstBoard.then(() => Promise.all([import("./pictures"), laterStyle()])).then(([parts]) => parts.RulePictures));
