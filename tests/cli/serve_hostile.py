#!/usr/bin/env python3
# serve_hostile.py - the web server against clients that do it wrong, on purpose or not; after each it must still answer others.
# SPDX-License-Identifier: MIT
# usage: serve_hostile.py PROGRAM WORK_FOLDER      PROGRAM: quevedo; WORK_FOLDER: an empty one
import atexit
import base64
import gzip
import json
import os
import re
import select
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

PROGRAM, WORK = sys.argv[1], sys.argv[2]
PATIENCE = 60  # seconds; generous, since nothing here is about speed
AS_ROOT = "warn server: it runs as root"  # tests may
NO_PAGE = "quevedo: built without its page (it needs Node); the interface for programs is there\n"
checks = failures = 0


def check(what, good, seen=""):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print(f"FAILED: {what}: {seen!r}"[:600], file=sys.stderr)


class Server:
    """The program, on a port of its own choice."""

    def __init__(self, *words, name="data"):
        folder = os.path.join(WORK, name)
        command = [PROGRAM, "serve", "--port", "0", "--data", folder, "--workers", "1", *words]
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log)
        atexit.register(self.process.kill)
        line = self.process.stdout.readline().decode()
        if not line.startswith("quevedo: http"):
            sys.exit(f"serve did not begin: {line!r} {self.logged()!r}")
        self.port = int(line.rstrip("/\n").rsplit(":", 1)[1])
        self.host = f"127.0.0.1:{self.port}"

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def logged(self):
        """What it has logged so far."""
        words = os.pread(self.log.fileno(), 1 << 24, 0).decode().splitlines(True)
        return "".join(line for line in words if AS_ROOT not in line)

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        status = self.process.wait(timeout=PATIENCE)
        return status, self.logged()


class Answer:
    def __init__(self, head, body):
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split(" ")[1])
        self.headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            self.headers[name.strip().lower()] = value.strip()
        self.body = body


def read_until(connection, end):
    data = b""
    while end not in data:
        piece = connection.recv(65536)
        if not piece:
            break
        data += piece
    return data


def read_answer(connection, head_only=False):
    """One answer; None: the connection was closed without one."""
    try:
        data = read_until(connection, b"\r\n\r\n")
    except ConnectionError:
        return None
    head, mark, body = data.partition(b"\r\n\r\n")
    if not mark:
        return None
    answer = Answer(head, body)
    if head_only or answer.status == 304:
        return answer
    length = int(answer.headers.get("content-length", 0))
    while len(answer.body) < length:
        piece = connection.recv(65536)
        if not piece:
            break
        answer.body += piece
    answer.extra = answer.body[length:]
    answer.body = answer.body[:length]
    return answer


def request(server, method="GET", path="/api/v1/games", headers=(), body=b"", host=None, version="HTTP/1.1"):
    lines = [f"{method} {path} {version}", f"Host: {host or server.host}", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def post(server, path, body, *headers, origin=None):
    if isinstance(body, dict):
        body = json.dumps(body).encode()
    fixed = ["Content-Type: application/json", f"Origin: {origin or 'http://' + server.host}", f"Content-Length: {len(body)}"]
    return request(server, "POST", path, [*fixed, *headers], body)


def ask(server, data, head_only=False):
    with server.connect() as connection:
        try:
            connection.sendall(data)
        except ConnectionError:
            pass
        return read_answer(connection, head_only)


def healthy(server, after):
    for _ in range(50):
        answer = ask(server, request(server, headers=["Connection: close"]))
        if answer is None or answer.status != 429:
            break
        time.sleep(0.2)  # an earlier test has used up what an address may ask
    check(f"healthy after {after}", answer is not None and answer.status == 200 and isinstance(json.loads(answer.body), list),
          answer and (answer.status, answer.body[:100]))


def refused(what, answer, *statuses):
    """An error in our form, or a closed connection where the library gives no answer."""
    check(what, answer is not None and answer.status in statuses, answer and (answer.status, answer.body[:200]))
    if answer is not None and answer.body.startswith(b"{"):
        error = json.loads(answer.body)["error"]
        check(what + ": code and message", error["code"] and error["message"], error)
        secure(what, answer)


def closed_or(what, answer, *statuses):
    check(what, answer is None or answer.status in statuses, answer and answer.status)


def secure(what, answer):
    headers = answer.headers
    policy = dict(part.strip().split(" ", 1) for part in headers.get("content-security-policy", "default-src *").split(";"))
    check(what + ": security headers", policy["default-src"] == "'none'" and policy["script-src"] == "'self' 'wasm-unsafe-eval'" and
          policy["worker-src"] == "'self'" and headers.get("x-content-type-options") == "nosniff" and headers.get("referrer-policy") == "no-referrer", headers)


# ---- WebSocket, by hand ----

class WebSocket:
    def __init__(self, server, *headers, path="/api/v1/ws", protocol="quevedo", origin=None, upgrade="websocket", version="13", key=None):
        self.connection = server.connect()
        key = key or base64.b64encode(os.urandom(16)).decode()
        lines = [f"Upgrade: {upgrade}", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", f"Sec-WebSocket-Version: {version}"]
        if origin != "":
            lines.append(f"Origin: {origin or 'http://' + server.host}")
        if protocol:
            lines.append(f"Sec-WebSocket-Protocol: {protocol}")
        self.connection.sendall(request(server, "GET", path, [*lines, *headers]))
        try:
            head, mark, self.left = read_until(self.connection, b"\r\n\r\n").partition(b"\r\n\r\n")
            self.answer = Answer(head, b"") if mark else None
        except ConnectionError:
            self.answer = None
        self.open = self.answer is not None and self.answer.status == 101
        self.code = 0  # of the closing frame

    def frame(self, payload, opcode=1, final=True, masked=True):
        head = bytes([(0x80 if final else 0) | opcode])
        size = len(payload)
        bit = 0x80 if masked else 0
        head += bytes([bit | size]) if size < 126 else bytes([bit | 126]) + size.to_bytes(2, "big") if size < 65536 else bytes([bit | 127]) + size.to_bytes(8, "big")
        mask = os.urandom(4) if masked else b""
        body = bytes(b ^ mask[i % 4] for i, b in enumerate(payload)) if masked else payload
        try:
            self.connection.sendall(head + mask + body)
        except ConnectionError:
            pass

    def send(self, message):
        self.frame(json.dumps(message).encode())

    def take(self, count):
        while len(self.left) < count:
            piece = self.connection.recv(65536)
            if not piece:
                raise ConnectionError("closed")
            self.left += piece
        data, self.left = self.left[:count], self.left[count:]
        return data

    def receive(self):
        """The next message as a value; None: it was closed."""
        try:
            while True:
                first, second = self.take(2)
                size = second & 0x7F
                if size == 126:
                    size = int.from_bytes(self.take(2), "big")
                elif size == 127:
                    size = int.from_bytes(self.take(8), "big")
                payload = self.take(size)
                if first & 15 == 8:
                    self.code = int.from_bytes(payload[:2], "big")
                    return None
                if first & 15 == 1:
                    return json.loads(payload)
        except ConnectionError:
            return None

    def close(self):
        self.connection.close()


# ---- Requests that are wrong ----

def wrong_requests(s):
    for path in ("/%zz", "/%", "/a%0", "/%00x", "/a%0aHost:x", "/a%0d%0ab", "/a;b", "/a&b", "nothing", "/\x01", "/" + "x" * 3000):
        closed_or(f"path {path[:20]!r}", ask(s, request(s, path=path)), 400, 403)
    for path in ("/../../etc/passwd", "/a/../../b", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd"):
        answer = ask(s, request(s, path=path))
        check(f"path {path} leads to the page or nowhere", answer is None or b"root:" not in answer.body, answer and answer.body[:80])
    healthy(s, "paths")
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
        refused(method, ask(s, request(s, method, headers=["Content-Length: 0"])), 405)
    for method in ("BREW", "CONNECT", "TRACE", "G\x00T", ""):
        closed_or(f"method {method!r}", ask(s, request(s, method)), 400, 403, 405)
    for version in ("HTTP/2.0", "HTTP/0.9", "", "FTP/1.1"):
        closed_or(f"version {version!r}", ask(s, request(s, version=version)), 400, 403)
    closed_or("HTTP/2 by prior knowledge", ask(s, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 400, 403)
    healthy(s, "methods and versions")
    refused("POST to the page", ask(s, post(s, "/", {})), 405)
    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "169.254.169.254", "a b", "", "[::1", "localhost:x"):
        data = f"GET /api/v1/games HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
        refused(f"Host {host!r}", ask(s, data), 403)
    refused("no Host", ask(s, b"GET /api/v1/games HTTP/1.1\r\nAccept: */*\r\n\r\n"), 403)
    refused("two Hosts", ask(s, request(s, headers=["Host: evil.example"])), 403)
    for host in (f"localhost:{s.port}", "localhost", "LOCALHOST", "127.0.0.1", "[::1]:80"):
        check(f"Host {host}", ask(s, request(s, host=host)).status == 200)
    healthy(s, "hosts")


def wrong_posts(s):
    path = "/api/v1/plays"
    json_type = "Content-Type: application/json"
    ours = f"Origin: http://{s.host}"
    refused("no Content-Length", ask(s, request(s, "POST", path, [json_type, ours], b"{}")), 411)
    refused("chunked", ask(s, request(s, "POST", path, [json_type, ours, "Transfer-Encoding: chunked"], b"2\r\n{}\r\n0\r\n\r\n")), 411)
    refused("chunked and a length", ask(s, request(s, "POST", path, [json_type, ours, "Transfer-Encoding: chunked", "Content-Length: 2"], b"{}")), 411)
    for length in ("-1", "+2", "2, 2", "0x2", "2 2", "99999999999999999999"):
        refused(f"Content-Length {length}", ask(s, request(s, "POST", path, [json_type, ours, f"Content-Length: {length}"], b"{}")), 400, 413)
    refused("GET with a body", ask(s, request(s, headers=["Content-Length: 2"], body=b"{}")), 400)
    refused("GET with chunks", ask(s, request(s, headers=["Transfer-Encoding: chunked"], body=b"0\r\n\r\n")), 411)
    for kind in ("text/plain", "application/jsonx", "application/x-www-form-urlencoded", "multipart/form-data"):
        refused(f"type {kind}", ask(s, request(s, "POST", path, [f"Content-Type: {kind}", ours, "Content-Length: 2"], b"{}")), 415)
    healthy(s, "lengths and types")
    for origin in ("http://evil.example", f"http://{s.host}.evil.example", f"http://evil.example:{s.port}", f"http://localhost:{s.port + 1}", "null",
                   f"ftp://{s.host}", f"http://{s.host}@evil.example", f"http://{s.host}, http://evil.example"):
        refused(f"Origin {origin}", ask(s, post(s, path, {"game": "noughts"}, origin=origin)), 403)
    refused("a cookie and no Origin", ask(s, request(s, "POST", path, [json_type, "Cookie: qv=x.y", "Content-Length: 2"], b"{}")), 403)
    refused("neither cookie nor Origin: only the body is wrong", ask(s, request(s, "POST", path, [json_type, "Content-Length: 2"], b"{}")), 400)
    refused("a token that is not known", ask(s, request(s, "POST", path, [json_type, "Authorization: Bearer nobody", "Content-Length: 2"], b"{}")), 401)
    healthy(s, "origins")
    deep = b'{"a":' + b"[" * 3000 + b"]" * 3000 + b"}"
    for body in (b"", b"{", b"[]", b"null", b'"x"', b"{}x", b'{"a":1,"a":2}', b'{"game":"\xff"}', b'{"game":"\\u0000"}', b'{"game":"a\x00b"}', deep,
                 b'{"a":' * 2000 + b"1" + b"}" * 2000, b"{'a':1}", b"\xef\xbb\xbf{}"):
        refused(f"JSON {body[:20]!r}", ask(s, post(s, path, body)), 400)
    healthy(s, "bad JSON")
    refused("16 KiB and a byte", ask(s, post(s, "/api/v1/me", b'{"name":"' + b"x" * 16375 + b'"}')), 413)
    refused("1 MiB and a byte", ask(s, post(s, path, b" " * ((1 << 20) + 1))), 413)
    refused("4 GB promised", ask(s, request(s, "POST", path, [json_type, ours, "Content-Length: 4294967296"], b"x" * 100000)), 413)
    for many in (b'{"seats":[' + b"{}," * 340000 + b"{}]}", b'{"a":' + b"[1," * 3000, b'{"record":"x","seats":[' + b'"",' * 5000 + b'""]}'):
        refused("too many values", ask(s, post(s, path, many)), 413)
    refused("many seats", ask(s, post(s, path, {"game": "noughts", "seats": ["human"] * 3000})), 400)
    refused("seats that are no strings", ask(s, post(s, path, {"game": "noughts", "seats": [[], []]})), 400)
    made = ask(s, post(s, path, {"game": "starchess:limit=5000", "moves": ["end"] * 4000}))
    check("the longest list of moves", made.status == 201, made.body)
    answer = ask(s, post(s, path, b" " * ((1 << 20) - 2) + b"[]"))
    refused("1 MiB of no object", answer, 400)
    healthy(s, "large bodies")


def tossing(s, value):
    """Cookies that another host of the same domain has set must not make somebody else of the visitor."""
    who = lambda *cookies: ask(s, request(s, path="/api/v1/me", headers=[f"Cookie: {c}" for c in cookies]))
    other = ask(s, request(s)).headers["set-cookie"].split(";")[0]
    check("a cookie within the value of another one is none", "set-cookie" in who(f"a=1,{other}").headers)
    both = who(f"a=1,{other}; {value}")
    check("nor does it stand before the visitor's own", both.status == 200 and "set-cookie" not in both.headers, both.headers)
    mine = json.loads(who(value).body)["name"]
    check("who stays the same", json.loads(both.body)["name"] == mine != json.loads(who(other).body)["name"], both.body)
    refused("two cookies of the visitor", who(f"{other}; {value}"), 400)
    refused("two headers with one each", who(other, value), 400)
    refused("two headers with different cookies", who(value, "a=b"), 400)
    page = ask(s, request(s, path="/", headers=[f"Cookie: {other}; {value}"]))
    check("the page says so", page.status == 200 and "set-cookie" not in page.headers, (page.status, page.headers.get("set-cookie")))
    check("nor a socket with them", not WebSocket(s, f"Cookie: {other}; {value}").open)


def right_requests(s):
    cookie = None
    for head_only, method in ((False, "GET"), (True, "HEAD"), (False, "GET")):
        answer = ask(s, request(s, method), head_only)
        check(f"{method}", answer and answer.status == 200, answer and answer.status)
        secure(method, answer)
        check("one request a connection", answer.headers.get("connection") == "close", answer.headers)
        cookie = cookie or answer.headers.get("set-cookie")
    check("a new visitor gets a cookie", cookie and cookie.startswith("qv=") and "HttpOnly" in cookie and "SameSite=Lax" in cookie, cookie)
    value = cookie.split(";")[0]
    check("a known one does not", "set-cookie" not in ask(s, request(s, headers=[f"Cookie: a=b; {value}; c=d"])).headers)
    tossing(s, value)
    made = ask(s, post(s, "/api/v1/plays", {"game": "noughts", "seats": ["human", "human"]}, f"Cookie: {value}"))
    check("a game is made", made.status == 201 and json.loads(made.body)["id"], made.body)
    get, head = ask(s, request(s)), ask(s, request(s, "HEAD"), True)
    for answer in (get, head):
        check("its own cookie and id", answer.headers.pop("set-cookie") and answer.headers.pop("x-request-id"))
    check("HEAD bears the headers of GET", get.headers == head.headers and not head.body, head.headers)
    check("HTTP/1.0 is answered and closed", read_all(s, request(s, version="HTTP/1.0")).endswith(get.body))
    answer = ask(s, post(s, "/api/v1/plays", {"game": "noughts", "seats": ["human", "human"]}, "Expect: 100-continue"))
    check("100-continue", answer.status in (100, 201), answer.status)
    refused("no such thing", ask(s, request(s, path="/api/v1/nothing")), 404)
    healthy(s, "right requests")


def shared_answers(s):
    """What is the same for everybody is compressed and has a tag; what is not is never kept."""
    plain = ask(s, request(s, path="/api/v1/gallery"))
    check("not compressed unless accepted", plain.status == 200 and "content-encoding" not in plain.headers, plain.headers)
    packed = ask(s, request(s, path="/api/v1/gallery", headers=["Accept-Encoding: gzip, br"]))
    check("compressed", packed.headers.get("content-encoding") == "gzip" and gzip.decompress(packed.body) == plain.body, packed.headers)
    check("a fifth of the size", 5 * len(packed.body) < len(plain.body), (len(packed.body), len(plain.body)))
    check("the same tag for both", packed.headers["etag"] == plain.headers["etag"] and packed.headers["vary"] == "Accept-Encoding", packed.headers)
    check("it may be kept by its reader", plain.headers["cache-control"] == "private, no-cache", plain.headers)
    for path in ("/api/v1/games", "/api/v1/history", "/api/v1/boards?game=chess", "/api/v1/openings?game=reversi", "/api/v1/openapi.json"):
        tag = ask(s, request(s, path=path)).headers["etag"]
        again = ask(s, request(s, path=path, headers=[f"If-None-Match: {tag}"]))
        check(f"{path} is not sent twice", again.status == 304 and not again.body, (again.status, again.headers))
    mine = ask(s, request(s, path="/api/v1/me"))
    check("what is mine is not kept", mine.headers["cache-control"] == "no-store" and "etag" not in mine.headers, mine.headers)
    answer = ask(s, post(s, "/api/v1/positions", {"game": "chess"}, "Accept-Encoding: gzip"))
    check("a position is compressed", answer.headers.get("content-encoding") == "gzip" and json.loads(gzip.decompress(answer.body))["seat"] == 1, answer.headers)
    healthy(s, "shared answers")


def read_all(s, data):
    with s.connect() as connection:
        connection.sendall(data)
        all_of_it = b""
        while piece := connection.recv(65536):
            all_of_it += piece
        return all_of_it


def the_page(s):
    page = ask(s, request(s, path="/"))
    check("there is a page, or a word on it", page.status == 200 and (b"<html" in page.body.lower() or b"built without its page" in page.body), page.body[:80])
    secure("page", page)
    refused("no such asset", ask(s, request(s, path="/assets/nothing.js")), 404)
    check("robots.txt", ask(s, request(s, path="/robots.txt")).status == 200)
    policy = page.headers.get("permissions-policy", "")
    check("the page may not use what it does not need", "camera=()" in policy and "geolocation=()" in policy, policy)
    refused("no contact, no security.txt", ask(s, request(s, path="/.well-known/security.txt")), 404)
    refused("nor anything else well known", ask(s, request(s, path="/.well-known/nothing")), 404)
    if b"<html" not in page.body.lower():
        return
    # The lines for previews of links are those of the address.
    plain = lambda body: re.sub(rb"<meta [^>]*>\n", b"", body)
    for path, status in (("/help", 200), ("/learn/chess/", 200), ("/play/local-abc", 200), ("/play/abc", 404), ("/play/0123456789abcdef", 404),
                         ("/study/0123456789abcdef", 404), ("/nothing", 404), ("/games/nothing", 404), ("/games/chess", 200), ("/help/nothing", 404), ("/learn/chess/nothing", 404)):
        answer = ask(s, request(s, path=path))
        check(f"{path} is the page, with {status}", plain(answer.body) == plain(page.body) and answer.status == status, answer.status)
    # Every view of the page is one for the server, too.
    with open(os.path.join(os.path.dirname(__file__), "../../web/src/routes.tsx")) as source:
        views = re.findall(r"pattern: /\^(.*?)\$/", source.read())
    check("the routes of the page are found", len(views) > 20, views)
    samples = {"/play/": "local-x", "/games/": "chess"}
    for view in views:
        path = view.replace("\\/", "/")
        path = path.replace("([^/]+)", samples.get(path.partition("(")[0], "x"))
        check(f"{path} is a view", ask(s, request(s, path=path)).status == 200)
    check("a missing game has a title", b"No such game" in ask(s, request(s, path="/play/abc")).body)
    tag = page.headers["etag"]
    again = ask(s, request(s, path="/", headers=[f"If-None-Match: {tag}"]))
    check("ETag", again.status == 304 and not again.body and again.headers["etag"] == tag, again.status)
    check("another ETag", ask(s, request(s, path="/", headers=['If-None-Match: "x"'])).status == 200)
    check("the page is asked for each time", page.headers["cache-control"] == "no-cache")
    script = page.body.decode().split('src="/assets/')[1].split('"')[0]
    sizes = {}
    for accept, coding in (("", None), ("gzip", "gzip"), ("gzip, br", "br"), ("br;q=0, gzip", "gzip"), ("identity", None)):
        answer = ask(s, request(s, path=f"/assets/{script}", headers=[f"Accept-Encoding: {accept}"]))
        if coding is None and answer.status == 406:  # a large one
            sizes[None] = 65536
            continue
        check(f"Accept-Encoding {accept!r}", answer.headers.get("content-encoding") == coding and answer.headers["vary"] == "Accept-Encoding", answer.headers)
        sizes[coding] = len(answer.body)
        check("hashed names are for ever", "immutable" in answer.headers["cache-control"])
    for part in page.body.decode().split('"modulepreload" href="')[1:]:
        answer = ask(s, request(s, path=part.split('"')[0], headers=["Accept-Encoding: br"]))
        check("so are those of its parts", answer.status == 200 and "immutable" in answer.headers["cache-control"], answer.headers)
    check("compression makes it smaller", sizes["br"] < sizes["gzip"] < sizes[None], sizes)
    refused("no such file of the engine", ask(s, request(s, path="/engine/quevedo-0123456789ab.wasm")), 404)
    if built_with_engine(s):
        the_engine(s)
    check("favicon", ask(s, request(s, path="/favicon.ico")).headers["content-type"] == "image/svg+xml")


def built_with_engine(s):
    return ask(s, request(s, path="/engine/manifest.json")).status == 200


def the_engine(s):
    manifest = ask(s, request(s, path="/engine/manifest.json"))
    check("the list of the engine's files is asked for each time", manifest.headers["cache-control"] == "no-cache")
    files = json.loads(manifest.body)
    check("each has its size", sorted(files["sizes"]) == sorted([files["core"], files["plain"], *files["data"].values()]), files)
    for path, kind in ((files["core"], "application/wasm"), (files["plain"], "application/wasm"), (files["data"]["chess"], "application/octet-stream")):
        refused(f"{path} is not unpacked by the server", ask(s, request(s, path=f"/{path}")), 406)
        answer = ask(s, request(s, path=f"/{path}", headers=["Accept-Encoding: gzip"]))
        check(f"{path} is whole", answer.status == 200 and len(gzip.decompress(answer.body)) == files["sizes"][path], answer.headers)
        check(f"{path} has its type", answer.headers["content-type"] == kind, answer.headers)
        check(f"{path} is cached by its name", "immutable" in answer.headers["cache-control"], answer.headers)
        packed = ask(s, request(s, path=f"/{path}", headers=["Accept-Encoding: gzip, br"]))
        check(f"{path} is sent by brotli", packed.headers.get("content-encoding") == "br" and len(packed.body) < len(answer.body), packed.headers)
        head = ask(s, request(s, "HEAD", path=f"/{path}", headers=["Accept-Encoding: gzip"]), head_only=True)
        same = [name for name in ("etag", "content-length", "vary", "content-type") if head.headers[name] != answer.headers[name]]
        check(f"HEAD of {path}", head.status == 200 and not same and head.headers["content-encoding"] == "gzip", head.headers)
        check("each coding has a tag of its own", answer.headers["etag"] != packed.headers["etag"])
        again = ask(s, request(s, path=f"/{path}", headers=[f"If-None-Match: {answer.headers['etag']}", "Accept-Encoding: gzip"]))
        check(f"{path} has not changed", again.status == 304 and not again.body, again.headers)
    unread_files(s, files["data"]["chess"], files["sizes"][files["data"]["chess"]])


def own_memory(s):
    """Bytes, without the program's own file."""
    with open(f"/proc/{s.process.pid}/status") as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith("RssAnon"))


def unread_files(s, path, size):
    """A large file is sent piece by piece from the program itself, however slowly it is read."""
    before = own_memory(s)
    connections = [s.connect() for _ in range(10)]
    for connection in connections:
        connection.sendall(request(s, path=f"/{path}", headers=["Accept-Encoding: gzip"]))
    heads = [connection.recv(15) for connection in connections]
    check("large files begin at once", all(head == b"HTTP/1.1 200 OK" for head in heads), heads)
    grown = own_memory(s) - before
    check("ten files that nobody reads take less memory than one", grown < size, grown)
    for connection in connections:
        connection.close()
    healthy(s, "files that nobody reads")


# ---- Connections that behave badly ----

def pipelining(s):
    body = {"game": "noughts", "seats": ["human", "human"]}
    with s.connect() as connection:
        connection.sendall(post(s, "/api/v1/plays", body) + request(s) * 3)
        first = read_answer(connection)
        check("a pipelined POST is answered or closed", first is None or first.status == 201, first and first.status)
    healthy(s, "pipelining after a POST")
    # A POST in the buffer behind another request: the library would read what it has freed.
    large = post(s, "/api/v1/plays", b'{"game":"noughts","seats":["human","human"]}' + b" " * 3000)
    for first in (request(s), post(s, "/api/v1/plays", body), post(s, "/api/v1/plays", b"{}")):
        for split in (len(first), len(first) + 100, len(first) + len(large) - 10):
            with s.connect() as connection:
                everything = first + large * 3
                connection.sendall(everything[:split])
                connection.sendall(everything[split:])
                answer = read_answer(connection)
                check("only the first of pipelined requests is answered", answer is None or answer.status in (200, 201, 400), answer and answer.status)
    healthy(s, "pipelined POSTs")
    with s.connect() as connection:
        connection.sendall(request(s) * 3)
        first = read_answer(connection)
        check("pipelined GETs are answered or closed", first is None or first.status == 200, first and first.status)
    with s.connect() as connection:
        connection.sendall(request(s, path="/api/v1/lobby/events") + request(s) * 20)
        time.sleep(0.5)
        before = processor_seconds(s)
        time.sleep(2)
        used = processor_seconds(s) - before  # of its processor time, whatever else the machine does
        check("bytes behind a stream do not keep the server busy", used < 0.2, used)
    healthy(s, "pipelining after a stream")


def processor_seconds(s):
    with open(f"/proc/{s.process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def odd_headers(s):
    closed_or("headers of 9 KiB", ask(s, request(s, headers=["X-Long: " + "x" * 9000])), 400, 403, 431)
    closed_or("a thousand headers", ask(s, request(s, headers=[f"X-{i}: y" for i in range(1000)])), 200, 400, 403, 431)
    closed_or("headers without end", ask(s, b"GET / HTTP/1.1\r\n" + b"a" * 100000), 400, 403, 431)
    closed_or("no request at all", ask(s, os.urandom(5000) + b"\r\n\r\n"), 400, 403)
    closed_or("TLS to a plain port", ask(s, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(500)), 400, 403)
    with s.connect() as connection:
        for byte in request(s):
            connection.send(bytes([byte]))
        check("a request byte by byte", read_answer(connection).status == 200)
    healthy(s, "odd headers")


def half_open(s):
    connections = [s.connect() for _ in range(40)]
    for connection in connections:
        connection.sendall(b"GET /api/v1/games HTTP/1.1\r\nHost: loc")
    healthy(s, "half-open headers, while they are")
    bodies = [s.connect() for _ in range(10)]
    for connection in bodies:
        connection.sendall(post(s, "/api/v1/plays", {"game": "noughts"})[:-5])
    healthy(s, "half bodies, while they are")
    for connection in connections + bodies:
        connection.close()
    healthy(s, "half-open connections")


def too_many(s):
    """One address has 64 connections, and no more."""
    connections = [s.connect() for _ in range(80)]
    end = time.monotonic() + PATIENCE
    while (dropped := len(select.select(connections, [], [], 0)[0])) < 16 and time.monotonic() < end:
        time.sleep(0.05)
    check("connections beyond the limit are closed", dropped >= 16, dropped)
    for connection in connections:
        connection.close()
    while ask(s, request(s)) is None and time.monotonic() < end: # until it has seen that they are
        time.sleep(0.05)
    healthy(s, "80 connections")


def too_fast(s):
    statuses = set()
    for _ in range(100): # all at once, and again where they come so slowly that they are allowed
        connections = [s.connect() for _ in range(50)]
        for connection in connections:
            connection.sendall(request(s))
        statuses |= {answer.status for answer in map(read_answer, connections) if answer}
        for connection in connections:
            connection.close()
        if statuses - {200}:
            break
    check("too many requests a second get 429", statuses == {200, 429}, statuses)
    healthy(s, "too many requests")


def slow_reader(s):
    """Streams that nobody reads, and many large answers that nobody takes."""
    connections = []
    for _ in range(20):
        connection = s.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(request(s, path="/api/v1/lobby/events") if len(connections) % 2 else request(s) * 50)
        connections.append(connection)
    healthy(s, "slow readers, while they are")
    for connection in connections:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        connection.close()
    healthy(s, "slow readers that reset")


def streams(s):
    with s.connect() as connection:
        connection.sendall(request(s, path="/api/v1/lobby/events"))
        data = read_until(connection, b"\n\r\n")
        head, _, rest = data.partition(b"\r\n\r\n")
        answer = Answer(head, rest)
        check("a stream is chunked NDJSON", answer.headers.get("transfer-encoding") == "chunked" and answer.headers["content-type"] == "application/x-ndjson", answer.headers)
        while b"\n\r\n" not in rest:
            rest += connection.recv(65536)
        size, _, text = rest.partition(b"\r\n")
        check("a chunk is as long as it says", len(text) >= int(size, 16) and json.loads(text[:int(size, 16)])["type"] == "lobby", rest[:100])
    head = ask(s, request(s, "HEAD", "/api/v1/lobby/events"), True)
    check("HEAD of a stream", head.status == 200, head.status)
    healthy(s, "streams")


# ---- WebSockets that behave badly ----

def wrong_sockets(s):
    for what, ws in (
            ("without a subprotocol", WebSocket(s, protocol=None)),
            ("with another subprotocol", WebSocket(s, protocol="http")),
            ("on another path", WebSocket(s, path="/api/v1/games")),
            ("on the page", WebSocket(s, path="/")),
            ("from another origin", WebSocket(s, origin="http://evil.example")),
            ("with a cookie and without an origin", WebSocket(s, "Cookie: qv=x.y", origin="")),
            ("with a bad token", WebSocket(s, "Authorization: Bearer nobody", origin="")),
            ("of another version", WebSocket(s, version="99")),
            ("without a version", WebSocket(s, version="")),
            ("with a short key", WebSocket(s, key="x")),
            ("with a key that is not base64", WebSocket(s, key="*" * 22 + "==")),
            ("h2c", WebSocket(s, "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA", upgrade="h2c")),
            ("an unknown upgrade", WebSocket(s, upgrade="teapot"))):
        check(f"socket {what}", not ws.open, ws.answer and ws.answer.status)
        ws.close()
    old = WebSocket(s, version="8").answer
    check("the version that it speaks is named", old.status == 426 and old.headers.get("sec-websocket-version") == "13", old.headers)
    healthy(s, "refused sockets")


def socket_requests(s):
    ws = WebSocket(s)
    check("a socket opens", ws.open and ws.answer.headers.get("sec-websocket-protocol") == "quevedo", ws.answer and ws.answer.headers)
    check("and names a new visitor", ws.answer.headers.get("set-cookie", "").startswith("qv="), ws.answer.headers)
    packed = WebSocket(s, "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits")
    check("messages are never compressed, so that none can be a bomb", packed.open and "sec-websocket-extensions" not in packed.answer.headers,
          packed.answer and packed.answer.headers)
    packed.connection.sendall(b"\xc1\x80\0\0\0\0")  # a frame that says it is
    check("nor believed to be", packed.receive() is None)
    packed.close()
    ws.send({"id": 1, "method": "GET", "path": "/api/v1/games"})
    answer = ws.receive()
    check("a request", answer["id"] == 1 and answer["status"] == 200 and answer["end"] is True and isinstance(answer["body"], list), str(answer)[:200])
    text = json.dumps({"id": 2, "method": "GET", "path": "/api/v1/games"}).encode()
    ws.frame(text[:5], 1, False)
    ws.frame(b"", 9)  # a ping between fragments
    for i in range(5, len(text) - 1):
        ws.frame(text[i:i + 1], 0, False)
    ws.frame(text[-1:], 0, True)
    check("a fragmented request", ws.receive()["id"] == 2)
    ws.send({"id": 3, "method": "GET", "path": "/api/v1/lobby/events"})
    first = ws.receive()
    check("a stream begins", first["id"] == 3 and first["end"] is False and first["body"]["type"] == "lobby", first)
    ws.send({"id": 3, "method": "GET", "path": "/api/v1/games"})
    while (answer := ws.receive())["status"] == 200 and not answer["end"]: # the lobby may change
        pass
    check("an id in use", answer["status"] == 400, answer)
    ws.send({"id": 3, "method": "CANCEL"})
    while not (last := ws.receive())["end"]:
        pass
    check("a stream ends when told so", last["id"] == 3 and last["end"] is True, last)
    for message, status, number in (({"id": 4, "method": "PUT", "path": "/api/v1/games"}, 405, 4), ({"id": 5, "method": "GET"}, 400, 5),
                                    ({"id": 6, "method": "POST", "path": "/api/v1/plays", "body": [1]}, 400, 6), ({"method": "GET"}, 400, 0),
                                    ({"id": 0, "method": "GET"}, 400, 0), ({"id": "x"}, 400, 0), ({"id": 1.5}, 400, 0),
                                    ({"id": 7, "method": "GET", "path": "/api/%2e%2e/x"}, 400, 7), ({"id": 8, "method": "GET", "path": "/"}, 400, 8),
                                    ({"id": 9, "method": "CANCEL"}, 404, 9), ({"id": 10, "method": "GET", "path": "/api/v1/nothing"}, 404, 10)):
        ws.send(message)
        answer = ws.receive()
        check(f"socket request {message}", answer and answer["status"] == status and answer["id"] == number and answer["body"]["error"]["message"], answer)
    for text in (b"{", b"[]", b"nothing", b'{"id":1,"id":2}', b"[" * 5000, b""):
        ws.frame(text)
        answer = ws.receive()
        check(f"no JSON: {text[:10]!r}", answer and answer["id"] == 0 and answer["status"] == 400, answer)
    ws.close()
    healthy(s, "socket requests")


def rude_sockets(s):
    for what, rude in (
            ("a message of 64 KiB", lambda ws: ws.frame(b"x" * 65536)),
            ("a frame that promises 2^62 bytes", lambda ws: ws.connection.sendall(b"\x81\xff\x40\0\0\0\0\0\0\0abcd" + b"x" * 100000)),
            ("fragments without end", lambda ws: [ws.frame(b"x" * 1000, 0 if i else 1, False) for i in range(30)]),
            ("bytes that are no UTF-8", lambda ws: ws.frame(b'{"id":1,"method":"\xff\xfe"}')),
            ("a binary message", lambda ws: ws.frame(b"{}", 2)),
            ("an unknown opcode", lambda ws: ws.frame(b"{}", 3)),
            ("a continuation of nothing", lambda ws: ws.frame(b"{}", 0)),
            ("nothing but faults", lambda ws: [ws.frame(b"{") for _ in range(100)])):
        ws = WebSocket(s)
        try:
            rude(ws)
        except ConnectionError:
            pass
        while (answer := ws.receive()) is not None and answer["id"] == 0:
            pass
        check(f"{what}: hung up", answer is None, answer)
        ws.close()
        healthy(s, what)
    ws = WebSocket(s)
    ws.frame(b'{"id":1,"method":"GET","path":"/api/v1/games"}', masked=False)
    ws.close()
    ws = WebSocket(s)
    ws.connection.sendall(b"\x81\xfe")  # half a frame, then silence
    healthy(s, "half a frame")
    ws.close()
    ws = WebSocket(s)
    for i in range(40):
        ws.send({"id": i + 1, "method": "GET", "path": "/api/v1/lobby/events"})
    seen = [ws.receive() for _ in range(40)]
    check("at most 32 streams on a socket", any(a and a["status"] == 429 for a in seen), [a and a["status"] for a in seen])
    ws.close()
    healthy(s, "many streams")


def slow_socket():
    """Asks for much and reads nothing; the server must not keep it all, but hang up."""
    s = Server("--per-address", "1000", name="slow")
    ws = WebSocket(s)
    ws.connection.settimeout(PATIENCE)
    message = json.dumps({"id": 1, "method": "GET", "path": "/api/v1/games"}).encode()
    try:
        for _ in range(10000):  # 50 MB of answers
            ws.connection.sendall(bytes([0x81, 0x80 | len(message), 0, 0, 0, 0]) + message)
    except ConnectionError:
        pass
    healthy(s, "a socket that reads nothing")
    seen = 0
    while ws.receive() is not None:
        seen += 1
    check("a socket that reads nothing is hung up on", seen < 10000, seen)
    ws.close()
    check("it ends", s.end()[0] == 0)


def thousand():
    s = Server("--per-address", "20", name="thousand")
    sockets = [WebSocket(s) for _ in range(200)]
    check("200 sockets of one address", all(ws.open for ws in sockets), [ws.answer and ws.answer.status for ws in sockets if not ws.open])
    connections = [s.connect() for _ in range(800)]
    healthy(s, "a thousand connections, while they are")
    for ws in sockets[::50]:
        ws.send({"id": 1, "method": "GET", "path": "/api/v1/games"})
        check("one of a thousand is answered", ws.receive()["status"] == 200)
    for connection in connections:
        connection.close()
    for ws in sockets:
        ws.close()
    healthy(s, "a thousand connections")
    check("it ends", s.end()[0] == 0)


# ---- Beginning and end ----

def contacts():
    """security.txt names the operator, if the contact is an address."""
    for contact, line in (("games@example.org", "Contact: mailto:games@example.org"), ("https://example.org/x", "Contact: https://example.org/x"), ("ask Ada", None)):
        s = Server("--contact", contact, name="contact")
        answer = ask(s, request(s, path="/.well-known/security.txt"))
        lines = answer.body.decode().splitlines()
        good = answer.status == 200 and lines[0] == line and re.fullmatch(r"Expires: \d{4}-\d\d-\d\dT00:00:00Z", lines[1])
        check(f"contact {contact}", good if line else answer.status == 404, answer.body)
        check("plain text", not line or answer.headers["content-type"].startswith("text/plain"))
        s.end()


def endings():
    s = Server(name="endings")
    other = subprocess.run([PROGRAM, "serve", "--port", str(s.port), "--data", os.path.join(WORK, "other")], capture_output=True, timeout=PATIENCE)
    check("a port in use", other.returncode == 2 and not other.stdout and other.stderr.startswith(b"quevedo: ") and other.stderr.count(b"\n") == 1, other.stderr)
    ws = WebSocket(s)
    ws.send({"id": 1, "method": "GET", "path": "/api/v1/lobby/events"})
    ws.receive()
    stream, idle = s.connect(), s.connect()
    stream.sendall(request(s, path="/api/v1/lobby/events"))
    read_until(stream, b"\n\r\n")
    status, words = s.end()
    check("SIGTERM with open streams", status == 0, (status, words))
    check("nothing is complained about", words in ("", NO_PAGE), words[:2000])
    rest = b""
    try:
        while piece := stream.recv(65536):
            rest += piece
    except ConnectionError:
        pass
    check("the stream was ended", rest.endswith(b"0\r\n\r\n"), rest[-50:])
    while (answer := ws.receive()) is not None:
        pass
    check("the socket was closed", answer is None)
    idle.close()
    s = Server(name="endings")  # the same folder again
    healthy(s, "a restart")
    status, words = s.end(signal.SIGINT)
    check("SIGINT", status == 0 and words in ("", NO_PAGE), (status, words))
    s = Server("--allow-host", "games.example", name="endings")
    check("--allow-host", ask(s, request(s, host="games.example")).status == 200)
    check("--allow-host in any case", ask(s, request(s, host="Games.Example:8080")).status == 200)
    refused("and no other", ask(s, request(s, host="games.example.org")), 403)
    answer = ask(s, post(s, "/api/v1/plays", {"game": "noughts", "seats": ["human", "human"]}, origin="https://games.example"))
    check("a page behind a proxy", answer.status == 201, answer.status)
    check("it ends", s.end()[0] == 0)
    for _ in range(5):
        status, words = Server(name="endings").end()
        check("SIGTERM as soon as it is ready", status == 0, (status, words))
    os.environ["ASAN_OPTIONS"] = "detect_leaks=1"  # in a sanitized build a leak is a status of 1
    s = Server(name="endings")
    healthy(s, "the last start")
    status, words = s.end()
    check("nothing is left behind", status == 0, (status, words[-2000:]))


def secured():
    """TLS with a certificate made for this test; nothing to try where openssl is not installed."""
    if not shutil.which("openssl"):
        return
    cert, key = os.path.join(WORK, "cert.pem"), os.path.join(WORK, "key.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=localhost"],
                   check=True, capture_output=True)
    s = Server("--cert", cert, "--key", key, name="secured")
    trust = ssl.create_default_context(cafile=cert)
    trust.check_hostname = False
    trust.set_alpn_protocols(["h2", "http/1.1"])
    with trust.wrap_socket(s.connect()) as connection:
        check("TLS speaks HTTP/1.1 alone", connection.selected_alpn_protocol() == "http/1.1", connection.selected_alpn_protocol())
        connection.sendall(request(s))
        answer = read_answer(connection)
        cookie = answer.headers.get("set-cookie", "")
        check("a request over TLS", answer.status == 200, answer.status)
        check("its cookie is for TLS", cookie.startswith("__Host-qv=") and "; Secure" in cookie and "Path=/" in cookie, cookie)
    closed_or("plain HTTP to a TLS port", ask(s, request(s)), 400, 403)
    with s.connect() as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00" + os.urandom(600))
        check("no handshake at all", connection.recv(100)[:1] in (b"", b"\x15"))
    check("it ends", s.end()[0] == 0)


def main():
    # The limits of one address would stop most of what is tried here; the last two try the limits themselves.
    for s, parts in ((Server("--per-address", "50"), (right_requests, shared_answers, the_page, wrong_requests, wrong_posts, pipelining, odd_headers, half_open,
                                                      slow_reader, streams, wrong_sockets, socket_requests, rude_sockets)),
                     (Server(name="usual"), (too_fast, too_many))):
        for part in parts:
            part(s)
            if s.process.poll() is not None:
                sys.exit(f"the server died of {part.__name__}: {s.logged()[-4000:]}")
            healthy(s, part.__name__)
        status, words = s.end()
        check("it ends with 0, without a word", status == 0 and words in ("", NO_PAGE), (status, words[-2000:]))
    for part in (slow_socket, thousand, secured, contacts, endings):
        part()
    print(f"{checks} checks, {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
