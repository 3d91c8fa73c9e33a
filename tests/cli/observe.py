# observe.py - the log and the figures of a web server, during a visit that uses every kind of secret.
# SPDX-License-Identifier: MIT
# usage: observe.py QUEVEDO WORK_DIR
import base64
import http.client
import json
import os
import re
import socket
import subprocess
import sys

quevedo, work = sys.argv[1:3]
failures = 0


def check(what, good, *more):
    global failures
    if not good:
        failures += 1
        print("FAILED:", what, *more, file=sys.stderr)


class Server:
    def __init__(self, name, *options):
        self.log = open(os.path.join(work, name + ".log"), "w+")
        self.process = subprocess.Popen([quevedo, "serve", "--port", "0", "--data", os.path.join(work, name), "--json", *options],
                                        stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.ready = json.loads(self.process.stdout.readline())
        self.port = int(self.ready["url"].rstrip("/").rsplit(":", 1)[1])

    def ask(self, method, path, body=None, cookie=None, token=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if cookie:
            headers |= {"Cookie": cookie, "Origin": f"http://127.0.0.1:{self.port}"}
        if token:
            headers["Authorization"] = "Bearer " + token
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        answer.text = answer.read().decode(errors="replace")
        connection.close()
        return answer

    def figures(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.ready["metrics"])
        connection.request("GET", "/metrics")
        answer = connection.getresponse()
        check("metrics: type", answer.getheader("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        return parse_figures(answer.read().decode())

    def end(self):
        self.process.terminate()
        check("the server ends well", self.process.wait() == 0)
        self.log.seek(0)
        lines = self.log.read().splitlines(True)
        return "".join(line for line in lines if "server: it runs as root" not in line and '"it runs as root' not in line)


NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"'
SAMPLE = re.compile(rf"({NAME})(?:\{{((?:{LABEL},?)*)\}})? ([-+0-9.eE]+|[+-]Inf|NaN)")


def parse_figures(text):
    """The text format 0.0.4, strictly: HELP and TYPE before the samples, samples of a family together, none twice."""
    types, done, values, family = {}, set(), {}, None
    check("metrics: the last line ends", text.endswith("\n"))
    for line in text.splitlines():
        if match := re.fullmatch(rf"# HELP ({NAME}) .+", line):
            check("metrics: a family comes once", match[1] not in types, line)
            done.add(family)
            family = match[1]
        elif match := re.fullmatch(rf"# TYPE ({NAME}) (counter|gauge|histogram)", line):
            check("metrics: the type follows the help", match[1] == family, line)
            types[family] = match[2]
        elif match := SAMPLE.fullmatch(line):
            name, labels = match[1], tuple(re.findall(LABEL, match[2] or ""))
            base = re.sub(r"_(bucket|sum|count)$", "", name) if types.get(family) == "histogram" else name
            check("metrics: a sample stands in its family", base == family and base not in done, line)
            check("metrics: a counter's name", types.get(family) != "counter" or family.endswith("_total"), line)
            check("metrics: no sample twice", (name, labels) not in values, line)
            values[name, labels] = float(match[match.lastindex])
        else:
            check("metrics: a line", False, line)
    for (name, labels), value in values.items():
        if name.endswith("_count") and types.get(name[:-6]) == "histogram":
            buckets = [(float(dict(l)["le"]), v) for (n, l), v in values.items()
                       if n == name[:-6] + "_bucket" and tuple(x for x in l if x[0] != "le") == labels]
            check("metrics: buckets ascend", buckets == sorted(buckets) and len(buckets) == 15, name, buckets)
            check("metrics: counts ascend", [v for _, v in buckets] == sorted(v for _, v in buckets), name)
            check("metrics: all are in the last bucket", buckets[-1] == (float("inf"), value), name)
    return values


def value(figures, name, **labels):
    return sum(v for (n, l), v in figures.items() if n == name and set(labels.items()) <= set(l))


def upgrade(server, cookie):
    s = socket.create_connection(("127.0.0.1", server.port))
    key = base64.b64encode(os.urandom(16)).decode()
    s.sendall((f"GET /api/v1/ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: http://127.0.0.1:{server.port}\r\n"
               f"Cookie: {cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
               f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Protocol: quevedo\r\n\r\n").encode())
    check("upgrade", s.recv(4096).startswith(b"HTTP/1.1 101"))
    return s


def visit(server):
    """A visit with a game, an account, a login, a token. Returns what must not be in the log, and ids of requests."""
    secrets, ids = [], []

    def ask(status, *args, **more):
        answer = server.ask(*args, **more)
        check(f"{args[:2]}: {status}", answer.status == status, answer.status, answer.text[:200])
        ids.append((answer.getheader("X-Request-Id"), answer.status))
        return answer

    page = ask(200, "GET", "/")
    cookie = page.getheader("Set-Cookie").split(";")[0]
    secrets.append(cookie.split("=", 1)[1])
    made = json.loads(ask(201, "POST", "/api/v1/plays", {"game": "noughts", "seats": ["human", "open"], "private": True}, cookie=cookie).text)
    secrets += [made["id"], made["seat_token"]]
    ask(200, "POST", f"/api/v1/plays/{made['id']}/actions", {"action": "join"}, token=None)
    ask(200, "POST", f"/api/v1/plays/{made['id']}/moves", {"move": "5"}, token=made["seat_token"])
    ask(200, "GET", f"/api/v1/plays/{made['id']}")
    ask(404, "GET", "/api/v1/plays/Secret-Of-A-Game")
    secrets.append("Secret-Of-A-Game")
    ask(404, "GET", "/api/v1/nothing-of-this-name")
    ask(401, "GET", "/api/v1/me", token="qv_not-a-token-of-anybody")
    secrets += ["nothing-of-this-name", "not-a-token-of-anybody"]
    account = {"name": "Somebody-Special", "password": "a very secret password"}
    answer = ask(201, "POST", "/api/v1/accounts", account, cookie=cookie)
    if answer.getheader("Set-Cookie"):
        cookie = answer.getheader("Set-Cookie").split(";")[0]
    answer = ask(200, "POST", "/api/v1/login", account)
    secrets += [account["password"], account["name"], answer.getheader("Set-Cookie").split(";")[0].split("=", 1)[1]]
    wrong = {"name": account["name"], "password": "another secret password"}
    ask(401, "POST", "/api/v1/login", wrong)
    secrets.append(wrong["password"])
    answer = ask(201, "POST", "/api/v1/tokens", {}, cookie=cookie)
    secrets.append(json.loads(answer.text)["token"])
    ask(200, "GET", "/api/v1/me?secret=of-a-query", token=json.loads(answer.text)["token"])
    secrets.append("of-a-query")
    ask(403, "GET", "/", Host="host-of-somebody-else.example")
    secrets.append("host-of-somebody-else")
    for _ in range(40):
        answer = server.ask("POST", "/api/v1/login", wrong)
        if answer.status == 429:
            break
    check("logins are limited", answer.status == 429, answer.status)
    s = upgrade(server, cookie)
    for text in (f'{{"id":1,"method":"GET","path":"/api/v1/plays/{made["id"]}"}}', "nonsense of a socket"):
        s.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text.encode())
        check("a message", s.recv(1 << 16)[0] == 0x81)
    secrets += ["nonsense of a socket"]
    s.close()
    return [secret for text in secrets for secret in (text, base64.b64encode(text.encode()).decode())], ids


def check_json():
    server = Server("json", "--log", "json", "--log-level", "debug", "--metrics", "0")
    secrets, ids = visit(server)
    figures = server.figures()
    log = server.end()
    for secret in secrets:
        check("a secret is in the log", secret not in log, secret, [x for x in log.splitlines() if secret in x][:1])
    lines = [json.loads(line) for line in log.splitlines()]
    for line in lines:
        check("fields of every line", re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"]) and
              line["level"] in ("error", "warn", "info", "debug") and re.fullmatch(r"[a-z_]+", line["event"]), line)
    requests = {line["id"]: line for line in lines if line["event"] == "request"}
    for name, status in ids:
        check("the request is logged under its id", requests.get(name, {}).get("status") == status, name, status)
    for line in requests.values():
        check("fields of a request", set(line) - {"error"} ==
              {"time", "level", "event", "id", "method", "route", "over", "status", "ms", "bytes", "network"}, line)
        check("the network, not the address", line["network"] == "127.0.0.0", line)
    routes = {line["route"] for line in requests.values()}
    check("routes", {"page", "socket", "other", "/api/v1/plays/*", "/api/v1/plays/*/moves", "/api/v1/login"} <= routes, routes)
    check("over a socket", any(x["over"] == "websocket" and x["route"] == "/api/v1/plays/*" for x in requests.values()))
    check("start and stop", [x["event"] for x in lines][0] == "start" and lines[-1]["event"] == "stop", lines[-1])

    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name, _ in figures}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/operate.md"), encoding="utf-8") as page:
        documented = {re.sub("_bucket$", "", name) for name in re.findall(r"\bquevedo(?:_[a-z]+)+", page.read())}
    check("names in docs/operate.md", len(documented) >= 7, documented)
    check("documented metrics exist", documented <= families, documented - families)
    others = {"quevedo_request_seconds", "quevedo_sockets", "quevedo_store_read_seconds", "quevedo_store_commit_seconds",
              "quevedo_thinking_seconds_total", "quevedo_connections"}
    check("other metrics exist", others <= families, others - families)

    total = "quevedo_requests_total"
    check("moves", value(figures, total, route="/api/v1/plays/*/moves", status="200") == 1)
    check("page", value(figures, total, route="page", status="200") == 1)
    check("refused before the API", value(figures, total, route="page", status="403") == 1)
    check("nothing of that name", value(figures, total, route="other", status="404") == 1)
    check("sockets", value(figures, total, route="socket", status="101") == 1)
    check("failed logins", value(figures, "quevedo_failed_logins_total") >= 1 ==
          value(figures, "quevedo_refused_total", limit="login") or figures)
    check("games", value(figures, "quevedo_games") == 1)
    check("space", value(figures, "quevedo_store_bytes") > 4096 and
          value(figures, "quevedo_store_space_short") == 0)
    check("writes", value(figures, "quevedo_event_commit_seconds_count") >= 3)
    check("commits", value(figures, "quevedo_store_commit_units_sum") == value(figures, "quevedo_event_commit_seconds_count"))
    check("jobs", value(figures, "quevedo_job_run_seconds_count", kind="password") >= 3)
    check("version", any(n == "quevedo_build_info" for n, _ in figures))
    check("memory", value(figures, "process_resident_memory_bytes") > 1 << 20)
    for _, labels in figures:
        for label, text in labels:
            check("a label that a visitor chose", text not in secrets, label, text)


def check_text():
    server = Server("text", "--log-level", "info")
    server.ask("GET", "/api/v1/games")
    lines = server.end().splitlines()
    check("text: a request", any(re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ info request: id=[0-9a-f]{8}-[0-9a-f]+ method=GET route=/api/v1/games over=http "
        r"status=200 ms=\d+\.\d{3} bytes=\d+ network=127\.0\.0\.0", x) for x in lines), lines)
    check("text: start, stop", " info start: version=" in lines[0] and " info stop: signal=TERM " in lines[-1], lines)
    check("no metrics unless they are asked for", "metrics" not in server.ready)
    server = Server("quiet")
    server.ask("GET", "/api/v1/games")
    server.ask("GET", "/api/v1/nothing")
    check("by default a good run logs nothing", server.end() == "")


def check_listener():
    """Requests that are not for /metrics, clients that send nothing, and their number."""
    server = Server("listener", "--metrics", "127.0.0.1:0")

    def send(data):
        s = socket.create_connection(("127.0.0.1", server.ready["metrics"]))
        s.sendall(data)
        return s

    def reply(s):
        try:
            return s.recv(100)
        except ConnectionError:
            return b""

    for data, status in ((b"GET / HTTP/1.1\r\n\r\n", b"404"), (b"GET /metricsx HTTP/1.1\r\n\r\n", b"404"),
                         (b"POST /metrics HTTP/1.1\r\n\r\n", b"405"), (b"\0\r\n\r\n", b""),
                         (b"GET /metrics?a=b HTTP/1.0\r\n\r\n", b"200"), (b"GET /metrics HTTP/1.1\r\n\r\n", b"200")):
        check("metrics: " + repr(data), reply(send(data))[9:12] == status)
    check("metrics: a long head is closed", reply(send(b"x" * 4095)) == b"")
    silent = [send(b"G") for _ in range(8)]
    check("metrics: one too many is closed", reply(send(b"")) == b"")
    silent[0].close()
    for _ in range(200):
        answer = reply(send(b"GET /metrics HTTP/1.1\r\n\r\n"))
        if answer:
            break
    check("metrics: there is room again", answer[9:12] == b"200")
    check("metrics: not on the public port", "quevedo_" not in server.ask("GET", "/metrics").text)
    server.end()


def check_notify():
    """What systemd hears."""
    for path in (os.path.join(work, "notified"), "\0quevedo-%d" % os.getpid()):
        s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        s.bind(path)
        s.settimeout(60)
        os.environ |= {"NOTIFY_SOCKET": path.replace("\0", "@"), "WATCHDOG_USEC": "1000000"}
        server = Server("notify")
        check("notify: ready", s.recv(100) == b"READY=1")
        check("notify: alive", s.recv(100) == b"WATCHDOG=1")
        server.end()
        while (last := s.recv(100)) == b"WATCHDOG=1":
            pass
        check("notify: stopping", last == b"STOPPING=1", last)
        s.close()
    server = Server("notify")  # nobody listens any more
    os.environ["NOTIFY_SOCKET"] = "/" + 200 * "x"
    server.end()
    del os.environ["NOTIFY_SOCKET"], os.environ["WATCHDOG_USEC"]


def check_health():
    """What asks for health twice a second fills no log, unless somebody wants to see everything."""
    for level, logged in (("info", False), ("debug", True)):
        server = Server("health-" + level, "--log-level", level, "--drain", "0")
        for path in ("", "/live", "/ready"):
            server.ask("GET", "/api/v1/health" + path)
        server.ask("GET", "/api/v1/games")
        log = server.end()
        check(f"health at {level}", log.count("route=/api/v1/health") == 3 * logged, log)
        check(f"other requests at {level}", "info request: " in log and "route=/api/v1/games" in log, log)


def check_given_ids():
    """A trusted proxy may name requests, nobody else, and not with any text."""
    for trusted, options in ((True, ("--trust-proxy", "127.0.0.1")), (False, ())):
        server = Server(f"ids-{trusted}", "--log-level", "info", *options)
        names = {"given-by.the_proxy-1": trusted, 'with "quotes"': False, "x" * 65: False, "x" * 64: trusted, "": False}
        for name, good in names.items():
            answer = server.ask("GET", "/api/v1/games", X_Request_Id=name)
            check(f"the id {name}", (answer.getheader("X-Request-Id") == name) == good, answer.getheader("X-Request-Id"))
        log = server.end()
        for name, good in names.items():
            check(f"the id {name} in the log", name == "" or (name + " " in log) == good)


check_json()
check_text()
check_health()
check_given_ids()
check_notify()
check_listener()
sys.exit(failures != 0)
