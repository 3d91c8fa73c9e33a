// more.ts - the pages that a visitor does not begin with. They are loaded with the first of them (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

/* Other late parts use these, too; were they shared chunks, each visit would have two requests more. */
export { EvalBar } from "../board/EvalBar";
export { EvalGraph } from "../board/EvalGraph";
export { UploadOffer } from "../local/UploadOffer";
export { AddToStudy } from "../study/AddToStudy";
export { StudiesPage } from "../study/StudiesPage";
export { SharedStudyPage, StudyPage } from "../study/StudyPage";
export { AnalysePage } from "./analyse";
export { EditPage } from "./edit";
export { EvaluationOf } from "./evaluation";
export { HelpPage } from "./help";
export { ImportGame } from "./importgame";
export { ratingOf, resultOf, strengthOf } from "./levelfacts";
export { LobbyPage } from "./lobbypage";
export { MatchPage } from "./match";
export { NotionTable } from "./notiontable";
export { SettingsPage } from "./settings";
export { TrainPage } from "./train";
export { WatchPage } from "./watch";
