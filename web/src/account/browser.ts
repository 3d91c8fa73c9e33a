// browser.ts - how this browser is called in the list of sessions.
// SPDX-License-Identifier: MIT

/** "Firefox, Linux": enough to recognise it, and no more. */
export function browserName(agent = navigator.userAgent): string {
	const named = (names: [RegExp, string][]) => names.find(([sign]) => sign.test(agent))?.[1];
	const browser = named([[/Edg\//, "Edge"], [/OPR\//, "Opera"], [/Firefox\//, "Firefox"], [/Chrom(e|ium)\//, "Chrome"], [/Safari\//, "Safari"]]);
	const system = named([[/Android/, "Android"], [/iPhone|iPad/, "iOS"], [/Windows/, "Windows"], [/Mac OS X/, "macOS"], [/Linux|X11/, "Linux"]]);
	return [browser, system].filter(Boolean).join(", ");
}
