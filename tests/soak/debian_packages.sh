#!/usr/bin/env bash
# debian_packages.sh - builds the Debian packages, looks at them with lintian, installs them in a bare Debian and tries them there.
# SPDX-License-Identifier: MIT
# usage: debian_packages.sh BUILD_DIR      needs root, debootstrap, lintian and a Debian mirror; without them it is left out
set -euo pipefail
build=$(cd "${1:?usage: debian_packages.sh BUILD_DIR}" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
fail() {
	echo "debian_packages: $1" >&2
	exit 1
}
for tool in debootstrap lintian dpkg-buildpackage dh; do
	command -v $tool >/dev/null || { echo "debian_packages: left out, since $tool is not installed"; exit 0; }
done
[ "$(id -u)" -eq 0 ] || { echo "debian_packages: left out, since it needs root"; exit 0; }

tarball=$("$source/tools/make-dist" "$build")
packages=$build/debian
rm -rf "$packages"
"$source/tools/build-debian" "$tarball" "$packages" >"$build/debian.log" 2>&1 || { tail -n 30 "$build/debian.log"; fail "dpkg-buildpackage"; }
lintian --allow-root --fail-on error --suppress-tags bad-distribution-in-changes-file "$packages"/*.changes || fail "lintian"

# The bare Debian, of the release that runs here and from its mirror.
root=$(mktemp -d)
trap 'umount -l "$root/proc" "$root/dev" 2>/dev/null; rm -rf --one-file-system "$root"' EXIT
mirror=$(awk '$1 == "URIs:" { print $2; exit }' /etc/apt/sources.list.d/*.sources 2>/dev/null || true)
[ -n "$mirror" ] || mirror=$(awk '$1 == "deb" { print $2; exit }' /etc/apt/sources.list)
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
debootstrap --variant=minbase "$release" "$root" "$mirror" >"$build/debootstrap.log" 2>&1 || { tail -n 5 "$build/debootstrap.log"; fail "debootstrap"; }
cp -aL /etc/apt/sources.list.d /etc/apt/apt.conf.d "$root/etc/apt/" 2>/dev/null || true
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mkdir "$root/packages"
cp "$packages"/*.deb "$packages/$(basename "$tarball" .tar.xz)/debian/tests/"{smoke,control} "$root/packages"
in_root() {
	env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} chroot "$root" bash -ec "$1"
}
in_root 'apt-get -q update && rm -f /packages/*-dbgsym_*.deb && apt-get -q -y --no-install-recommends install /packages/*.deb' >"$build/install.log" 2>&1 ||
	{ tail -n 20 "$build/install.log"; fail "the packages cannot be installed"; }
in_root 'quevedo games' | grep -qw chess || fail "quevedo games"
# The rest of the smoke test, with what it depends on.
in_root 'apt-get -q -y --no-install-recommends install $(sed -n "s/^Depends: @, //p" /packages/control | tr -d ,)' >>"$build/install.log" 2>&1 ||
	{ tail -n 20 "$build/install.log"; fail "the tools of the smoke test cannot be installed"; }
version=$(in_root 'pkg-config --modversion quevedo')
[ "$(basename "$tarball")" = "quevedo-$version.tar.xz" ] || fail "pkg-config gives version '$version'"
in_root '/packages/smoke' || fail "the smoke test"
in_root 'apt-get -q -y purge quevedo libquevedo0 libquevedo-dev' >>"$build/install.log" 2>&1 || fail "the packages cannot be removed"
echo "debian_packages: passed, version $version"
