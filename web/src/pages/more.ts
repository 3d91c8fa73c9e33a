// more.ts - the pages that a visitor does not begin with. They are loaded with the first of them (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { AccountPage } from "../account/AccountPage";
/* Other late parts use these, too; were they shared chunks, each visit would have two requests more. */
export { UploadOffer } from "../local/UploadOffer";
export { HelpPage, ShortcutsDialog } from "./help";
export { countsOf, ratingOf, resultOf, strengthOf } from "./levelfacts";
export { LobbyPage } from "./lobbypage";
export { MatchPage } from "./match";
export { NotionTable } from "./notiontable";
export { PrivacyPage } from "./privacy";
export { SettingsPage } from "./settings";
export { WatchPage } from "./watch";
