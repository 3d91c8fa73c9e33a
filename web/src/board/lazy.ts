// lazy.ts - the choice of a look (parts.ts), which few visitors begin with.
// SPDX-License-Identifier: MIT
import { lazyUnstyled as lazy } from "../ui/lazy";

export const BoardLook = lazy(() => import("./parts").then((parts) => parts.BoardLook));
