// lazy.ts - studies (parts.ts), loaded when they are first shown.
// SPDX-License-Identifier: MIT
import { lazy } from "../ui/lazy";

const load = () => import("./parts");

export const AddToStudy = lazy(() => load().then((parts) => parts.AddToStudy));
export const SharedStudyPage = lazy(() => load().then((parts) => parts.SharedStudyPage));
export const StudiesPage = lazy(() => load().then((parts) => parts.StudiesPage));
export const StudyPage = lazy(() => load().then((parts) => parts.StudyPage));
