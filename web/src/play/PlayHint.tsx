// PlayHint.tsx - the button beside a hint that plays its move.
// SPDX-License-Identifier: MIT

export function PlayHint({ onClick }: { onClick(): void }) {
	return <>{" "}<button type="button" class="text" title="Play the move of the hint (y)" onClick={onClick}>Play it</button></>;
}
