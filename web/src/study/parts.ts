// parts.ts - studies, the editor and trainer, and the panels of the analysis board: what is loaded when it is first shown (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { ExplorerPanel } from "../analysis/ExplorerPanel";
export { AnalyseActions } from "../pages/analyseactions";
export { EditPage } from "../pages/edit";
export { EvaluationOf, EvaluationPanel } from "../pages/evaluation";
export { ImportGame } from "../pages/importgame";
export { ImportDialogs, openDropped } from "../pages/imports";
export { LineLuckPanel } from "../pages/lineluck";
export { TrainPage } from "../pages/train";
export { ReviewLine } from "../review/ReviewLine";
export { AddToStudy } from "./AddToStudy";
export { StudiesPage } from "./StudiesPage";
export { SharedStudyPage, StudyPage } from "./StudyPage";
export { removeWith } from "./sync";
