#!/usr/bin/env bash
# Makes a Debian root directory for another architecture or release: packages are downloaded by a private apt and
# unpacked, nothing is installed and nothing on this system changes.  User-mode qemu runs the programs inside.
#
#   tools/sysroot.sh ARCHITECTURE DIRECTORY [SUITE [PACKAGE...]]
#
# for example   tools/sysroot.sh arm64 /tmp/arm64   and   tools/sysroot.sh amd64 /tmp/trixie trixie
set -euo pipefail
. "$(dirname "$0")/private_apt.sh"
architecture=$1 directory=$2 suite=${3:-$debian_release}
packages=("${@:4}")
[ ${#packages[@]} != 0 ] || packages=(libc6 python3 python3-hypothesis python3-mpmath python3-numpy python3-pytest)

apt=$directory/.apt
private_apt "$apt" "$architecture" "$suite" deb
private_apt_get install --download-only --yes --no-install-recommends "${packages[@]}"
for package in "$apt"/archives/*.deb; do
    dpkg-deb --extract "$package" "$directory"
done
rm -rf "$apt"
