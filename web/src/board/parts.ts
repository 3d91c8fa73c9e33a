// parts.ts - themes, piece sets and their choice. They are loaded when one is chosen or shown (looks.ts, lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";
import type { LookParts } from "./looks";
import { addShade } from "./shade";
import { SETS, THEMES } from "./themes";

export { BoardLook } from "./BoardLook";

addShade();

export const PARTS: LookParts = Object.fromEntries([...THEMES, ...SETS].map(({ name, draw }) => [name, draw]));
