// parts.ts - the review of a game. It is loaded when it is first shown (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { ReviewPage } from "./ReviewPage";
