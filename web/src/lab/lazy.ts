// lazy.ts - the laboratory (parts.ts), which few visitors begin with.
// SPDX-License-Identifier: MIT
import { lazyLaboratory } from "../ui/lazy";

const load = () => import("./parts");

export const Bench = lazyLaboratory(() => load().then((parts) => parts.Bench));
export const LabPage = lazyLaboratory(() => load().then((parts) => parts.LabPage));
export const Method = lazyLaboratory(() => load().then((parts) => parts.Method));
