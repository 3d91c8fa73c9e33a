// parts.ts - the analysis board, and what else shows values: it is loaded when it is first shown (pages/lazy.ts).
// SPDX-License-Identifier: MIT
//
// Only what the board needs is here, so that it is on the screen soon. The other panels follow with the studies (study/parts.ts).
import "../first";

export { EvalBar } from "../board/EvalBar";
export { EvalGraph } from "../board/EvalGraph";
export { AnalysePage } from "../pages/analyse";
