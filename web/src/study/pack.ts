// pack.ts - the compression of texts, loaded when a link holds a study. Lessons have it in their own part.
// SPDX-License-Identifier: MIT
import "../first";

export { packText, unpackText } from "../ui/pack";
