// parts.ts - what the pages use of Star Chess. It is loaded with the first of them (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { StarBoard } from "./StarBoard";
export { StarRoom } from "./StarRoom";
