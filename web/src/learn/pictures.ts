// pictures.ts - the pictures of the written rules. They are loaded without the steps, since the page of a game has them (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { RulePictures } from "./RulePictures";
