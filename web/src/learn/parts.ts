// parts.ts - the first steps of each game. They are loaded with the first page that shows them (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { LearnGamePage } from "./LearnGamePage";
export { LearnPage } from "./LearnPage";
