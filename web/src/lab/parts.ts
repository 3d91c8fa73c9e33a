// parts.ts - the laboratory. It is loaded when it is first shown (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { Bench } from "./Bench";
export { Method } from "./Families";
export { LabPage } from "./LabPage";
