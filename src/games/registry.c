/*
 * registry.c - the table of built-in games, made from GAME_LIST.
 * SPDX-License-Identifier: MIT
 *
 * The table is constant data. Nothing registers itself at run time, so the order of the games is
 * fixed and no code runs before main.
 */
#include "games/twins.h"

#define ENGINE(name) &name##_engine,
static const struct engine *const engines[] = { GAME_LIST(ENGINE) };

const struct engine *registry_portable(int index)
{
	return index < 0 || index >= GAME_COUNT ? NULL : engines[index];
}

#ifdef QV_FAST_TWINS
#define DECLARE_FAST(name) extern const struct engine name##_engine_fast;
TWIN_LIST(DECLARE_FAST)
#define FAST(name) [GAME_##name] = &name##_engine_fast,
static const struct engine *const fast_engines[GAME_COUNT] = { TWIN_LIST(FAST) };

/* What the twins are compiled for. The compiler's library has asked the processor at the start. */
static bool is_fast_processor(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

const struct engine *registry_at(int index)
{
	if (index < 0 || index >= GAME_COUNT || !fast_engines[index] || !is_fast_processor())
		return registry_portable(index);
	return fast_engines[index];
}
#else
const struct engine *registry_at(int index)
{
	return registry_portable(index);
}
#endif
