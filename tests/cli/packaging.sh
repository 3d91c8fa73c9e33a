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
