#!/usr/bin/env bash
# debian_packages.sh - builds the Debian packages, looks at them with lintian, tries them in a bare Debian and removes them again.
# SPDX-License-Identifier: MIT
# usage: debian_packages.sh BUILD_DIR      needs root, a Debian mirror and what `tools/setup soak` installs; without them it is left out
# The tarball is made from the last commit and from the page in BUILD_DIR. BUILD_DIR/debian has packages and logs afterwards.
set -euo pipefail
build=$(cd "${1:?usage: debian_packages.sh BUILD_DIR}" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
packages=$build/debian
fail() {
	echo "debian_packages: $1" >&2
	exit 1
}
# logged NAME COMMAND...: the command with its output in a file, whose end is shown if it fails.
logged() {
	local log=$packages/$1.log
	shift
	"$@" >"$log" 2>&1 || { tail -n 30 "$log" | cut -c 1-300; fail "failed: $*; the whole log is $log"; }
}
for tool in debootstrap lintian autopkgtest dpkg-buildpackage dh; do
	command -v $tool >/dev/null || { echo "debian_packages: left out, since $tool is not installed"; exit 0; }
done
[ "$(id -u)" -eq 0 ] || { echo "debian_packages: left out, since it needs root"; exit 0; }

# The same bytes, whoever packs them and on however many processors.
tarball=$("$source/tools/make-dist" "$build")
first=$(sha256sum "$tarball" "${tarball%.tar.xz}.cdx.json")
(umask 077 && taskset 1 "$source/tools/make-dist" "$build") >/dev/null
[ "$(sha256sum "$tarball" "${tarball%.tar.xz}.cdx.json")" = "$first" ] || fail "made again, the tarball or its bill of materials is another"
rm -rf "$packages"
mkdir "$packages"
logged build "$source/tools/build-debian" "$tarball" "$packages"
echo "debian_packages: sizes in bytes"
(cd "$packages" && stat -c '%s %n' "$tarball" -- *.deb)
echo "debian_packages: lintian"
# No upload to Debian, so there is no bug that asks for the package.
lintian --allow-root --fail-on error --suppress-tags initial-upload-closes-no-bugs "$packages"/*.changes || fail "lintian finds errors"

# The bare Debian, of the release that runs here and from its mirror.
root=$(mktemp -d)
trap 'umount -l "$root/proc" "$root/dev" 2>/dev/null; rm -rf --one-file-system "$root"' EXIT
mirror=$(awk '$1 == "URIs:" { print $2; exit }' /etc/apt/sources.list.d/debian.sources 2>/dev/null || true)
[ -n "$mirror" ] || mirror=$(awk '$1 == "deb" { print $2; exit }' /etc/apt/sources.list)
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
logged debootstrap debootstrap --variant=minbase "$release" "$root" "$mirror"
apt-config dump | grep -i '^Acquire::https*::proxy' >"$root/etc/apt/apt.conf.d/proxy" || true
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"
mount --rbind --make-rslave /dev "$root/dev"
in_root() {
	env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} chroot "$root" bash -ec "$1"
}
logged update in_root 'apt-get -q update'

# The program alone needs nothing but what it depends on.
mkdir "$root/packages"
cp "$packages"/*.deb "$root/packages"
rm "$root"/packages/*-dbgsym_*.deb
logged install in_root 'apt-get -q -y --no-install-recommends install /packages/quevedo_*.deb'
in_root 'quevedo games' | grep -w chess || fail "quevedo games"
# The tests of debian/tests, each with what it depends on.
logged autopkgtest autopkgtest --no-built-binaries "$packages"/*.dsc "$root"/packages/*.deb -- chroot "$root"
sed -n '/@ summary/,$p' "$packages/autopkgtest.log" | grep -E ' (PASS|SKIP|FAIL)'

# Removed, the packages leave nothing: no file of theirs that no other package has, and nothing called so, but for caches.
names=$(cd "$root/packages" && for file in *.deb; do echo "${file%%_*}"; done | xargs)
logged all in_root 'apt-get -q -y --no-install-recommends install /packages/*.deb'
in_root "dpkg -L $names | grep -vxF /. | sort -u >/packages/files"
logged purge in_root "apt-get -q -y purge $names"
left=$(in_root 'while read -r file; do [ ! -e "$file" ] || dpkg -S "$file" >/dev/null 2>&1 || echo "$file"; done </packages/files
	find / -xdev -name "*quevedo*" ! -path "/packages/*" ! -path "/proc/*" ! -path "/var/cache/*" ! -path "/tmp/*"')
[ -z "$left" ] || fail "removed packages leave $left"
echo "debian_packages: passed, $(wc -l <"$root/packages/files") files installed and removed"
