#!/usr/bin/env bash
# packaging.sh - what runs the server on others' machines: the example of its options, the units of systemd, the container file.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
root=$(dirname "$0")/../..

# The example as it is, and with every line in use.
good serve --config "$root/debian/serve.conf" --check-config
sed 's/^#\([a-z-]* = \)/\1/' "$root/debian/serve.conf" >"$work/all.conf"
good serve --config "$work/all.conf" --check-config
is "every line of the example is tried" 1 $(($(grep -c '^[a-z-]* = ' "$work/all.conf") >= 10))

# The same for workers, whose database is not there.
sed 's/^#\([a-z-]* = \)/\1/' "$root/debian/worker.conf" >"$work/worker.conf"
is "lines of the example" 1 $(($(grep -c '^[a-z-]* = ' "$work/worker.conf") >= 5))
refused worker --config "$work/worker.conf" --store 'postgres:///x?host=/nowhere'
says 'database:'

# What the units start, they start with options that exist; systemd finds nothing wrong with them, and little to fear.
like "the unit starts the server" '.*serve --config /etc/quevedo/serve.conf --data .*' "$(grep ^ExecStart= "$root/debian/quevedo.service")"
# The database may start later than they do, by minutes.
for unit in quevedo.service quevedo.quevedo-worker.service; do
	unit_text=$(sed -n '/^\[Unit\]/,/^\[Service\]/p' "$root/debian/$unit")
	is "$unit: tries again without end" 1 "$(grep -cx 'StartLimitIntervalSec=0' <<<"$unit_text")"
	is "$unit: after 3 seconds" "on-failure 3" "$(sed -n 's/^Restart\(Sec\)\?=//p' "$root/debian/$unit" | xargs)"
done
# It is ready after the migration of its database, however large that is.
is "no limit for the start" 1 "$(grep -cx 'TimeoutStartSec=infinity' "$root/debian/quevedo.service")"
if systemd-analyze --version >/dev/null 2>&1; then
	for unit in quevedo.service quevedo-backup.service quevedo-worker.service; do
		sed "s|/usr/bin/quevedo|$quevedo|; /^Documentation/d" "$root/debian/${unit/quevedo-/quevedo.quevedo-}" >"$work/$unit"
		is "$unit" "" "$(systemd-analyze verify "$work/$unit" 2>&1)"
		score=$(systemd-analyze security --offline=true "$work/$unit" 2>/dev/null | sed -n 's/.*exposure level for .*: \([0-9]*\)\..*/\1/p')
		is "$unit: exposure below 3 of 10" 1 $((${score:-9} < 3))
	done
fi

# The container file: every file that it copies exists, and it ends as a user without privileges, with a check of its health.
file=$root/debian/Containerfile
while read -r from; do
	is "$from exists" 0 "$([ -e "$root/$from" ]; echo $?)"
done < <(sed -n 's/^COPY \([^-][^ ]*\) .*/\1/p' "$file")
is "it ends as another user than root" 1 "$(tac "$file" | sed -n 's/^USER //p' | head -1 | grep -vc '^\(root\|0\)')"
for word in VOLUME EXPOSE HEALTHCHECK ENTRYPOINT; do
	is "$word" 1 "$(grep -c "^$word " "$file")"
done
# Its images are built from digests: those of the tags, or those that are given.
mkdir "$work/bin"
cat >"$work/bin/podman" <<'END'
#!/bin/sh
[ "$1 $2" != "image inspect" ] || { [ -n "${DIGEST-x}" ] && echo "${5%:*}@sha256:${DIGEST-$(printf %064d 7)}"; exit; }
[ "$1" != build ] || echo "$@"
END
chmod +x "$work/bin/podman"
pin=docker.io/library/debian@sha256:$(printf %064d 7)
built=$(PATH=$work/bin:$PATH "$root/tools/build-container" games)
is "digests" "BUILD_IMAGE=$pin
RUN_IMAGE=$pin
build --build-arg BUILD_IMAGE=$pin --build-arg RUN_IMAGE=$pin --format docker -f debian/Containerfile -t games ." "$built"
other=example.org/debian@sha256:$(printf %064d 8)
built=$(PATH=$work/bin:$PATH RUN_IMAGE=$other "$root/tools/build-container" games)
is "given ones" "RUN_IMAGE=$other" "$(sed -n 2p <<<"$built")"
is "no digest, no image" 1 "$(DIGEST='' PATH=$work/bin:$PATH "$root/tools/build-container" games >/dev/null 2>&1; echo $?)"
is "a tag is none" 1 "$(RUN_IMAGE=debian:bookworm BUILD_IMAGE=$pin PATH=$work/bin:$PATH "$root/tools/build-container" games >/dev/null 2>&1; echo $?)"
is "images by tag without an argument" 0 "$(grep '^FROM' "$file" | grep -vc '^FROM ${[A-Z_]*}')"
is "actions without a commit" "" "$(grep -rh 'uses:' "$root/.github" | grep -Ev 'uses: [^@]+@[0-9a-f]{40}( |$)')"
# How it is run: the same in all places.
hard='--read-only --cap-drop all --security-opt no-new-privileges --pids-limit 512 --memory 2g'
for text in "$file" "$root/docs/operate.md"; do
	is "$text: options of the container" 1 "$(grep -c -e "podman run -d $hard" "$text")"
done
for line in ReadOnly=true DropCapability=all NoNewPrivileges=true 'PodmanArgs=--pids-limit 512 --memory 2g'; do
	is "the unit of the container: $line" 1 "$(grep -cx -e "$line" "$root/debian/quevedo.container")"
done
# shellcheck disable=SC2046 # words
good serve $(sed -n 's/^Exec=//p' "$root/debian/quevedo.container") --check-config

# Memory errors are hard to exploit; sanitizers and coverage look at them in another way.
if ! grep -Eq '^QV_(SANITIZE:.*=.|COVERAGE:.*=ON|FUZZ:.*=ON|PLAIN:.*=ON)' "$build/CMakeCache.txt"; then
	hardened=("$quevedo")
	for name in libquevedo.so quevedo-check static/quevedo; do
		[ ! -e "$build/$name" ] || hardened+=("$build/$name")
	done
	is "hardening" "hardening: ${#hardened[@]} files are position-independent, bound early, and check their stack and buffers" \
		"$("$root/tools/check-hardening" "${hardened[@]}" 2>&1)"
	# Jumps: in every object, where the compiler knows how.
	if grep -q '^has_fcf_protection:INTERNAL=1' "$build/CMakeCache.txt"; then
		find "$build/CMakeFiles/quevedo.dir" -name '*.o' >"$work/objects"
		is "objects with marked targets of jumps" "$(wc -l <"$work/objects")" "$(xargs readelf -nW <"$work/objects" | grep -c 'IBT, SHSTK')"
	fi
fi

# The bill of materials: our version, each entry of the lock file, each library that the program names; each with a licence.
SOURCE_DATE_EPOCH=1700000000 "$root/tools/make-sbom" "$build" >"$work/bill.json"
is "the bill of materials" "complete" "$(python3 - "$work/bill.json" "$root" "$quevedo" <<'END' 2>&1
import json, re, subprocess, sys
bill, lock = json.load(open(sys.argv[1])), json.load(open(sys.argv[2] + "/web/package-lock.json"))
version = re.search(r'QV_VERSION "(.*)"', open(sys.argv[2] + "/include/quevedo.h").read())[1]
about, parts = bill["metadata"], bill["components"]
assert (bill["bomFormat"], about["component"]["version"], about["timestamp"]) == ("CycloneDX", version, "2023-11-14T22:13:20Z"), about
npm = {(part["name"], part["version"]) for part in parts if part["bom-ref"].startswith("pkg:npm/")}
assert npm == {(path.split("node_modules/")[-1], one["version"]) for path, one in lock["packages"].items() if path}, npm
assert all(len(part["hashes"][0]["content"]) == 128 for part in parts if part["bom-ref"].startswith("pkg:npm/"))
assert all(part["licenses"][0]["license"]["name"] for part in parts)
refs = [part["bom-ref"] for part in parts]
assert len(refs) == len(set(refs)) and set(bill["dependencies"][0]["dependsOn"]) <= set(refs)
assert [part["scope"] for part in parts if part["name"] in ("preact", "esbuild")] == ["excluded", "required"], "scopes"
needed = re.findall(r"NEEDED.*\[(lib[a-z0-9]+)", subprocess.run(["readelf", "-dW", sys.argv[3]], capture_output=True, text=True).stdout)
names = " ".join(part["name"] for part in parts)
missing = [name for name in ("libjansson", "libsqlite", "libwebsockets", "libsodium", "libuv") if name not in names]
assert len(needed) < 5 or not missing, missing
print("complete")
END
)"
is "made again it is the same" "" "$(SOURCE_DATE_EPOCH=1700000000 "$root/tools/make-sbom" "$build" | diff - "$work/bill.json")"

# A folder build/ is not Python's module of that name.
if ! (cd / && /usr/bin/python3 -c 'import build.__main__' 2>/dev/null) && ! (cd / && python3 -c 'import build.__main__' 2>/dev/null); then
	mkdir -p "$work/tree/build"
	tool=$(realpath "$root/tools/build-python")
	is "a module that is missing" "build-python: build, setuptools or wheel is missing (Debian: python3-build python3-setuptools python3-wheel)" \
		"$(cd "$work/tree" && "$tool" "$work/wheels" "$quevedo" 2>&1)"
fi

# Gigabytes of a build stay outside.
while read -r path; do
	is "$path is not copied" 1 "$(grep -cxF -e "$path" -e "**/$path" "$root/.containerignore")"
done < <(sed 's|^/||; s|/$||' "$root/.gitignore")

# The check of its health.
"$quevedo" serve --port 0 --data "$work/data" >"$work/served" &
server=$!
trap 'kill $server 2>/dev/null; wait; rm -rf "$work"' EXIT
for ((i = 0; i < 1200; i++)); do
	url=$(sed -n 's/^quevedo: //p' "$work/served" 2>/dev/null)
	[ -n "$url" ] && break
	sleep 0.05
done
good server health "$url"
is "ready" ready "$out"
good server health "${url%/}" --json
like "ready, as JSON" '.*"ready":true,"status":200.*' "$out"
kill $server
wait $server
run server health "$url"
is "nobody is there" "1 Connection refused" "$rc $out"
for wrong in https:/127.0.0.1 httpss://x http:// ftp://x http://127.0.0.1:x http://127.0.0.1/path 'http://[::1' 'http://:80'; do
	refused server health "$wrong"
done
finish
