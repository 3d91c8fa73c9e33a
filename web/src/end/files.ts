// files.ts - saves a file that was made here.
// SPDX-License-Identifier: MIT

export function saveBlob(name: string, blob: Blob): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(blob);
	link.download = name;
	link.click();
	window.setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
