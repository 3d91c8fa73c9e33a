// parts.ts - what of a game the board can wait for. It is loaded when it is first shown (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { AskFirst } from "./AskFirst";
export { Fairness } from "./Fairness";
export { LuckPanel } from "./LuckPanel";
export { Thoughts } from "./Thoughts";
