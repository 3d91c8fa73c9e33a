// lazy.ts - studies, loaded with the analysis board, with which they share most of their code.
// SPDX-License-Identifier: MIT
import { lazy } from "../ui/lazy";

const load = () => import("../pages/more");

export const AddToStudy = lazy(() => load().then((parts) => parts.AddToStudy));
export const SharedStudyPage = lazy(() => load().then((parts) => parts.SharedStudyPage));
export const StudiesPage = lazy(() => load().then((parts) => parts.StudiesPage));
export const StudyPage = lazy(() => load().then((parts) => parts.StudyPage));
