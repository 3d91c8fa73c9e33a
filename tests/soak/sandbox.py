# sandbox.py - the server within the limits of debian/quevedo.service, as far as they can be set without systemd: no privileges,
# a read-only system, no memory that is both written and executed, its system calls, its number of open files. Then, on port 443,
# with the capability that docs/operate.md gives it.
# SPDX-License-Identifier: MIT
# usage: sandbox.py QUEVEDO WORK_DIR      as root
import ctypes
import http.client
import json
import os
import re
import resource
import shutil
import subprocess
import sys

quevedo, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
data = os.path.join(work, "state")
os.mkdir(data, 0o700)
NOBODY = 65534
shutil.chown(data, NOBODY, NOBODY)
for folder in (work, os.path.dirname(work)):
    os.chmod(folder, os.stat(folder).st_mode | 0o011)
root = os.path.join(os.path.dirname(__file__), "../..")
unit = open(root + "/debian/quevedo.service").read()
drop_in = re.search(r"```ini\n(\[Service\]\n.*?)```", open(root + "/docs/operate.md").read(), re.S)[1]
assert "MemoryDenyWriteExecute=yes" in unit and "LimitNOFILE=16384" in unit
libc = ctypes.CDLL(None, use_errno=True)
PR_SET_NO_NEW_PRIVS, PR_SET_MDWE, PR_CAPBSET_DROP = 38, 65, 24
CLONE_NEWNS, MS_REC, MS_PRIVATE, MS_BIND, MS_REMOUNT, MS_RDONLY = 0x20000, 0x4000, 1 << 18, 4096, 32, 1
tried = []


def filter_calls():
    """The groups of the unit, as systemd-analyze lists them."""
    try:
        import seccomp
    except ImportError:
        return False

    def calls(group):
        text = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True).stdout
        words = [line.strip().split()[0] for line in text.splitlines()[1:] if line.startswith("    ") and not line.strip().startswith("#")]
        return {call for word in words for call in (calls(word) if word.startswith("@") else {word})}

    allowed = calls("@system-service") - calls("@privileged") - calls("@chown") - calls("@keyring") - calls("@setuid")
    rules = seccomp.SyscallFilter(seccomp.ERRNO(1))
    for call in sorted(allowed | calls("@default") | {"execve"}):
        try:
            rules.add_rule(seccomp.ALLOW, call)
        except (RuntimeError, ValueError):
            pass  # not on this processor
    rules.load()
    return True


def confine():
    if libc.unshare(CLONE_NEWNS) == 0:
        libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None)
        libc.mount(data.encode(), data.encode(), None, MS_BIND, None)
        libc.mount(b"/", b"/", None, MS_BIND | MS_REC, None)
        libc.mount(None, b"/", None, MS_BIND | MS_REMOUNT | MS_RDONLY, None)
        libc.mount(data.encode(), data.encode(), None, MS_BIND, None)
    resource.setrlimit(resource.RLIMIT_NOFILE, (16384, 16384))
    for capability in range(41):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    os.umask(0o077)
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    done = ["mdwe"] if libc.prctl(PR_SET_MDWE, 1, 0, 0, 0) == 0 else []
    done += ["seccomp"] if filter_calls() else []
    os.write(2, ("confined: " + " ".join(done) + "\n").encode())


server = subprocess.Popen([quevedo, "serve", "--port", "0", "--data", data, "--json", "--metrics", "0", "--imcs", "0"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=confine, cwd="/")
line = server.stdout.readline()
assert line, server.stderr.read()
port = int(json.loads(line)["url"].rstrip("/").rsplit(":", 1)[1])


def ask(method, path, body=None, token=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        headers["Authorization"] = "Bearer " + token
    connection.request(method, "/api/v1" + path, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    assert answer.status < 300, (path, answer.status, text)
    return text


game = json.loads(ask("POST", "/plays", {"game": "chess", "seats": ["human", "level:5"]}))
ask("POST", f"/plays/{game['id']}/moves", {"move": "e2e4"}, game["seat_token"])
assert '"done":true' in ask("POST", "/analysis", {"game": "chess", "time": 500})
ask("POST", "/accounts", {"name": "somebody", "password": "a password"})
for path in ("/games", "/lobby", "/matches", "/health", "/privacy", "/gallery"):
    ask("GET", path)
server.terminate()
assert server.wait() == 0
said = server.stderr.read()
print(said.strip())
assert said.splitlines()[1:] == [], said


def open_443(*namespace):
    """Returns what the server prints on standard error, None if it listens."""
    capability = re.search("AmbientCapabilities=CAP_(.*)", drop_in)[1].lower()
    limits = [f"--{name}=-all,+{capability}" for name in ("bounding-set", "inh-caps", "ambient-caps")]
    process = subprocess.Popen(["unshare", "--net", "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                                "--no-new-privs", *limits, *namespace, quevedo, "serve", "--host", "::", "--port", "443", "--data", data],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/")
    listens = process.stdout.readline() != ""
    process.terminate()
    errors = process.communicate()[1]
    return None if listens else errors


# With PrivateUsers=yes the capability is one of another user namespace than that of the network.
assert "PrivateUsers=yes\n" in unit and "PrivateUsers=no\n" in drop_in
assert open_443() is None, open_443()
refused = open_443("unshare", "--user", "--map-current-user", "--keep-caps")
assert refused and "Permission denied" in refused, refused
print("port 443: open; with PrivateUsers=yes", refused.strip())
