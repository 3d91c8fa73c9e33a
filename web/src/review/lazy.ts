// lazy.ts - the review of a game (parts.ts), which is loaded when it is first shown.
// SPDX-License-Identifier: MIT
import { lazy } from "../ui/lazy";

export const ReviewPage = lazy(() => import("./parts").then((parts) => parts.ReviewPage));
