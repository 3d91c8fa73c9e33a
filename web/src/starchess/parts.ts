// parts.ts - what the pages use of Star Chess. It is loaded with the first of them (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { StarBoard } from "./StarBoard";
export { StarEditor } from "./StarEditor";
export { StarRoom } from "./StarRoom";
export { ThinkingPanel } from "./ThinkingPanel";
