// more.ts - what the first board of Star Chess does not need. It is loaded with the first of them (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { StarRules } from "./Rules";
export { StarEditor } from "./StarEditor";
export { ThinkingPanel } from "./ThinkingPanel";
