// lazy.ts - the page of your games (parts.ts), loaded when it is first shown.
// SPDX-License-Identifier: MIT
import { lazy } from "../ui/lazy";

export const HistoryPage = lazy(() => import("./parts").then((parts) => parts.HistoryPage));
