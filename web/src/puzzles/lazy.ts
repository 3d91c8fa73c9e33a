// lazy.ts - the puzzles (parts.ts), which few visitors begin with.
// SPDX-License-Identifier: MIT
import { lazy } from "../ui/lazy";

const load = () => import("./parts");

export const PuzzlePage = lazy(() => load().then((parts) => parts.PuzzlePage));
export const PuzzlesPage = lazy(() => load().then((parts) => parts.PuzzlesPage));
