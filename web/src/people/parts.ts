// parts.ts - playing with other people. It is loaded when it is first shown (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { DamagedNotice } from "./DamagedNotice";
export { Invitation } from "./Invitation";
export { PeoplePanel } from "./PeoplePanel";
export { ReportButton } from "./Report";
export { WaitingPanel } from "./WaitingPanel";
