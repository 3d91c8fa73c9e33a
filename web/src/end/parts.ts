// parts.ts - the end of a game and what can be shared. It is loaded when it is first shown (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { EndPanel } from "./EndPanel";
export { ExportParts } from "./ExportParts";
export { ShareParts } from "./ShareParts";
