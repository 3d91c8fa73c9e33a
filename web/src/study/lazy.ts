// lazy.ts - studies, and what else is loaded with them (parts.ts).
// SPDX-License-Identifier: MIT
import { afterFirstBoard } from "../engine/core";
import { lazy, lazyUnstyled } from "../ui/lazy";

export const loadStudies = () => import("./parts");

export const AddToStudy = lazy(() => loadStudies().then((parts) => parts.AddToStudy));
export const AnalyseActions = lazy(() => loadStudies().then((parts) => parts.AnalyseActions));
export const EditPage = lazy(() => loadStudies().then((parts) => parts.EditPage));
export const EvaluationOf = lazy(() => loadStudies().then((parts) => parts.EvaluationOf));
export const EvaluationPanel = lazy(() => loadStudies().then((parts) => parts.EvaluationPanel));
export const ExplorerPanel = lazy(() => loadStudies().then((parts) => parts.ExplorerPanel));
export const ImportDialogs = lazy(() => loadStudies().then((parts) => parts.ImportDialogs));
/* After the first board, if the page has one. */
export const ImportGame = lazyUnstyled(async () => {
	await Promise.race([afterFirstBoard, new Promise((done) => setTimeout(done, 3000))]);
	return (await loadStudies()).ImportGame;
});
export const LineLuckPanel = lazy(() => loadStudies().then((parts) => parts.LineLuckPanel));
export const ReviewLine = lazy(() => loadStudies().then((parts) => parts.ReviewLine));
export const SharedStudyPage = lazy(() => loadStudies().then((parts) => parts.SharedStudyPage));
export const StudiesPage = lazy(() => loadStudies().then((parts) => parts.StudiesPage));
export const StudyPage = lazy(() => loadStudies().then((parts) => parts.StudyPage));
export const TrainPage = lazy(() => loadStudies().then((parts) => parts.TrainPage));
