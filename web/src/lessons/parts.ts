// parts.ts - the pages of the lessons. They are loaded with the first of them (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { LessonPage, SharedLessonPage } from "./LessonPage";
export { LessonsPage } from "./LessonsPage";
export { TeacherPage } from "./TeacherPage";
export { WritePage } from "./WritePage";
