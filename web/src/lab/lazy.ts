// lazy.ts - the laboratory (parts.ts), which few visitors begin with.
// SPDX-License-Identifier: MIT
import { lazy } from "../ui/lazy";

const load = () => import("./parts");

export const Bench = lazy(() => load().then((parts) => parts.Bench));
export const LabPage = lazy(() => load().then((parts) => parts.LabPage));
export const Method = lazy(() => load().then((parts) => parts.Method));
