// lazy.ts - the puzzles (parts.ts), which few visitors begin with.
// SPDX-License-Identifier: MIT
import { lazyLaboratory } from "../ui/lazy";

const load = () => import("./parts");

export const PuzzlePage = lazyLaboratory(() => load().then((parts) => parts.PuzzlePage));
export const PuzzlesPage = lazyLaboratory(() => load().then((parts) => parts.PuzzlesPage));
