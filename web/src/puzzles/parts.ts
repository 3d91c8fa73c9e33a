// parts.ts - the puzzles. They are loaded when they are first shown (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { PuzzlePage } from "./PuzzlePage";
export { PuzzlesPage } from "./PuzzlesPage";
