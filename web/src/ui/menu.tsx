// menu.tsx - a button that opens a menu of actions, for mouse, touch, keyboard and screen readers.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icons";

export interface MenuItem {
	icon: IconName;
	text: string;
	title?: string;
	pressed?: boolean; // present: the item is a switch
	disabled?: boolean;
	href?: string; // a link instead of an action
	onClick?(): void;
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** The place of the item that a key leads to; -1: none. */
export function menuPlace(texts: string[], at: number, key: string): number {
	const step = STEPS[key], count = texts.length;
	if (step)
		return (Math.max(at, step > 0 ? -1 : 0) + step + count) % count;
	if (key === "Home" || key === "End")
		return key === "Home" ? 0 : count - 1;
	/* A letter leads to the next item that begins with it. */
	const after = texts.map((_, i) => (at + 1 + i) % count);
	return key.length === 1 ? after.find((i) => texts[i]?.toLowerCase().startsWith(key.toLowerCase())) ?? -1 : -1;
}

/** Unavailable items stay in the menu, with their reason. */
export function MenuButton({ text, icon, items }: { text: string; icon: IconName; items: MenuItem[] }) {
	const [place, setPlace] = useState<"" | "up" | "down">(""); // where it is open
	const box = useRef<HTMLDivElement>(null);
	const button = useRef<HTMLButtonElement>(null);
	const entries = () => [...box.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? []];
	const close = () => {
		setPlace("");
		button.current?.focus({ preventScroll: true });
	};
	const toggle = () => {
		const { top = 0, bottom = 0 } = button.current?.getBoundingClientRect() ?? {};
		setPlace(place ? "" : top > innerHeight - bottom ? "up" : "down");
	};
	useEffect(() => {
		if (!place)
			return;
		entries()[0]?.focus({ preventScroll: true });
		const outside = (event: Event) => box.current?.contains(event.target as Node) || setPlace("");
		/* The focus may have left it with an item that is gone. */
		const escape = (event: KeyboardEvent) => event.key === "Escape" && setPlace("");
		document.addEventListener("pointerdown", outside);
		document.addEventListener("focusin", outside);
		document.addEventListener("keydown", escape);
		return () => {
			document.removeEventListener("pointerdown", outside);
			document.removeEventListener("focusin", outside);
			document.removeEventListener("keydown", escape);
		};
	}, [place]);
	/* The page must not take the keys of an open menu for its shortcuts. */
	const onKeyDown = (event: KeyboardEvent) => {
		if (!place || event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (event.key === "Tab")
			return setPlace("");
		event.stopPropagation();
		if (event.key === "Escape") {
			event.preventDefault();
			return close();
		}
		const list = entries();
		const to = event.key === " " ? -1 : menuPlace(items.map((item) => item.text), list.indexOf(document.activeElement as HTMLElement), event.key);
		if (to < 0)
			return;
		event.preventDefault();
		list[to]?.focus();
	};
	const choose = (item: MenuItem) => {
		if (item.disabled)
			return;
		close();
		item.onClick?.();
	};
	return (
		<div class="menu-box" ref={box} onKeyDown={onKeyDown}>
			<button type="button" class="control" ref={button} aria-haspopup="menu" aria-expanded={place !== ""} onClick={toggle}>
				<Icon name={icon} /><span>{text}</span>
			</button>
			{place ? (
				<div class={`menu card ${place}`} role="menu" aria-label={text}>
					{items.map((item) => <Entry key={item.text} item={item} onChoose={() => choose(item)} />)}
				</div>
			) : null}
		</div>
	);
}

function Entry({ item, onChoose }: { item: MenuItem; onChoose(): void }) {
	const why = item.disabled && item.title !== item.text ? item.title : undefined;
	const inside = <><Icon name={item.icon} /><span><span class="what">{item.text}</span>{why ? <small>{why}</small> : null}</span></>;
	if (item.href)
		return <a role="menuitem" tabIndex={-1} href={item.href} title={item.title} onClick={onChoose}>{inside}</a>;
	return item.pressed === undefined
		? <button type="button" role="menuitem" tabIndex={-1} title={item.title} aria-disabled={item.disabled} onClick={onChoose}>{inside}</button>
		: <button type="button" role="menuitemcheckbox" tabIndex={-1} title={item.title} aria-checked={item.pressed} aria-disabled={item.disabled} onClick={onChoose}>{inside}</button>;
}
