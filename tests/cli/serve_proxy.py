#!/usr/bin/env python3
# serve_proxy.py - the web server behind proxies and load balancers: whose a request is, origins, certificates, draining, --config.
# SPDX-License-Identifier: MIT
# usage: serve_proxy.py PROGRAM WORK_FOLDER      PROGRAM: quevedo; WORK_FOLDER: an empty one
import json
import os
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import time

import serve_hostile as hostile
from serve_hostile import PATIENCE, PROGRAM, WORK, Server, WebSocket, ask, check, post, read_answer, refused, request

HOST = "games.example"
BURST = 40  # requests of an address at once,
A_SECOND = 20  # ... and so many more
READY, LIVE = "/api/v1/health/ready", "/api/v1/health/live"


def visit(server, visitor, *headers, path="/api/v1/games", host=HOST):
    return ask(server, request(server, path=path, headers=[f"X-Forwarded-For: {visitor}", *headers], host=host))


def at_once(server, requests):
    """How many of these are answered, sent together: more than BURST of an address are not."""
    connections = [server.connect() for _ in requests]
    for connection, data in zip(connections, requests):
        connection.sendall(data)
    statuses = [read_answer(connection).status for connection in connections]
    for connection in connections:
        connection.close()
    check("answered or too fast", set(statuses) <= {200, 429}, statuses)
    return statuses.count(200)


def is_limited(server, headers, prefix=b""):
    """Is the sender of these headers limited as one visitor? Each is a function of a number, what it claims."""
    count = BURST + 20
    for attempt in range(10):
        began = time.monotonic()
        answered = at_once(server, [prefix + request(server, path=LIVE, headers=headers(i), host=HOST) for i in range(count)])
        # On a slow machine so many were allowed again meanwhile; then the next ones are too many.
        if answered < count or time.monotonic() - began < (count - BURST) / A_SECOND:
            # It also makes each of them cost more than one.
            return answered < count and (answered >= BURST // 2 or attempt > 0)
    return False


# ---- Whose a request is ----

def addresses():
    s = Server("--trust-proxy", "127.0.0.1", "--trust-proxy", "10.0.0.0/8", "--allow-host", HOST, name="addresses")
    check("a visitor is limited", is_limited(s, lambda i: ["X-Forwarded-For: 203.0.113.7"]))
    check("whatever it claims", is_limited(s, lambda i: [f"X-Forwarded-For: 198.51.100.{i}, 203.0.113.17"]))
    check("through two proxies, too", is_limited(s, lambda i: [f"X-Forwarded-For: 198.51.100.{i}, 203.0.113.27:4711, 10.0.0.3"]))
    check("in the words of RFC 7239", is_limited(s, lambda i: [f"Forwarded: for=198.51.100.{i}, for=203.0.113.37;proto=https"]))
    # A proxy may append a line of its own: the last one counts, whatever the visitor has put before it.
    for name, say in (("X-Forwarded-For", "{}"), ("Forwarded", "for={}")):
        check(f"a line after the visitor's {name}", is_limited(s, lambda i: [f"{name}: " + say.format(f"198.51.100.{i}"), f"{name}: " + say.format("203.0.113.57" if name[0] == "X" else "203.0.113.67")]))
        check(f"many visitors with two lines of {name}", not is_limited(s, lambda i: [f"{name}: " + say.format("198.51.100.1"), f"{name}: " + say.format(f"192.0.2.{i}")]))
    # A proxy that writes one of the two passes on the other, which the visitor may have made up. Then neither counts.
    own = (lambda i: ["X-Forwarded-For: 203.0.113.47", f"Forwarded: for=198.51.100.{i}"], lambda i: [f"X-Forwarded-For: 198.51.100.{i}", "Forwarded: for=203.0.113.77"],
           lambda i: [f"X-Forwarded-For: 198.51.100.{i}", f"Forwarded: for=198.51.100.{i}", "Forwarded: for=203.0.113.77"])
    check("a visitor's own among the proxy's", is_limited(s, lambda i: own[i % 3](i)))
    check("it is logged once", s.logged().count(" warn proxy: ") == 1, s.logged())
    check("a proxy may write both", not is_limited(s, lambda i: [f"X-Forwarded-For: 198.51.100.{i}", f"Forwarded: for=198.51.100.{i}"]))
    check("the proxy itself is not limited by that", ask(s, request(s, host=HOST)).status == 200)
    check("many visitors with it are not", not is_limited(s, lambda i: [f"Forwarded: for=203.0.113.{170 + i}"]))
    check("many visitors are not", not is_limited(s, lambda i: [f"X-Forwarded-For: 203.0.113.{100 + i}"]))
    check("another one is not concerned", visit(s, "203.0.113.8").status == 200)
    check("nor one of IPv6", visit(s, "[2001:db8::1]:80").status == 200)
    cookie = visit(s, "203.0.113.9", "X-Forwarded-Proto: https").headers["set-cookie"]
    check("https", cookie.startswith("__Host-qv=") and "; Secure" in cookie, cookie)
    cookie = visit(s, "203.0.113.9", "X-Forwarded-Proto: http").headers["set-cookie"]
    check("http", cookie.startswith("qv=") and "Secure" not in cookie, cookie)
    cookie = visit(s, "203.0.113.9", "X-Forwarded-Proto: http", "X-Forwarded-Proto: https").headers["set-cookie"]
    check("the last line says https", cookie.startswith("__Host-qv="), cookie)
    data = request(s, headers=["X-Forwarded-For: 203.0.113.9"], host=HOST)
    with s.connect() as slow:
        for byte in data:
            slow.sendall(bytes([byte]))
        check("a head byte by byte", read_answer(slow).status == 200)
    with s.connect() as cut:
        cut.sendall(data[:-2])
        cut.shutdown(socket.SHUT_WR)
        check("a head that ends early", read_answer(cut) is None)
    check("one that is too long", ask(s, request(s, headers=["X: " + "x" * 1000] * 20)) is None)
    cookie = ask(s, request(s, path="/api/v1/games", headers=["Forwarded: for=203.0.113.9;proto=https"], host=HOST)).headers["set-cookie"]
    check("https by RFC 7239", cookie.startswith("__Host-qv="), cookie)
    page = visit(s, "203.0.113.9", "X-Forwarded-Proto: https", path="/play/chess").body
    check("previews", b"og:url" not in page or f"https://{HOST}/play/chess".encode() in page, page[:300])
    # Connections: many of the proxy, few of a visitor.
    sockets = [WebSocket(s, f"X-Forwarded-For: 192.0.2.{i % 10}") for i in range(10 * 20)]
    check("sockets of a proxy", all(ws.open for ws in sockets), [ws.answer and ws.answer.status for ws in sockets if not ws.open])
    while sum(ws.open for ws in sockets[200:]) < 64 - 20:
        sockets.append(WebSocket(s, "X-Forwarded-For: 192.0.2.1"))
        time.sleep(0 if sockets[-1].open else 0.1)  # an address may not open them faster
    time.sleep(0.5)
    check("sockets of a visitor", WebSocket(s, "X-Forwarded-For: 192.0.2.1").answer.status == 429)
    for ws in sockets:
        ws.close()
    s.end()
    s = Server("--trust-proxy", "10.0.0.0/8", "--allow-host", HOST, name="addresses")
    check("whoever is not a proxy is not believed", is_limited(s, lambda i: [f"X-Forwarded-For: 203.0.113.{i}"]))
    time.sleep(1)
    answer = ask(s, request(s, headers=["X-Forwarded-Proto: https"]))
    check("neither about https", "__Host" not in answer.headers.get("set-cookie", ""), answer.headers)
    s.end()


def proxied(server, header, pieces=1, **how):
    """A request after a PROXY header, sent in pieces."""
    with server.connect() as connection:
        data = header + request(server, host=HOST, **how)
        size = len(data) // pieces + 1
        try:
            for at in range(0, len(data), size):
                connection.sendall(data[at:at + size])
                if pieces > 1:
                    time.sleep(0.01)
        except ConnectionError:
            pass
        return read_answer(connection)


def proxy_protocol():
    s = Server("--trust-proxy", "127.0.0.1", "--proxy-protocol", "--allow-host", HOST, name="protocol")
    text = b"PROXY TCP4 203.0.113.7 10.0.0.1 4711 80\r\n"
    four = b"\r\n\r\n\0\r\nQUIT\n\x21\x11" + struct.pack(">H", 12) + bytes([203, 0, 113, 8, 10, 0, 0, 1, 1, 2, 0, 80])
    local = b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\0"
    for name, header in (("version 1", text), ("version 2", four), ("a health check", local)):
        for pieces in (1, 7, 40):
            answer = proxied(s, header, pieces)
            check(f"{name} in {pieces} pieces", answer is not None and answer.status == 200, answer and answer.status)
    for name, header in (("none", b""), ("nonsense", b"PROXY TCP4 x y 1 2\r\n"), ("endless", b"PROXY " + b"x" * 2000), ("version 3", b"\r\n\r\n\0\r\nQUIT\n\x31\x11\0\0")):
        check(f"header {name}", proxied(s, header) is None)
    check("a visitor's own header is not believed", is_limited(s, lambda i: [f"X-Forwarded-For: 198.51.100.{i}"], text.replace(b"113.7", b"113.9")))
    check("another visitor", proxied(s, four).status == 200)
    with s.connect() as silent:
        silent.sendall(b"PROX")
        status, words = s.end()
        check("it ends while a header is awaited", status == 0, (status, words))


# ---- Origins ----

def origins():
    s = Server("--trust-proxy", "127.0.0.1", "--allow-host", HOST, "--allow-host", "https://whole.example:8443", "--per-address", "20", name="origins")
    cases = (("https://games.example", "https", True), ("http://games.example", "http", True), ("http://games.example", "https", False),
             ("https://games.example", "http", False), ("http://games.example:3000", "http", False), ("https://games.example:9999", "https", False),
             ("https://whole.example:8443", "http", True), ("https://whole.example", "https", False), ("http://whole.example:8443", "http", False),
             ("https://evil.example", "https", False), ("null", "https", False))
    for origin, scheme, good in cases:
        forwarded = ("X-Forwarded-For: 203.0.113.1", f"X-Forwarded-Proto: {scheme}")
        answer = ask(s, post(s, "/api/v1/plays", {"game": "noughts", "seats": ["human", "human"]}, *forwarded, origin=origin))
        check(f"POST from {origin} by {scheme}", answer.status == (201 if good else 403), answer.status)
        ws = WebSocket(s, *forwarded, origin=origin)
        check(f"WebSocket from {origin} by {scheme}", ws.open == good, ws.answer and ws.answer.status)
        ws.close()
    s.end()


# ---- Accounts ----

def cookies_of(server, path, who):
    """What the response sets, "name=value" each."""
    with server.connect() as connection:
        connection.sendall(post(server, path, who))
        head = hostile.read_until(connection, b"\r\n\r\n").decode()
    return [line.split(" ")[1].rstrip(";") for line in head.split("\r\n") if line.startswith("Set-Cookie: ")]


def devices():
    s = Server(name="devices")
    who = {"name": "ada", "password": "correct horse"}
    check("account", ask(s, post(s, "/api/v1/accounts", who)).status == 201)
    cookies = cookies_of(s, "/api/v1/login", who)
    check("two cookies", len(cookies) == 2 and cookies[0].startswith("qv=") and cookies[1].startswith("qv-device="), cookies)
    device = cookies[1]
    for _ in range(5): # again where the password came so late that it was allowed
        tries = [ask(s, post(s, "/api/v1/login", {**who, "password": "wrong horse"})).status for _ in range(8)]
        answer = ask(s, post(s, "/api/v1/login", who))
        if answer.status == 429:
            break
    check("strangers", 429 in tries and set(tries) <= {401, 429}, tries)
    refused("a stranger with the password", answer, 429)
    check("the owner's device", ask(s, post(s, "/api/v1/login", who, "Cookie: " + device)).status == 200)
    s.end()


def name_on(ws):
    """The account of a WebSocket; None: it was closed."""
    ws.send({"id": 1, "method": "GET", "path": "/api/v1/me"})
    answer = ws.receive()
    return answer and answer["body"]["account"]


def sockets():
    """A session that ends by HTTP ends its WebSockets, and those of no other session."""
    s = Server(name="sockets")
    who = {"name": "ada", "password": "correct horse"}
    one, two = ("Cookie: " + cookies_of(s, path, who)[0] for path in ("/api/v1/accounts", "/api/v1/login"))
    first, second, stream = WebSocket(s, one), WebSocket(s, two), WebSocket(s, one)
    check("sockets of both sessions", name_on(first) == name_on(second) == "ada")
    stream.send({"id": 1, "method": "GET", "path": "/api/v1/lobby/events"})
    check("a stream", stream.receive()["status"] == 200)
    answer = ask(s, post(s, "/api/v1/logout", {}, one))
    check("logout", answer.status == 200, answer.status)
    check("the socket of the session is closed", first.receive() is None)
    while stream.receive() is not None:
        pass
    check("the socket of another session is not", name_on(second) == "ada")
    s.end()


# ---- Certificates ----

def make_certificate(name, kind):
    cert, key = os.path.join(WORK, "now.pem"), os.path.join(WORK, "now.key")
    subprocess.run(["openssl", "req", "-x509", "-newkey", *kind, "-nodes", "-keyout", key, "-out", cert + ".new", "-days", "2", "-subj", f"/CN={name}"],
                   check=True, capture_output=True)
    os.replace(cert + ".new", cert)
    return cert, key


def name_of(server):
    """The name in the certificate that a new connection gets."""
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    with trust.wrap_socket(server.connect()) as connection:
        der = connection.getpeercert(True)
    return next(name for name in ("first", "second", "third") if name.encode() in der)


def suite_of(server, *options):
    """The cipher suite that the server agrees to with such a client; None: it refuses. The client itself takes everything."""
    done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", *options], input="", capture_output=True,
                          timeout=PATIENCE, text=True)
    suite = re.search(r"Cipher is (\S+)", done.stdout)
    return suite[1] if suite and suite[1] != "(NONE)" else None


def suites(server, kind):
    """TLS 1.2 with ephemeral keys and authenticated encryption, and TLS 1.3; nothing older or weaker."""
    check(f"{kind}: TLS 1.3", (suite_of(server, "-tls1_3") or "").startswith("TLS_"))
    for suite in ("AES128-GCM-SHA256", "CHACHA20-POLY1305"):
        suite = f"ECDHE-{kind}-{suite}"
        check(suite, suite_of(server, "-tls1_2", "-cipher", suite) == suite)
    for suite in ("AES128-SHA", "AES256-GCM-SHA384", f"ECDHE-{kind}-AES128-SHA256", f"ECDHE-{kind}-AES256-SHA", "DHE-RSA-AES128-GCM-SHA256",
                  "AECDH-AES128-SHA"):
        found = suite_of(server, "-tls1_2", "-cipher", suite + ":@SECLEVEL=0")
        check(f"{suite} is refused", found is None, found)
    found = suite_of(server, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0")
    check("TLS 1.1 is refused", found is None, found)


def until(what, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(what())


def certificates():
    if not shutil.which("openssl"):
        return
    cert, key = make_certificate("first", ["rsa:2048"])
    s = Server("--cert", cert, "--key", key, "--allow-host", HOST, "--log-level", "info", name="certificates")
    check("the first certificate", name_of(s) == "first")
    suites(s, "RSA")
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    for scheme, status, said in (("https", 0, "ready"), ("http", 1, "no response")):
        done = subprocess.run([PROGRAM, "server", "health", f"{scheme}://127.0.0.1:{s.port}"], capture_output=True, timeout=PATIENCE, text=True)
        check(f"server health over {scheme}", (done.returncode, done.stdout) == (status, said + "\n"), done)
    for host, said in ((HOST, True), (s.host, False), (f"localhost:{s.port}", False)):
        with trust.wrap_socket(s.connect()) as connection:
            connection.sendall(request(s, host=host))
            headers = read_answer(connection).headers
            check(f"HSTS for {host}", (headers.get("strict-transport-security") == "max-age=15552000") == said, headers)
    make_certificate("second", ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
    old = trust.wrap_socket(s.connect())
    s.process.send_signal(signal.SIGHUP)
    check("SIGHUP loads another, with another kind of key", until(lambda: name_of(s) == "second"))
    suites(s, "ECDSA")
    old.sendall(request(s)) # soon: a connection without a request is closed after ten seconds
    check("a connection from before goes on", read_answer(old).status == 200)
    with open(cert, "w") as file:
        file.write("not a certificate\n")
    s.process.send_signal(signal.SIGHUP)
    check("one that is not valid is reported", until(lambda: "the old one stays in use" in s.logged()))
    check("it is not used", name_of(s) == "second")
    make_certificate("third", ["rsa:2048"])
    s.process.send_signal(signal.SIGHUP)
    check("a good one is, again", until(lambda: name_of(s) == "third"))
    status, words = s.end()
    # The server looks at the files now and then, too: it may have loaded one before the signal, or seen a new key with an old certificate.
    lines = [line.split("certificate: ")[1] for line in words.splitlines() if "certificate: " in line]
    check("what is logged", status == 0 and lines[-1] == "loaded again" and lines.count("loaded again") >= 2, (status, lines))


# ---- Floods ----

def floods():
    """Frames that say nothing: the connection is closed with 1008, and others are served meanwhile."""
    s = Server(name="floods")
    quiet = WebSocket(s)
    quiet.frame(b"still there", opcode=9)
    quiet.send({"id": 1, "method": "GET", "path": "/api/v1/games"})
    check("a socket that pings now and then stays", quiet.receive()["status"] == 200)
    ws = WebSocket(s)
    for _ in range(120):
        ws.frame(b"", final=False, opcode=1 if _ == 0 else 0)
    while ws.receive() is not None:
        pass
    check("empty frames are closed with 1008", ws.code == 1008, ws.code)
    ws = WebSocket(s)
    try:
        for _ in range(1000):
            ws.connection.sendall(b"\x89\x80\0\0\0\0" * 1000)
            time.sleep(0.01)
            if hostile.select.select([ws.connection], [], [], 0)[0]:
                ws.left += ws.connection.recv(1 << 20)
                if b"control frames" in ws.left:
                    break
    except ConnectionError:
        pass
    check("pings are closed with 1008", b"\x03\xf0too many control frames" in ws.left, ws.left[-60:])
    s.end()


# ---- Draining ----

def begin(server, connection, data):
    """Sends all but the end of a request. The server has read it, because it has answered a later one."""
    connection.sendall(data[:-3])
    check("a later request", ask(server, request(server)).status == 200)


def listens(server):
    try:
        server.connect().close()
        return True
    except ConnectionError:
        return False


def draining():
    s = Server("--drain", "600", name="draining")
    ws, busy, held = WebSocket(s), WebSocket(s), s.connect()
    ws.send({"id": 1, "method": "GET", "path": "/api/v1/lobby/events"})
    ws.receive()
    slow = s.connect()
    analysis = {"game": "chess", "time": 2000}
    slow.sendall(post(s, "/api/v1/analysis", analysis))
    busy.send({"id": 7, "method": "POST", "path": "/api/v1/analysis", "body": {**analysis, "time": 1000}})
    until(lambda: json.loads(ask(s, request(s, path="/api/v1/health")).body)["queue"] >= 1, 5) # or it was faster
    made = post(s, "/api/v1/plays", {"game": "noughts", "seats": ["human", "human"]})
    ready, live, late = s.connect(), s.connect(), s.connect()
    begin(s, held, made)  # which keeps the server until the checks are done, if a piece of it comes every ten seconds
    s.process.send_signal(signal.SIGTERM)
    while ws.receive() is not None:
        pass
    check("an idle WebSocket is closed with 1012", ws.code == 1012, ws.code)
    try:
        s.connect().close()
        check("no new connections", False)
    except ConnectionError:
        pass
    for connection, path, status in ((ready, READY, 503), (live, LIVE, 200), (late, "/api/v1/games", 503)):
        connection.sendall(request(s, path=path))
        answer = read_answer(connection)
        check(f"{path} while it drains", answer is not None and answer.status == status, answer and (answer.status, answer.body))
    held.sendall(made[-3:-2])
    data = hostile.read_until(slow, b"\r\n0\r\n\r\n")
    check("a request under way ends", b"200 OK" in data and data.endswith(b"\r\n0\r\n\r\n"), data[-200:])
    answers = []
    while (answer := busy.receive()) is not None:
        answers.append(answer)
    check("and one on a WebSocket", answers and answers[-1]["id"] == 7 and answers[-1]["status"] == 200 and answers[-1]["end"] and busy.code == 1012, (answers[-1:], busy.code))
    held.sendall(made[-2:])
    check("and one that came in two parts", read_answer(held).status == 201)
    check("it ends", s.process.wait(timeout=PATIENCE) == 0)
    # A request that takes longer than it may gets an error; a second signal ends the server at once.
    s = Server("--drain", "0", name="draining")
    with s.connect() as slow:
        begin(s, slow, post(s, "/api/v1/plays", {"game": "noughts", "seats": ["human", "human"]}))
        check("without time to drain", s.end()[0] == 0)
    s = Server("--drain", "600", name="draining")
    with s.connect() as slow:
        begin(s, slow, post(s, "/api/v1/plays", {"game": "noughts", "seats": ["human", "human"]}))
        s.process.send_signal(signal.SIGTERM)
        check("the first signal is heard", until(lambda: not listens(s)))
        check("it waits", s.process.poll() is None)
        check("a second signal ends it", s.end()[0] == -signal.SIGTERM)


# Where a load balancer asks for readiness, it hears of the end before visitors are refused.
def grace_with(*options):
    s = Server("--drain", "600", *options, name="grace")
    ws, slow = WebSocket(s), s.connect()
    made = post(s, "/api/v1/plays", {"game": "noughts", "seats": ["human", "human"]})
    begin(s, slow, made)
    check("ready before", ask(s, request(s, path=READY)).status == 200)
    began = time.monotonic()

    def late():
        """On a slow machine the 2.5 s may be over by now, after which visitors are refused."""
        return time.monotonic() - began >= 2

    s.process.send_signal(signal.SIGTERM)
    until(lambda: ask(s, request(s, path=READY)).status == 503)
    answer = ask(s, request(s, path=READY))
    check("not ready any more", answer.status == 503 and json.loads(answer.body) == {"status": "draining"}, (answer.status, answer.body))
    for wanted, text in ((200, request(s, path=LIVE)), (200, request(s, path="/api/v1/games")), (201, made)):
        answer = ask(s, text)
        check("the rest works as before", answer.status == wanted or late(), (text[:60], answer.status, answer.body))
    ws.send({"id": 1, "method": "GET", "path": "/api/v1/lobby"})
    answer = ws.receive()
    check("WebSockets, too", (answer and answer["status"] == 200) or late(), answer)
    while answer is not None:
        answer = ws.receive()
    check("until they are closed", ws.code == 1012 and late(), (ws.code, time.monotonic() - began))
    # A balancer that met refused connections would cut the request under way.
    for path, status in ((READY, 503), (LIVE, 200), ("/api/v1/games", 503)):
        answer = ask(s, request(s, path=path))
        check(f"{path} until that one ends", answer.status == status, (answer.status, answer.body))
    time.sleep(0.5)
    check("it waits for that", s.process.poll() is None)
    slow.sendall(made[-3:])
    check("which does", read_answer(slow).status == 201)
    check("then it ends", s.process.wait(timeout=PATIENCE) == 0)


def grace():
    grace_with()
    grace_with("--trust-proxy", "127.0.0.1")
    # Without time to drain, and after a second signal, there is none.
    for seconds, signals in (("0", 1), ("600", 2)):
        s = Server("--drain", seconds, name="grace")
        ask(s, request(s, path=READY))
        s.process.send_signal(signal.SIGTERM)
        if signals == 2:
            check("the first signal is heard", until(lambda: ask(s, request(s, path=READY)).status == 503))
            s.process.send_signal(signal.SIGTERM)
        status = s.process.wait(timeout=PATIENCE)
        check("no grace", status == (0 if signals == 1 else -signal.SIGTERM), status)


# ---- --config ----

def config(text, *words):
    path = os.path.join(WORK, "serve.conf")
    with open(path, "w") as file:
        file.write(text)
    done = subprocess.run([PROGRAM, "serve", "--config", path, "--check-config", *words], capture_output=True, timeout=PATIENCE)
    return path, done.returncode, done.stdout.decode(), done.stderr.decode()


def configuration():
    good = f"# a server\nport = 0\n\nallow-host = {HOST}\nallow-host=other.example # and another\nclassroom\ntrust-proxy = 127.0.0.1\nproxy-protocol = false\n"
    path, status, out, err = config(good)
    check("a good file", (status, out, err) == (0, f"{path}: ok\n", ""), (status, out, err))
    path, status, out, err = config(good, "--json")
    check("as JSON", status == 0 and json.loads(out) == {"config": path, "ok": True}, (status, out, err))
    for text, line, why in (("port = 0\nprot = 1\n", 2, "no option 'prot'; did you mean 'port'?"), ("port = x\n", 1, "port=x: expected a number from 0 to 65535"),
                            ("port = 1\nport = 2\n", 2, "port is given twice"), ("\n\ncert\n", 3, "cert: a value is missing"), ("classroom = maybe\n", 1, "true or false"),
                            ("config = x\n", 1, "only on the command line"), ("json\n", 1, "only on the command line"), ("= 3\n", 1, "no option ''")):
        path, status, out, err = config(text)
        check(f"refused: {text!r}", status == 2 and out == "" and err.startswith(f"quevedo: {path} line {line}: ") and why in err and err.count("\n") == 1, (status, err))
    for text, why in (("trust-proxy = 10.0.0.1/8\n", "--trust-proxy: '10.0.0.1/8' is not"), ("proxy-protocol\n", "--trust-proxy is missing"),
                      ("allow-host = games.example:80\n", "neither a host name"), ("cert = x\nkey = y\n", "--cert: the certificate cannot be read"), ("port\0 = 1\n", "a NUL byte")):
        path, status, out, err = config(text)
        check(f"refused: {text!r}", status == 2 and out == "" and why in err and err.count("\n") == 1, (status, err))
    path, status, out, err = config("x" * 100000)
    check("a file that is too long", status == 2 and err.count("\n") == 1, (status, err))
    missing = subprocess.run([PROGRAM, "serve", "--config", os.path.join(WORK, "none")], capture_output=True, timeout=PATIENCE)
    check("a file that is missing", missing.returncode == 2 and missing.stderr.count(b"\n") == 1, missing.stderr)
    # It is used, and the command line wins: for a list as a whole.
    path, *_ = config(good + "per-address = 3\n")
    s = Server("--config", path, name="configured")
    check("its host names", ask(s, request(s, host=HOST)).status == 200 and ask(s, request(s, host="other.example")).status == 200)
    s.end()
    s = Server("--config", path, "--allow-host", "third.example", name="configured")
    refused("the command line wins", ask(s, request(s, host=HOST)), 403)
    check("with its own", ask(s, request(s, host="third.example")).status == 200)
    s.end()


for part in (addresses, proxy_protocol, origins, devices, sockets, certificates, floods, draining, grace, configuration):
    part()
print(f"{hostile.checks} checks, {hostile.failures} failures")
sys.exit(1 if hostile.failures else 0)
