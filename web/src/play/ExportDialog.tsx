// ExportDialog.tsx - exports a game, in a dialog; its contents are loaded later (end/lazy.ts).
// SPDX-License-Identifier: MIT
import type { ExportProps } from "../end/ExportParts";
import { ExportParts } from "../end/lazy";
import { t } from "../messages";
import { Dialog } from "../ui/dialog";

export function ExportDialog({ onClose, ...parts }: ExportProps & { onClose(): void }) {
	return <Dialog title={t("play.export")} onClose={onClose}><ExportParts {...parts} /></Dialog>;
}
