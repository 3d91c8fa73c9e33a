// TextTree.tsx - a search tree as text, for keyboards and screen readers: it can do all that the picture can.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { t } from "../messages";
import { isCutNode, pathTo, shortCount, type SearchTree } from "./log";
import { rowsOf, rowText } from "./textrows";

const AROUND = 120; // rows before and after the active one: the others are not in the page

export function TextTree({ tree, event, chosen, label, explore, onChoose }: {
	tree: SearchTree; event: number; chosen: number; label: string; explore: number; onChoose(node: number): void;
}) {
	const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(tree.roots.slice(-1)));
	const list = useRef<HTMLUListElement>(null);
	const hasFocus = useRef(false);
	const current = tree.focus[event] ?? -1;
	const active = chosen >= 0 ? chosen : current;
	/* The way to the node is open. */
	const opened = useMemo(() => new Set([...open, ...pathTo(tree, active).slice(0, -1)]), [open, tree, active]);
	const rows = useMemo(() => rowsOf(tree, opened, event), [tree, opened, event]);
	const at = Math.max(0, rows.findIndex(({ node }) => node === active));
	const from = Math.max(0, at - AROUND), shown = rows.slice(from, at + AROUND);

	useEffect(() => {
		const item = list.current?.querySelector<HTMLElement>(`[data-node="${active}"]`);
		if (!item || !list.current)
			return;
		if (hasFocus.current)
			item.focus({ preventScroll: true });
		/* Only the list scrolls, not the page. */
		const top = item.offsetTop - list.current.offsetTop, box = list.current;
		if (top < box.scrollTop || top + item.offsetHeight > box.scrollTop + box.clientHeight)
			box.scrollTop = top - box.clientHeight / 3;
	}, [active, shown.length]);

	const go = (place: number) => {
		const row = rows[Math.min(rows.length - 1, Math.max(0, place))];
		if (row)
			onChoose(row.node);
	};
	const set = (node: number, isOpen: boolean) => setOpen(() => {
		const next = new Set(opened);
		if (isOpen)
			next.add(node);
		else
			next.delete(node);
		return next;
	});

	function onKeyDown(key: KeyboardEvent): void {
		const row = rows[at];
		if (!row || key.ctrlKey || key.metaKey || key.altKey)
			return;
		const isOpen = opened.has(row.node) && row.below > 0;
		switch (key.key) {
		case "ArrowDown": go(at + 1); break;
		case "ArrowUp": go(at - 1); break;
		case "Home": go(0); break;
		case "End": go(rows.length - 1); break;
		case "PageDown": go(at + 10); break;
		case "PageUp": go(at - 10); break;
		case "ArrowRight":
			if (isOpen)
				go(at + 1);
			else if (row.below)
				set(row.node, true);
			break;
		case "ArrowLeft":
			if (isOpen)
				set(row.node, false);
			else if (tree.parent[row.node]! >= 0)
				onChoose(tree.parent[row.node]!);
			break;
		case "Enter": case " ":
			set(row.node, !isOpen);
			onChoose(row.node);
			break;
		default: return;
		}
		key.preventDefault();
		key.stopPropagation();
	}

	return (
		<ul ref={list} class="lab-text" role="tree" aria-label={label} onKeyDown={onKeyDown}
			onFocusIn={() => void (hasFocus.current = true)} onFocusOut={() => void (hasFocus.current = false)}>
			{from > 0 && <li role="none" class="quiet small">{t("lab.rowsAbove", { n: from })}</li>}
			{shown.map(({ node, level, place, siblings, below }) => (
				<li key={node} role="treeitem" data-node={node} tabIndex={node === (rows[at]?.node ?? -1) ? 0 : -1} aria-level={level}
					aria-posinset={place} aria-setsize={siblings} aria-selected={node === chosen}
					{...(below ? { "aria-expanded": opened.has(node) } : {})} style={{ "--level": level }}
					class={[node === current ? "current" : "", isCutNode(tree, node, event) ? "cut" : "", tree.onLine[node] ? "best" : ""].join(" ")}
					onClick={() => {
						hasFocus.current = true;
						set(node, !(opened.has(node) && node === active));
						onChoose(node);
					}}>
					<span class="twig" aria-hidden="true">{below ? opened.has(node) ? "▾" : "▸" : "·"}</span>
					<span>{rowText(tree, node, event, explore)}</span>
					{below > 0 && !opened.has(node) && <span class="quiet small">{` +${shortCount(tree.size[node]! - 1)}`}</span>}
				</li>
			))}
			{from + shown.length < rows.length && <li role="none" class="quiet small">{t("lab.rowsBelow", { n: rows.length - from - shown.length })}</li>}
		</ul>
	);
}
