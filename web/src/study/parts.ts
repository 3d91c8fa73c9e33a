// parts.ts - the pages of studies. They are loaded with the first of them (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { AddToStudy } from "./AddToStudy";
export { StudiesPage } from "./StudiesPage";
export { SharedStudyPage, StudyPage } from "./StudyPage";
