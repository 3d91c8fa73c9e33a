// lazy.ts - playing with other people (parts.ts): loaded when it is first shown.
// SPDX-License-Identifier: MIT
import { lazy } from "../ui/lazy";

const load = () => import("./parts");

export const DamagedNotice = lazy(() => load().then((parts) => parts.DamagedNotice));
export const Invitation = lazy(() => load().then((parts) => parts.Invitation));
export const PeoplePanel = lazy(() => load().then((parts) => parts.PeoplePanel));
export const ReportButton = lazy(() => load().then((parts) => parts.ReportButton));
export const WaitingPanel = lazy(() => load().then((parts) => parts.WaitingPanel));
