#!/usr/bin/env bash
# cplusplus.sh - a C++ program uses the shared library: it loads the plug-in Kalah, follows a search, and plays a match against a level.
# It uses functions only: no member of struct qv_game. A plug-in in C++ passes the suite.
# SPDX-License-Identifier: MIT
# usage: cplusplus.sh BUILD_DIR      exit status 77: there is no C++ compiler
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:?usage: cplusplus.sh BUILD_DIR}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cxx=$(command -v g++ || command -v clang++) || { echo "cplusplus.sh: there is no C++ compiler"; exit 77; }

cat >"$work/duel.cpp" <<'END_CPP'
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <quevedo.h>

struct counts {
	int iterations, games, plies;
};

static void on_iteration(void *ctx, const qv_answer *so_far)
{
	static_cast<counts *>(ctx)->iterations += so_far->size == sizeof *so_far;
}

/* All seeds are in the stores at the end, and whoever has more has won. */
static bool on_game(void *ctx, const qv_match_game *game)
{
	const int lead = game->points[0] - game->points[1];
	const int winner = lead > 0 ? 0 : lead < 0 ? 1 : -1;
	auto *seen = static_cast<counts *>(ctx);
	seen->games += game->points[0] + game->points[1] == 48 && game->winner == winner && game->end == std::string("rules");
	seen->plies += game->plies;
	return true;
}

#define TRY(call)                                            \
	do {                                                 \
		if ((call) != QV_OK) {                       \
			std::printf("%s\n", error.text);     \
			return 1;                            \
		}                                            \
	} while (0)

int main(int, char **arguments)
{
	std::unique_ptr<qv_context, decltype(&qv_context_free)> context(qv_context_new(nullptr), qv_context_free);
	qv_error error = {};
	qv_rules rules;
	TRY(qv_context_load(context.get(), arguments[1], &error));
	TRY(qv_rules_parse(context.get(), "kalah", &rules, &error));
	const qv_game *game = qv_rules_game(&rules);
	std::vector<unsigned char> state(qv_state_size(game));
	qv_start(&rules, state.data());
	std::vector<qv_move> moves(static_cast<size_t>(qv_game_max_moves(game)));
	const int count = qv_moves(game, state.data(), moves.data(), static_cast<int>(moves.size()));
	std::printf("%s: %s has %d moves\n", qv_game_title(game), qv_game_seat_name(game, qv_seat(game, state.data())), count);

	counts seen = {};
	qv_flag stop = {};
	qv_limits limits = {};
	limits.size = sizeof limits;
	limits.depth = 2;
	limits.stop = &stop;
	qv_listener listener = {};
	listener.size = sizeof listener;
	listener.ctx = &seen;
	listener.iteration = on_iteration;
	qv_answer answer = {};
	answer.size = sizeof answer;
	qv_player *player;
	TRY(qv_player_new(context.get(), &rules, "alphabeta", nullptr, &player, &error));
	TRY(qv_player_think(player, state.data(), &limits, &listener, &answer, &error));
	TRY(qv_play(game, state.data(), answer.move, &error));
	qv_player_free(player);

	const qv_match_player players[] = { { "mine", "alphabeta:depth=4" }, { "theirs", "level:2" } };
	qv_match_job job = {};
	job.size = sizeof job;
	job.players = players;
	job.player_count = 2;
	job.games = 20;
	job.pairs = true;
	job.random_plies = 4;
	job.seed = 1;
	job.game = on_game;
	job.ctx = &seen;
	qv_match *match;
	qv_match_figures figures = {};
	figures.size = sizeof figures;
	TRY(qv_match_run(context.get(), &rules, &job, &match, &error));
	TRY(qv_match_score(match, 0, 1, &figures, &error));
	qv_match_free(match);
	std::printf("%d iterations, %d games, %s\n", seen.iterations, seen.games,
		    figures.games == 20 && figures.wins + figures.draws + figures.losses == 20 && figures.elo > 0 && seen.plies > 400
			    ? "won" : "not won");
}
END_CPP
"$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$source/include" "$work/duel.cpp" -o "$work/duel" -L"$build" -lquevedo
out=$(LD_LIBRARY_PATH=$build "$work/duel" "$build/examples/kalah.so")
[ "$out" = $'Kalah: South has 6 moves\n2 iterations, 20 games, won' ] || { echo "cplusplus.sh: the program wrote: $out" >&2; exit 1; }

# A plug-in in C++: no designated initializers before C++20, and nothing of the C++ library.
cat >"$work/nim.cpp" <<'END_CPP'
#include <quevedo.h>

namespace {

struct heap {
	int32_t left, turn;
};

const heap &of(const void *state)
{
	return *static_cast<const heap *>(state);
}

void start(const int64_t *options, void *state)
{
	*static_cast<heap *>(state) = { static_cast<int32_t>(options[0]), 0 };
}

int seat(const void *state)
{
	return of(state).turn;
}

int moves(const void *state, qv_move *list)
{
	int n = 0;
	for (int take = 1; take <= 3 && take <= of(state).left; take++)
		list[n++] = static_cast<qv_move>(take);
	return n;
}

void play(void *state, qv_move move)
{
	heap *h = static_cast<heap *>(state);
	*h = { h->left - static_cast<int32_t>(move), !h->turn };
}

qv_outcome result(const void *state, int32_t *points)
{
	points[of(state).turn] = 0;
	points[!of(state).turn] = 1;
	return of(state).left ? QV_GOING : QV_ENDED;
}

uint64_t hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(heap));
}

void move_text(const void *, qv_move move, qv_text *out)
{
	qv_put_int(out, static_cast<int64_t>(move));
}

void position_text(const void *state, qv_text *out)
{
	qv_put_int(out, of(state).left);
	qv_put(out, of(state).turn ? " 2" : " 1");
}

qv_status position_parse(const int64_t *options, const char *text, void *state, qv_error *error)
{
	int64_t left, turn;
	if (!qv_read_number(&text, options[0], &left) || !qv_read_char(&text, ' ') || !qv_read_number(&text, 2, &turn) || !turn || *text)
		return qv_fail(error, QV_BAD_INPUT, "position: expected HEAP SEAT");
	*static_cast<heap *>(state) = { static_cast<int32_t>(left), static_cast<int32_t>(turn - 1) };
	return QV_OK;
}

const qv_option options[] = { { "heap", "size of the heap", nullptr, 1, 100, 21 }, {} };

qv_game make()
{
	qv_game g = {};
	g.interface_number = QV_INTERFACE;
	g.size = sizeof g;
	g.sizes = QV_SIZES;
	g.name = "cpp-nim";
	g.title = "Nim in C++";
	g.seats = 2;
	g.alternates = true;
	g.state_size = sizeof(heap);
	g.max_moves = 3;
	g.max_plies = 100;
	g.options = options;
	g.start = start;
	g.seat = seat;
	g.moves = moves;
	g.play = play;
	g.result = result;
	g.hash = hash;
	g.move_text = move_text;
	g.position_text = position_text;
	g.position_parse = position_parse;
	return g;
}

const qv_game game = make();

}

extern "C" QV_API const qv_game *qv_plugin(int index)
{
	return index == 0 ? &game : nullptr;
}
END_CPP
"$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$source/include" -shared -fPIC "$work/nim.cpp" -o "$work/nim.so"
out=$("$build/quevedo" plugin check "$work/nim.so" | tail -n 1)
[ "$out" = ok ] || { echo "cplusplus.sh: the plug-in: $out" >&2; exit 1; }
echo "cplusplus.sh: a match and a plug-in in C++"
