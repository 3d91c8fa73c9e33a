// lazy.ts - the lessons (parts.ts), which few visitors begin with.
// SPDX-License-Identifier: MIT
import { lazyLaboratory } from "../ui/lazy";

const load = () => import("./parts");

export const LessonPage = lazyLaboratory(() => load().then((parts) => parts.LessonPage));
export const LessonsPage = lazyLaboratory(() => load().then((parts) => parts.LessonsPage));
export const SharedLessonPage = lazyLaboratory(() => load().then((parts) => parts.SharedLessonPage));
export const TeacherPage = lazyLaboratory(() => load().then((parts) => parts.TeacherPage));
export const WritePage = lazyLaboratory(() => load().then((parts) => parts.WritePage));
