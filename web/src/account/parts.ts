// parts.ts - the account page. It is loaded when it is first shown (lazy.ts).
// SPDX-License-Identifier: MIT
import "../first";

export { AccountPage } from "./AccountPage";
