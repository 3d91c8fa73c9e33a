#!/usr/bin/env python3
"""cluster_races.py - visitors who do contradictory things on several servers at the same moment.
SPDX-License-Identifier: MIT
usage: cluster_races.py [--seconds N] [--seed S] [--kills] [--only RACE] BUILD     BUILD: the folder of the programs

Three servers share a PostgreSQL database. Each race prepares something with two or more visitors, then sends its requests to
different servers at once, and states what may have come of it: one seat for one of three who join, one move for two tabs, one
account for one name, one rematch for two players. With --kills a server dies now and then; then a request may have no response,
and the race is repeated or its rules allow for it. In the end each game is read from each server: the same state everywhere, its
events without a gap, moves by the seats in turn, each acknowledged move in its place, each finished game once in each list.
Exit status 1: a rule was broken; the line says which.
"""
import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import threading
import time
import traceback

import stand as stands

PATIENCE = 20


class Unknown(Exception):
    """A server died, or was not sure: nothing can be said of this race."""


class Broken(Exception):
    """A rule was broken."""


def require(what, is_true, *seen):
    if not is_true:
        raise Broken(what + ": " + " ".join(json.dumps(one)[:700] for one in seen))


def puzzle_ids(game):
    """As the page computes them from the positions."""
    digits, ids = "0123456789abcdefghijklmnopqrstuvwxyz", []
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), f"../../web/puzzles/{game}.txt"), encoding="utf-8") as file:
        for line in file.read().split("\n")[1:]:
            parts, number, text = [part.strip() for part in line.split(";")], 0x811c9dc5, ""
            if len(parts) < 5 or line.startswith("#"):
                continue
            for character in ";".join(parts[4:]):
                number = (number ^ ord(character)) * 0x01000193 & 0xffffffff
            while number:
                number, digit = divmod(number, 36)
                text = digits[digit] + text
            ids.append(text)
    return ids


class World:
    """What all races share."""

    def __init__(self, stand, program):
        self.stand, self.program, self.lock = stand, program, threading.Lock()
        self.games, self.moves, self.counts, self.failures, self.unknown = {}, [], {}, [], 0
        self.reasons, self.puzzles = {}, puzzle_ids("connect4")

    def note_move(self, game, ply, move):
        with self.lock:
            self.moves.append((game, ply, move))

    def note_game(self, game):
        with self.lock:
            self.games[game] = None


class Visitor:
    """A browser: its cookie goes to every server."""

    def __init__(self, world, rng):
        self.world, self.rng, self.cookie, self.token = world, rng, None, None
        self.get("/me")

    def port(self, server):
        servers = self.world.stand.servers
        return (servers[server % len(servers)] if server is not None else self.rng.choice(servers)).port

    def headers(self, port):
        if self.token:
            return {"Authorization": "Bearer " + self.token}
        return {"Origin": f"http://127.0.0.1:{port}", **({"Cookie": self.cookie} if self.cookie else {})}

    def open(self, method, path, body=None, server=None):
        port = self.port(server)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        headers = self.headers(port)
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, "/api/v1" + path, None if body is None else json.dumps(body), headers)
        return connection, connection.getresponse()

    def ask(self, method, path, body=None, server=None):
        """The status and the body; 0: nobody can say what became of it."""
        try:
            connection, response = self.open(method, path, body, server)
            text = response.read()
            connection.close()
        except (OSError, http.client.HTTPException):
            return 0, None
        for value in response.headers.get_all("Set-Cookie") or []:
            if value.startswith("qv="):
                self.cookie = value.split(";")[0]
        return response.status, json.loads(text) if text else None

    def get(self, path, server=None):
        """Reads are repeated until they succeed."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            status, body = self.ask("GET", path, None, server)
            if status == 200:
                return body
            if 0 < status < 500 and status != 429:
                raise Broken(f"GET {path}: {status} {body}")
            time.sleep(0.1)
        raise Broken(f"GET {path}: not within {PATIENCE} s: {status} {body}")

    def post(self, path, body=None, server=None):
        return self.ask("POST", path, body or {}, server)

    def must(self, path, body, server=None):
        status, response = self.post(path, body, server)
        if status in (0, 429, 502, 503):
            raise Unknown(path)
        require(f"POST {path}", status in (200, 201), status, response)
        return response

    def act(self, game, action, server=None, **more):
        return self.post(f"/plays/{game}/actions", {"action": action, **more}, server)


def at_once(*calls):
    """Runs them in threads that begin together; their results in order."""
    results, gate = [None] * len(calls), threading.Barrier(len(calls))

    def run(i, call):
        try:
            gate.wait()
            results[i] = call()
        except BaseException as error:  # pylint: disable=broad-except
            results[i] = error

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def statuses(results):
    """Of the requests; those that nobody knows about end the race."""
    found = [status for status, _ in results]
    if any(status in (0, 429, 500, 502, 503) for status in found):
        if 500 in found:
            raise Broken(f"status 500: {results}")
        raise Unknown(str(found))
    return found


class Race:
    def __init__(self, world, rng):
        self.world, self.rng = world, rng
        self.order = rng.sample(range(3), 3)

    def visitor(self):
        return Visitor(self.world, self.rng)

    def game(self, ann, game="connect4", **more):
        made = ann.must("/plays", {"game": game, "seats": ["human", "open"], **more})
        self.world.note_game(made["id"])
        return made["id"]

    def pair(self, game="connect4", **more):
        ann, bob = self.visitor(), self.visitor()
        made = self.game(ann, game, **more)
        status, body = bob.act(made, "join", name="Bob")
        if status in (0, 429, 503):
            raise Unknown("join")
        require("join", status == 200, status, body)
        return made, ann, bob

    def everywhere(self, game, visitor=None):
        """The game as each server shows it, which is the same."""
        reader = visitor or self.visitor()
        plays = [shape(reader.get(f"/plays/{game}", server)) for server in range(3)]
        # Somebody may have changed it between the reads: the computer, or a clock.
        if any(play != plays[0] for play in plays):
            time.sleep(1)
            plays = [shape(reader.get(f"/plays/{game}", server)) for server in range(3)]
        require(f"game {game} differs between servers", all(play == plays[0] for play in plays), *plays)
        return plays[0]

    # ---- The races ----

    def join(self):
        """Three want one seat."""
        ann = self.visitor()
        game, rivals = self.game(ann), [self.visitor() for _ in range(3)]
        results = at_once(*[lambda v=v, s=s: v.act(game, "join", s, name=f"Rival {s}") for s, v in enumerate(rivals)])
        found = statuses(results)
        require("one seat for one rival", sorted(found) == [200, 409, 409], results)
        winner = found.index(200)
        for i, rival in enumerate(rivals):
            seats = rival.get(f"/plays/{game}")["seats"]
            require("the seat is the winner's", [s["you"] for s in seats] == [False, i == winner], seats)
        self.everywhere(game)

    def join_twice(self):
        """One visitor, two tabs."""
        ann, bob = self.visitor(), self.visitor()
        game = self.game(ann)
        results = at_once(*[lambda s=s: bob.act(game, "join", s, name="Bob") for s in range(3)])
        found = statuses(results)
        require("one of three joins", found.count(200) >= 1 and set(found) <= {200, 409}, results)
        seats = bob.get(f"/plays/{game}")["seats"]
        require("one seat", [s["you"] for s in seats] == [False, True], seats)
        self.everywhere(game)

    def cancel(self):
        """The owner cancels while somebody joins."""
        ann, bob = self.visitor(), self.visitor()
        game = self.game(ann)
        results = at_once(lambda: ann.act(game, "cancel", self.order[0]), lambda: bob.act(game, "join", self.order[1], name="Bob"))
        found = statuses(results)
        require("cancelled or joined", sorted(found) in ([200, 403], [200, 404], [200, 409]), results)
        play = self.everywhere(game)
        seated = play["seats"][1]["kind"] == "person"
        require("what was acknowledged is so", seated == (found[1] == 200), play["seats"], results)
        if found[0] == 200:
            lobby = [entry["id"] for entry in self.visitor().get("/lobby")["open"]] if "open" in self.visitor().get("/lobby") else []
            require("a cancelled game is not in the lobby", game not in lobby, game)

    def tabs(self):
        """Two tabs on two servers move at once, for a whole game."""
        game, ann, bob = self.pair()
        for ply in range(6):
            who = bob if ply % 2 else ann
            moves = [m["move"] for m in who.get(f"/plays/{game}", self.order[0])["view"]["moves"]]
            wanted = self.rng.sample(moves, 2)
            ask = {"ply": ply} if self.rng.random() < 0.5 else {}
            results = at_once(*[lambda m=m, s=s: who.post(f"/plays/{game}/moves", {"move": m, **ask}, s)
                                for m, s in zip(wanted, self.order)])
            found = statuses(results)
            require("one of two moves", sorted(found) == [200, 409], results)
            self.world.note_move(game, ply, wanted[found.index(200)])
        play = self.everywhere(game)
        require("six moves by turns", [m["seat"] for m in play["line"]] == [1, 2] * 3, play["line"])

    def same_move(self):
        """The same move with its ply to all servers, as a page that sends again: all succeed, it is made once."""
        game, ann, bob = self.pair()
        for ply in range(6):
            who = bob if ply % 2 else ann
            move = self.rng.choice(who.get(f"/plays/{game}")["view"]["moves"])["move"]
            results = at_once(*[lambda s=s: who.post(f"/plays/{game}/moves", {"move": move, "ply": ply}, s) for s in range(3)])
            require("all are the same move", set(statuses(results)) == {200}, results)
            self.world.note_move(game, ply, move)
        play = self.everywhere(game)
        require("six moves", len(play["line"]) == 6, play["line"])

    def end(self):
        """Move, resignation and take-back at once."""
        game, ann, bob = self.pair()
        for ply in range(2):
            (bob if ply % 2 else ann).must(f"/plays/{game}/moves", {"move": str(ply + 1)})
        results = at_once(lambda: ann.post(f"/plays/{game}/moves", {"move": "4", "ply": 2}, self.order[0]),
                          lambda: ann.act(game, "offer", self.order[2], kind="undo"),
                          lambda: bob.act(game, "resign", self.order[1]))
        found = statuses(results)
        require("Bob resigns in any case", found[2] == 200 and set(found) <= {200, 409}, results)
        play = self.everywhere(game)
        require("Ann wins", play["result"] == "win 1", play["result"])
        if found[0] == 200:
            self.world.note_move(game, 2, "4")
        require("the move is as acknowledged", len(play["line"]) == 2 + (found[0] == 200), play["line"], results)
        self.listed_once(game, ann, bob)

    def resign_both(self):
        game, ann, bob = self.pair()
        ann.must(f"/plays/{game}/moves", {"move": "1"})
        results = at_once(lambda: ann.act(game, "resign", self.order[0]), lambda: bob.act(game, "resign", self.order[1]),
                          lambda: bob.act(game, "resign", self.order[2]))
        found = statuses(results)
        require("one resignation", sorted(found) == [200, 409, 409], results)
        play = self.everywhere(game)
        require("the other wins", play["result"] == ("win 2" if found[0] == 200 else "win 1"), play["result"], results)
        self.listed_once(game, ann, bob)

    def draw(self):
        """Both offer a draw: the second offer accepts."""
        game, ann, bob = self.pair()
        ann.must(f"/plays/{game}/moves", {"move": "1"})
        results = at_once(lambda: ann.act(game, "offer", self.order[0], kind="draw"),
                          lambda: bob.act(game, "offer", self.order[1], kind="draw"))
        require("both offer", statuses(results) == [200, 200], results)
        require("a draw", self.everywhere(game)["result"] == "draw", results)
        self.listed_once(game, ann, bob)

    def rematch(self):
        """Both want one, also twice: there is one."""
        game, ann, bob = self.pair()
        ann.must(f"/plays/{game}/moves", {"move": "1"})
        bob.must(f"/plays/{game}/actions", {"action": "resign"})
        results = at_once(*[lambda v=v, s=s: v.act(game, "rematch", s) for v, s in zip((ann, bob, bob), self.order)])
        found = statuses(results)
        require("a rematch", 200 in found and set(found) <= {200, 201, 409}, results)
        play = self.everywhere(game)
        require("one rematch", play["rematch"], play, results)
        new = play["rematch"].rsplit("/", 1)[-1]
        self.world.note_game(new)
        seats = [[s["you"] for s in v.get(f"/plays/{new}")["seats"]] for v in (ann, bob)]
        require("seats change", seats == [[False, True], [True, False]], seats)
        mine = [[entry["id"] for entry in v.get("/me", s)["plays"]] for v in (ann, bob) for s in range(3)]
        require("one game goes on", all(ids == [new] for ids in mine), mine, game, new)
        self.everywhere(new)

    def names(self):
        """One name for three accounts."""
        name = f"Name{self.rng.randrange(10 ** 9)}"
        rivals = [self.visitor() for _ in range(3)]
        words = [name, name.upper(), name.lower()]
        results = at_once(*[lambda v=v, s=s: v.post("/accounts", {"name": words[s], "password": f"password {s}"}, s)
                            for s, v in enumerate(rivals)])
        found = statuses(results)
        require("one account", sorted(found) in ([200, 409, 409], [201, 409, 409]), results)
        winner = next(i for i, status in enumerate(found) if status < 400)
        results = [self.visitor().post("/login", {"name": name, "password": f"password {s}"}) for s in range(3)]
        found = statuses(results)
        require("one password", [status == 200 for status in found] == [s == winner for s in range(3)], results)

    def account(self, visitor):
        name = f"Acc{self.rng.randrange(10 ** 9)}"
        visitor.must("/accounts", {"name": name, "password": "password 1"})
        return name

    def delete(self):
        """An account deletes itself while it moves elsewhere."""
        ann, bob = self.visitor(), self.visitor()
        name = self.account(ann)
        ann.must("/me", {"name": name})
        game = self.game(ann)
        status, body = bob.act(game, "join", name="Bob")
        if status in (0, 429, 503):
            raise Unknown("join")
        require("join", status == 200, status, body)
        tab = Visitor(self.world, self.rng)
        tab.cookie = ann.cookie
        results = at_once(lambda: ann.post("/account/delete", {"password": "password 1"}, self.order[0]),
                          lambda: tab.post(f"/plays/{game}/moves", {"move": "3", "ply": 0}, self.order[1]),
                          lambda: tab.post("/tokens", {"label": "late"}, self.order[2]))
        if results[0][0] in (0, 429, 503):
            raise Unknown("delete")
        if results[0][0] != 200:
            again = [self.visitor().post("/login", {"name": name, "password": "password 1"}, s)[0] for s in range(3)]
            raise Broken(f"deleted: {results[0]} {results[1][0]} {results[2]}, logins {again}")
        require("the move is made or refused", results[1][0] in (0, 200, 401, 403, 409, 503), results)
        time.sleep(1)
        for server in range(3):
            late = Visitor(self.world, self.rng)
            late.cookie = tab.cookie if tab.cookie == ann.cookie else late.cookie
            if results[2][0] in (200, 201):
                late.token = results[2][1]["token"]
                status, body = late.ask("GET", "/me", None, server)
                require("a token of a deleted account", status in (0, 401, 503), status, body)
        play = self.everywhere(game, bob)
        require("the name is gone", not play["seats"][0]["name"].startswith("Acc"), play["seats"])
        if results[1][0] == 200:
            require("the move was acknowledged", [m["move"] for m in play["line"]] == ["3"], play["line"], results)

    def revoke(self):
        """A token is revoked while its stream runs elsewhere."""
        game, ann, _ = self.pair()
        self.account(ann)
        token = ann.must("/tokens", {"label": "x"})
        program = Visitor(self.world, self.rng)
        program.token = token["token"]
        try:
            connection, stream = program.open("GET", f"/plays/{game}/events", None, self.order[0])
            if stream.status == 503:
                raise Unknown("stream")
            require("a stream of the token", stream.status == 200, stream.status)
            stream.readline()
        except (OSError, http.client.HTTPException) as error:
            raise Unknown("stream") from error
        ann.must(f"/tokens/{token['id']}/revoke", {}, self.order[1])
        end = time.monotonic() + 5
        try:
            while stream.readline():
                require("the stream ends", time.monotonic() < end)
        except TimeoutError as error:
            raise Broken("the stream of a revoked token goes on") from error
        except (OSError, http.client.HTTPException):
            pass
        connection.close()
        time.sleep(1)
        found = [program.ask("GET", "/me", None, server) for server in range(3)]
        require("a revoked token is refused everywhere", all(status in (0, 401, 503) for status, _ in found), found)

    def logout(self):
        """Log out everywhere on one server: the cookie fails on all."""
        ann = self.visitor()
        name = self.account(ann)
        other = self.visitor()
        other.must("/login", {"name": name, "password": "password 1"})
        old = other.cookie
        ann.must("/logout", {"everywhere": True}, self.order[0])
        time.sleep(1)
        for server in range(3):
            other.cookie = old
            status, body = other.ask("GET", "/me", None, server)
            require("an ended session", status in (0, 401, 503), status, body)

    def studies(self):
        """Two saves of the same version: one is refused."""
        ann = self.visitor()
        record = '{"quevedo":1,"game":"connect4","position":"start","seats":["human","human"]}\n'
        text = {"title": "T", "chapters": [{"name": "One", "record": record}]}
        made = ann.must("/studies", text)
        for version in range(1, 4):
            results = at_once(*[lambda s=s, v=version: ann.post(f"/studies/{made['id']}", {**text, "title": f"T {v} {s}", "version": v}, s)
                                for s in range(3)])
            found = statuses(results)
            require("one save of a version", sorted(found) == [200, 409, 409], results)
            titles = {ann.get(f"/studies/{made['id']}", s)["title"] for s in range(3)}
            require("its text everywhere", titles == {f"T {version} {found.index(200)}"}, sorted(titles), results)

    def new_study(self):
        """The same request for a new study, sent to all servers: one study."""
        ann = self.visitor()
        record = '{"quevedo":1,"game":"connect4","position":"start","seats":["human","human"]}\n'
        text = {"key": "my-1", "title": "T", "chapters": [{"name": "One", "record": record}]}
        results = at_once(*[lambda s=s: ann.post("/studies", text, s) for s in range(3)])
        require("created, found, or to be sent again", {status for status, _ in results} <= {0, 200, 201, 503}, results)
        require("created once", [status for status, _ in results].count(201) <= 1, results)
        made = ann.must("/studies", text)
        ids = {made["id"]} | {body["id"] for status, body in results if status in (200, 201)}
        listed = {one["id"] for server in range(3) for one in ann.get("/studies", server)["studies"]}
        require("one study everywhere", len(ids) == 1 and listed == ids, sorted(listed), results)

    def puzzle(self):
        """One visitor reports one attempt to all servers."""
        ann = self.visitor()
        with self.world.lock:
            if not self.world.puzzles:
                raise Unknown("all puzzles are used")
            puzzle = self.world.puzzles.pop()
        results = at_once(*[lambda s=s: ann.post("/puzzles/connect4/attempts", {"puzzle": puzzle, "solved": True}, s) for s in range(3)])
        require("all are accepted", set(statuses(results)) == {200}, results)
        for server in range(3):
            time.sleep(0.1)
            found = [one for one in ann.get("/puzzles/connect4", server)["puzzles"] if one["id"] == puzzle]
            require("one try", [one["tries"] for one in found] == [1], server, found, results)

    def dice(self):
        """Two tabs roll: there is one roll."""
        game, ann, bob = self.pair("backgammon", dice="server")
        for _ in range(4):
            play = ann.get(f"/plays/{game}")
            if play["result"]:
                break
            before = play["version"]
            if play["view"]["seat"] == 0:
                results = at_once(*[lambda v=v, s=s: v.act(game, "throw", s, seed=f"luck {s}") for s, v in zip(self.order, (ann, ann, bob))])
                found = statuses(results)
                require("at most one roll", found.count(200) == 1 and set(found) <= {200, 403, 409}, results)
            else:
                who = ann if play["view"]["seat"] == 1 else bob
                move = self.rng.choice(play["view"]["moves"])["move"]
                results = at_once(*[lambda s=s: who.post(f"/plays/{game}/moves", {"move": move}, s) for s in self.order[:2]])
                found = statuses(results)
                require("a move", 200 in found, results)
            require("it went on", ann.get(f"/plays/{game}")["version"] > before, results)
        self.everywhere(game)

    def phrases(self):
        """Both talk at once: followers on all servers hear the same, in the same order."""
        game, ann, bob = self.pair()
        heard, streams = [[], [], []], []
        for server in range(3):
            try:
                connection, response = self.visitor().open("GET", f"/plays/{game}/events?people=1", None, server)
            except (OSError, http.client.HTTPException) as error:
                raise Unknown("stream") from error
            if response.status == 503:
                raise Unknown("stream")
            require("a stream", response.status == 200, response.status)
            streams.append(connection)

            def listen(response=response, heard=heard[server]):
                try:
                    while line := response.readline():
                        message = json.loads(line)
                        if message["type"] == "phrase":
                            heard.append((message["number"], message["seat"], message["phrase"]))
                        if message["type"] == "move":
                            heard.append(("move", message["version"], message["move"]["move"]))
                except (OSError, ValueError, AttributeError, http.client.HTTPException):
                    heard.append("broken")
            threading.Thread(target=listen, daemon=True).start()
        results = at_once(lambda: ann.post(f"/plays/{game}/phrases", {"phrase": "hello"}, self.order[0]),
                          lambda: bob.post(f"/plays/{game}/phrases", {"phrase": "thanks"}, self.order[1]),
                          lambda: ann.post(f"/plays/{game}/moves", {"move": "1", "ply": 0}, self.order[2]),
                          lambda: bob.post(f"/plays/{game}/phrases", {"phrase": "sorry"}, self.order[2]))
        require("all are said", statuses(results) == [200] * 4, results)
        end = time.monotonic() + 10
        while time.monotonic() < end and any(len(one) < 4 for one in heard) and not any("broken" in one for one in heard):
            time.sleep(0.02)
        for connection in streams:
            connection.close()
        if any("broken" in one[:4] for one in heard):
            raise Unknown("stream")
        require("the same order everywhere", all(one[:4] == heard[0][:4] for one in heard), *heard)
        numbers = [one[0] for one in heard[0][:4] if one[0] != "move"]
        require("numbers grow", numbers == sorted(set(numbers)) and len(numbers) == 3, numbers)

    def lobby(self):
        """A game begun on one server is in the lobby of all within a second, in the same order, and leaves it when it is full."""
        ann, bob = self.visitor(), self.visitor()
        game = self.game(ann)
        self.in_lobby(ann, game, True)
        status, body = bob.act(game, "join", self.order[1], name="Bob")
        if status in (0, 429, 503):
            raise Unknown("join")
        require("join", status == 200, body)
        self.in_lobby(ann, game, False)

    def in_lobby(self, visitor, game, wanted):
        for server in range(3):
            end = time.monotonic() + 3
            while True:
                lobby = visitor.get("/lobby", server)
                found = any(entry["id"] == game and any(s["kind"] == "open" for s in entry["seats"])
                            for entries in lobby.values() if isinstance(entries, list) for entry in entries)
                if found == wanted:
                    break
                require(f"open in the lobby of server {server}: {wanted}", time.monotonic() < end, game, lobby)
                time.sleep(0.05)

    def rename(self):
        """Two names at once: one of them, the same on all servers."""
        ann = self.visitor()
        game = self.game(ann)
        results = at_once(lambda: ann.post("/me", {"name": "Name One"}, self.order[0]), lambda: ann.post("/me", {"name": "Name Two"}, self.order[1]))
        require("both are accepted", set(statuses(results)) == {200}, results)
        end = time.monotonic() + 5
        while True:
            names = {ann.get("/me", s)["name"] for s in range(3)}
            if len(names) == 1 and names <= {"Name One", "Name Two"}:
                break
            require("one name everywhere", time.monotonic() < end, sorted(names))
            time.sleep(0.1)
        self.everywhere(game)

    def password(self):
        """An operator's code for a new password is used on three servers: it counts once."""
        ann = self.visitor()
        name = self.account(ann)
        done = subprocess.run([self.world.program, "server", "users", "reset", name, "--store", self.world.stand.postgres.place()],
                              check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise Unknown(done.stderr)
        code = done.stdout.partition("reset=")[2].split()[:1]
        require("a code", code, done.stdout)
        code = code[0]
        rivals = [self.visitor() for _ in range(3)]
        results = at_once(*[lambda v=v, s=s: v.post("/password/reset", {"code": code, "new": f"password {s}{s}"}, s)
                            for s, v in enumerate(rivals)])
        found = statuses(results)
        require("one use of a code", sum(status == 200 for status in found) == 1, results, done.stdout)
        logins = [self.visitor().post("/login", {"name": name, "password": f"password {s}{s}"}) for s in range(3)]
        if any(status in (0, 429, 503) for status, _ in logins):
            raise Unknown("login")
        require("one password", [status == 200 for status, _ in logins] == [status == 200 for status in found], logins, results)

    def listed_once(self, game, *players):
        """A finished game is in the list of each player, once, on every server."""
        for player in players:
            for server in range(3):
                end = time.monotonic() + 5
                while True:
                    ids = [one["id"] for one in player.get("/me/games", server)["games"]]
                    if ids.count(game) == 1:
                        break
                    require("a finished game is listed once", time.monotonic() < end, game, ids)
                    time.sleep(0.1)
                going = [one["id"] for one in player.get("/me", server)["plays"]]
                require("and does not go on", game not in going, game, going)


RACES = [name for name, value in vars(Race).items() if callable(value) and not name.startswith("_") and
         name not in ("visitor", "game", "pair", "everywhere", "account", "listed_once", "in_lobby")]


def shape(play):
    """A game without what differs between visitors and moments."""
    kept = {key: play[key] for key in ("id", "game", "line", "result", "reason", "rematch", "offers", "cursor", "redo")}
    kept["seats"] = [{key: seat[key] for key in ("kind", "name", "spec")} for seat in play["seats"]]
    kept["position"] = play["view"]["position"]
    return kept


def run_races(world, seed, end, names):
    rng = random.Random(seed)
    while time.monotonic() < end and len(world.failures) < 5:
        name = rng.choice(names)
        race = Race(world, rng)
        try:
            getattr(race, name)()
            with world.lock:
                world.counts[name] = world.counts.get(name, 0) + 1
        except Unknown as why:
            with world.lock:
                world.unknown += 1
                world.reasons[f"{name}: {why}"] = world.reasons.get(f"{name}: {why}", 0) + 1
        except Broken as why:
            with world.lock:
                world.failures.append(f"{name}: {why}")
            print(f"races: BROKEN: {name}: {why}", flush=True)
        except Exception:  # pylint: disable=broad-except
            with world.lock:
                world.failures.append(f"{name}: {traceback.format_exc()}")
            print(f"races: {name}: {traceback.format_exc()}", flush=True)


def check_all(world):
    """Reads each game from each server, and the database."""
    reader = Visitor(world, random.Random(1))
    race = Race(world, random.Random(1))
    for game in world.games:
        play = race.everywhere(game, reader)
        if play["game"] == "connect4":
            require("moves by turns", [m["seat"] for m in play["line"]] == [1 + i % 2 for i in range(len(play["line"]))], play["line"])
        for at_game, ply, move in world.moves:
            if at_game == game:
                require("an acknowledged move is in its place", len(play["line"]) > ply and play["line"][ply]["move"] == move,
                        game, ply, move, play["line"])
    sql = world.stand.postgres.sql
    require("no gaps", not sql("SELECT play FROM event GROUP BY play HAVING count(*) <> max(number) + 1 OR min(number) <> 0"))
    require("finished once", not sql('SELECT play FROM finished GROUP BY play, "user" HAVING count(*) > 1'))


def run_kills(world, rng, end):
    """A server dies now and then, and is back after a while."""
    while time.monotonic() < end:
        time.sleep(rng.uniform(2, 5))
        server = rng.choice(world.stand.servers)
        server.kill(None)
        time.sleep(rng.uniform(0.5, 3))
        server.start()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=180)
    parser.add_argument("--seed", type=int, default=random.randrange(1000000))
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--kills", action="store_true")
    parser.add_argument("--only", choices=RACES, action="append")
    parser.add_argument("build")
    options = parser.parse_args()
    if stands.missing():
        print("races: skipped: no", stands.missing())
        return 0
    print(f"races: --seconds {options.seconds} --seed {options.seed}{' --kills' if options.kills else ''}", flush=True)
    stand = stands.Stand(options.build, ["--per-address", "1000", "--quota", "10G"])
    world = World(stand, os.path.abspath(options.build) + "/quevedo")
    try:
        end = time.monotonic() + options.seconds
        threads = [threading.Thread(target=run_races, args=(world, options.seed + i, end, options.only or RACES))
                   for i in range(options.threads)]
        if options.kills:
            threads.append(threading.Thread(target=run_kills, args=(world, random.Random(options.seed), end)))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stand.heal()
        try:
            check_all(world)
        except Broken as why:
            world.failures.append(f"at the end: {why}")
            print(f"races: BROKEN: at the end: {why}", flush=True)
    finally:
        bad = stand.end()
    world.failures += bad
    print(f"races: {sum(world.counts.values())} races {json.dumps(world.counts)}; {world.unknown} without a verdict "
          f"{json.dumps(world.reasons)}; {len(world.games)} games, {len(world.moves)} moves in tabs")
    for line in bad:
        print("races:", line)
    print("races:", f"FAILED: {len(world.failures)} rules broken" if world.failures else "no rule was broken")
    return 1 if world.failures else 0


if __name__ == "__main__":
    sys.exit(main())
