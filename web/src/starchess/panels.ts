// panels.ts - what a game of Star Chess shows when it is asked to. It is loaded with the first of them (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { ReplayPanel } from "./ReplayPanel";
export { ScorePanel } from "./ScorePanel";
export { ThreatList } from "./ThreatList";
