// more.ts - the pages that a visitor does not begin with. They are loaded with the first of them (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { AnalysePage } from "./analyse";
export { EditPage } from "./edit";
export { EvaluationOf } from "./evaluation";
export { HelpPage } from "./help";
export { MatchPage } from "./match";
export { SettingsPage } from "./settings";
export { TrainPage } from "./train";
export { WatchPage } from "./watch";
