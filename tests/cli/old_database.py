#!/usr/bin/env python3
# old_database.py - a database of version 0.1: every game in it has the position and the record that it had then.
# SPDX-License-Identifier: MIT
# usage: old_database.py QUEVEDO FOLDER      the folder holds quevedo.db and games.json
import json
import re
import subprocess
import sys
import urllib.request

quevedo, folder = sys.argv[1:]
server = subprocess.Popen([quevedo, "serve", "--port", "0", "--data", folder], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
try:
    url = None
    while url is None:
        line = server.stdout.readline()
        if not line:
            sys.exit("the server ended")
        found = re.search(r"http://\S+", line)
        url = found and found.group().rstrip("/")
    wrong = 0
    for game in json.load(open(folder + "/games.json", encoding="utf-8")):
        with urllib.request.urlopen(f"{url}/api/v1/plays/{game['id']}") as answer:
            play = json.load(answer)
        with urllib.request.urlopen(f"{url}/api/v1/plays/{game['id']}/record") as answer:
            record = answer.read().decode()
        # A computer may have moved on since; the record then begins as it did.
        is_computers = game["what"] == "star chess"
        same = record.startswith(game["record"]) if is_computers else (
            record == game["record"] and play["view"]["position"] == game["position"]
            and (play.get("result") is not None) == game["over"])
        if not same:
            wrong += 1
            print(f"{game['what']}: {play['view']['position']}\n{record}", file=sys.stderr)
finally:
    server.terminate()
    server.wait(timeout=60)
sys.exit(wrong > 0)
