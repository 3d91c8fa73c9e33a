// lazy.ts - the account page (parts.ts): loaded when it is first shown.
// SPDX-License-Identifier: MIT
import { lazy } from "../ui/lazy";

export const AccountPage = lazy(() => import("./parts").then((parts) => parts.AccountPage));
