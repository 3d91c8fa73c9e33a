// parts.ts - the page of your games. It is loaded when it is first shown (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { HistoryPage } from "./HistoryPage";
