// lazy.ts - the lessons (parts.ts), which few visitors begin with.
// SPDX-License-Identifier: MIT
import { lazy } from "../ui/lazy";

const load = () => import("./parts");

export const LessonPage = lazy(() => load().then((parts) => parts.LessonPage));
export const LessonsPage = lazy(() => load().then((parts) => parts.LessonsPage));
export const SharedLessonPage = lazy(() => load().then((parts) => parts.SharedLessonPage));
export const TeacherPage = lazy(() => load().then((parts) => parts.TeacherPage));
export const WritePage = lazy(() => load().then((parts) => parts.WritePage));
