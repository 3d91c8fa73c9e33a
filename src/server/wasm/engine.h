/*
 * engine.h - the part of the API that needs no server, for one thread: the engine in a browser.
 * SPDX-License-Identifier: MIT
 *
 * The routes about games and positions are those of the server (server/api), with the same JSON. A
 * search runs inside engine_request; its host is a worker of the page, which can only be stopped by
 * ending it. So a search reports each result as it finds it.
 *
 * Compiled to WebAssembly, engine_respond is imported from the module "quevedo" and the other
 * functions are exported. The data of a game (nets, tables, books) is not part of the module: the
 * host passes the file GAME.bin to engine_data once, before the first request about the game. A game
 * without such a file needs none.
 */
#ifndef SERVER_WASM_ENGINE_H
#define SERVER_WASM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

/* Prepares the engine. False: out of memory. */
bool engine_open(void);
void engine_close(void);

/*
 * The bytes of GAME.bin. False: there is no such file, or it has another size: it belongs to another
 * version of the engine.
 */
bool engine_data(const char *game, const char *bytes, size_t size);

/*
 * Runs a request: "positions", or "boards?game=chess", as after /api/v1/ of the server. body: JSON
 * for a POST; "": a GET. All responses come before it returns. 409 with "data: GAME is not loaded":
 * pass the game's data first.
 *
 * As in the server: games, history, boards, openings, positions, analysis, values, evaluation, luck,
 * explanations, records; plays, plays/ID, plays/ID/record, plays/ID/moves and plays/ID/actions. What
 * needs other people or files of the server does not exist here: me, accounts, login, logout,
 * tokens, lobby, matches and streams of events.
 *
 * These routes exist here only; the first four take game, position and moves as the others do:
 *
 *   move   {player, seed, time, aim, book, memory}: messages of type "thoughts", then {"move",
 *          "thoughts"}. The fields are optional: the strongest player, 1, milliseconds at most and
 *          to aim at, whether a level may use its opening book, what a learner remembers
 *   solve  {distance, nodes, time}: {"value", "in", "move", "nodes"}
 *   perft  {depth}: {"nodes"}
 *   trace  {player, nodes, plies, log, short}: the tree that a search visits, as `quevedo tree --json`;
 *          with log true, every visit to every node, as `quevedo tree --json --log`, and an id; with
 *          short true, moves as people write them (chess: Nf3)
 *   trace/words  {id, visit}: {"text"}, what happens at a visit or a step. Four logs are kept
 *
 * For the laboratory of the page, also here only; [fields] are optional. learn, boxes and td stop
 * after 120 seconds:
 *
 *   proof  {game, [position, moves, nodes, steps, short]}: a log (src/trace/README.md) and "result"
 *   wave   {game, [space]}: retrograde analysis of the spaces up to `space`, at most 2^20 numbers:
 *          {"positions", "draws", "spaces", "waves"}; a wave is {"plies", "wins", "losses"}, for the
 *          side to move
 *   wave/map  the same: "waves", the wave of each position; -1: a draw
 *   wave/position  {game, [space], wave, index}, or position for both: {"position", "value", "in",
 *          "moves"}. A move is {"move", "value", "in", "before"}, for the side to move afterwards;
 *          before: into the wave before
 *   learn  {[game, games, seed, seat, opponent]}: `learn` plays games (seat 0: by turns) against
 *          random or the opponent: {"games", "wins", "boxes", "results", "removed", "played"}.
 *          Results are 1, 0 or -1; removed are the beads that each game took, {"game", "position",
 *          "move"}; a game is {"moves", "beads"}, a bead {"box", "move"}
 *   boxes  the same games. A box is {"position", "game", "times", "beads", "moves"}: the game that
 *          opened it, its uses, beads left, and for each move the game that removed it. Symmetric
 *          positions share a box
 *   td     {[games, every, test, seed, rate, lambda, wild, opponent, slice, progress]}: training of
 *          Race!: {"curve", "weights", "usual", "progress", "moves"}. After `slice` games it ends;
 *          the next request continues from its progress
 *   machine  {position, [literal]}: {"rule", "text", "move", "sideways", "rules"}. The first of the
 *          rules that applies decides. sideways: the text's rows are the board's files
 *   mask   {game, [position, moves, player, nodes]}: as explanations, with "tree": seen turns, and
 *          the first nodes, {"parent", "level", "seat", "without", "commands", "scores", "best"}
 *
 * Games in progress:
 *
 *   plays/load  {lines}: loads a game that the host has kept; the response is that of plays/ID
 *   plays/ID/computer  {turn, move}: a computer's move; move null: it cannot play. The response is
 *          that of plays/ID
 *
 * A game in progress is in the engine's memory, and the host keeps its lines. Before the response,
 * each request about it sends a message {"type": "kept", "id", "first", "lines", "think", "due"}:
 * new lines and the number of the first one; the search that is due for a computer, null or {"turn",
 * "seat", "player", "time", "aim", "now", "memory"} for the routes move and plays/ID/computer; and
 * null or the milliseconds after which to request plays/ID, because a clock may run out or dice roll
 * by themselves. A request about a game that is not in memory has the status 404: load it.
 */
void engine_request(const char *request, const char *body);

/* Provided by the host. `last` is the end of a request; a stream has messages before it. */
#ifdef __wasm__
__attribute__((import_module("quevedo"), import_name("respond")))
#endif
void engine_respond(int status, const char *text, size_t size, bool last);

/* Provided by the host: bytes that nobody can predict, for dice and ids. */
#ifdef __wasm__
__attribute__((import_module("quevedo"), import_name("random")))
#endif
void engine_random(void *bytes, size_t size);

/* Memory for the texts and bytes that the host passes. */
void *engine_alloc(size_t size);
void engine_free(void *block);

#endif
