#!/usr/bin/env python3
"""nginx.py - the server behind nginx, with the settings of docs/operate.md: page, API, WebSocket, stream, limits, uploads.
SPDX-License-Identifier: MIT
usage: nginx.py PROGRAM WORK_FOLDER      PROGRAM: quevedo; WORK_FOLDER: an empty one, by its whole path

The block for nginx and the lines of serve.conf come from that page. Ports and paths are replaced, and the lines that certbot would
add are added, with a certificate made for this test. nginx is an ordinary process on the loopback.
"""
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path.insert(0, os.path.join(ROOT, "tests/cli"))
import serve_hostile as hostile  # which reads the arguments
from serve_hostile import PATIENCE, WORK, Server, WebSocket, ask, check, post, read_answer, request
from cluster import free_ports, wait_until

HOST = "games.example"
RECORD = '{"quevedo":1,"game":"noughts","position":"start","seats":[]}\n' + '{"note":"%s"}\n' % ("n" * 1900) * 260
with open(os.path.join(ROOT, "docs/operate.md"), encoding="utf-8") as page:
    DOCUMENT = page.read()


def replaced(text, *pairs):
    """Each must be there, or this test no longer tries what the page says."""
    for old, new in pairs:
        if text.count(old) != 1:
            sys.exit(f"nginx: docs/operate.md has {text.count(old)} times {old!r}")
        text = text.replace(old, new)
    return text


def write(name, text):
    path = os.path.join(WORK, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def start_server():
    lines = re.search(r"(?m)^((?:    [\w-]+ = .*\n)*    trust-proxy = .*\n(?:    [\w-]+ = .*\n)*)", DOCUMENT)[1]
    return Server("--config", write("serve.conf", replaced(lines, ("metrics = 9091", "metrics = 0"))))


class Proxy:
    """nginx in front of a server; connections come from different addresses of the loopback."""

    def __init__(self, server):
        self.host, self.source, self.tls = HOST, "127.0.1.1", False
        self.plain_port, self.tls_port = free_ports(2)
        cert, key = os.path.join(WORK, "cert.pem"), os.path.join(WORK, "key.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2",
                        "-subj", f"/CN={HOST}"], check=True, capture_output=True)
        block = replaced(
            re.search("```nginx\n(.*?)```", DOCUMENT, re.S)[1],
            ("listen 80;", f"listen 127.0.0.1:{self.plain_port};"),
            ("listen [::]:80;", f"listen 127.0.0.1:{self.tls_port} ssl; ssl_certificate {cert}; ssl_certificate_key {key};"),
            ("/var/log/nginx", WORK), ("127.0.0.1:8080", server.host))
        folders = "".join(f"{kind}_temp_path {WORK}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        files, connections = (re.search(f"`({name} [0-9]+;)`", DOCUMENT)[1] for name in ("worker_rlimit_nofile", "worker_connections"))
        settings = write("nginx.conf", f"daemon off;\npid {WORK}/pid;\n{files}\nevents {{ {connections} }}\nhttp {{\n{folders}{block}}}\n")
        for folder in (WORK, os.path.dirname(WORK)):  # as root, nginx gives up its rights
            os.chmod(folder, os.stat(folder).st_mode | 0o011)
        command = ["nginx", "-e", WORK + "/errors", "-c", settings]
        tried = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        if tried.returncode:
            sys.exit(f"nginx: {tried.stderr}")
        self.process = subprocess.Popen(command)
        hostile.atexit.register(self.process.terminate)
        wait_until("nginx", lambda: socket.socket().connect_ex(("127.0.0.1", self.plain_port)) == 0)

    def connect(self):
        port = self.tls_port if self.tls else self.plain_port
        connection = socket.create_connection(("127.0.0.1", port), PATIENCE, (self.source, 0))
        if not self.tls:
            return connection
        trust = ssl.create_default_context()
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
        return trust.wrap_socket(connection, server_hostname=HOST)


def upload(proxy, body):
    return ask(proxy, post(proxy, "/api/v1/plays", body, origin=f"https://{HOST}"))


def visits(proxy):
    page = ask(proxy, request(proxy, path="/"))
    check("the page", page.status == 200 and (b"<html" in page.body.lower() or b"built without its page" in page.body), page.body[:80])
    games = ask(proxy, request(proxy))
    check("the API", games.status == 200 and len(json.loads(games.body)) > 10, games.body[:80])
    check("plain HTTP is known as such", games.headers["set-cookie"].startswith("qv="), games.headers)
    proxy.tls = True
    games = ask(proxy, request(proxy))
    check("TLS, too", games.headers["set-cookie"].startswith("__Host-qv="), games.headers)
    made = upload(proxy, {"game": "noughts", "seats": ["human", "human"]})
    check("a game", made.status == 201, made.body)
    made = upload(proxy, {"private": True, "record": RECORD})
    check(f"a record of {len(RECORD)} bytes", made.status == 201, (made.status, made.body[:200]))
    check("more than a mebibyte", upload(proxy, b" " * (1100 << 10)).status == 413)


def streams(proxy):
    ws = WebSocket(proxy, origin=f"https://{HOST}")
    check("a WebSocket", ws.open, ws.answer and ws.answer.status)
    ws.send({"id": 1, "method": "GET", "path": "/api/v1/games"})
    check("a request on it", ws.receive()["status"] == 200)
    check("not from another origin", not WebSocket(proxy, origin="https://evil.example").open)
    with proxy.connect() as connection:
        connection.sendall(request(proxy, path="/api/v1/lobby/events"))
        first = hostile.read_until(connection, b'"type":"lobby"')  # a buffer would keep it
        check("a stream", b'"type":"lobby"' in first, first)
    ws.close()


def limits(proxy):
    """A visitor is limited whatever it claims; others are not."""
    proxy.tls = False
    for attempt in range(10):
        began, connections = time.monotonic(), [proxy.connect() for _ in range(100)]
        for i, connection in enumerate(connections):
            connection.sendall(request(proxy, headers=[f"X-Forwarded-For: 198.51.100.{i}", "Connection: close"]))
        statuses = [read_answer(connection).status for connection in connections]
        for connection in connections:
            connection.close()
        if 429 in statuses:
            break
        print(f"nginx: 100 requests took {time.monotonic() - began:.1f} s, again")  # so many are allowed in that time
    check("too many requests", set(statuses) == {200, 429}, statuses)
    proxy.source = "127.0.1.2"
    check("another visitor", ask(proxy, request(proxy)).status == 200)


def main():
    if not shutil.which("nginx") or not shutil.which("openssl"):
        print("nginx: skipped: nginx or openssl is not installed")
        return 0
    server = start_server()
    proxy = Proxy(server)
    for part in (visits, streams, limits):
        part(proxy)
    proxy.process.send_signal(signal.SIGQUIT)
    check("nginx ends", proxy.process.wait(PATIENCE) == 0)
    check("the server ends", server.end()[0] == 0)
    print(f"nginx: {hostile.checks} checks, {hostile.failures} failures")
    return 1 if hostile.failures else 0


sys.exit(main())
