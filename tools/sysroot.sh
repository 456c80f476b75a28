#!/usr/bin/env bash
# Makes a Debian root directory for another architecture or release: packages are downloaded by a private apt and
# unpacked, nothing is installed and nothing on this system changes.  User-mode qemu runs the programs inside.
#
#   tools/sysroot.sh ARCHITECTURE DIRECTORY [SUITE [PACKAGE...]]
#
# for example   tools/sysroot.sh arm64 /tmp/arm64   and   tools/sysroot.sh amd64 /tmp/trixie trixie
# The mirrors are those of this system's own Debian sources.
set -euo pipefail
architecture=$1
directory=$(realpath -m "$2") # apt takes a relative path for one inside its own directories
own=$(. /etc/os-release && echo "$VERSION_CODENAME")
suite=${3:-$own}
packages=("${@:4}")
[ ${#packages[@]} != 0 ] || packages=(libc6 python3 python3-hypothesis python3-mpmath python3-numpy python3-pytest)

apt=$directory/.apt
mkdir -p "$apt"/{lists/partial,archives/partial,sources}
: >"$apt/status"
for sources in /etc/apt/sources.list /etc/apt/sources.list.d/debian.{list,sources}; do
    name=$(basename "$sources")
    [ ! -e "$sources" ] || sed "s/$own/$suite/g" "$sources" >"$apt/sources/${name/sources.list/debian.list}"
done
options=(-qq
    -o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture"
    -o "Dir::State=$apt" -o "Dir::State::status=$apt/status" -o "Dir::State::lists=$apt/lists"
    -o "Dir::Cache=$apt" -o "Dir::Cache::archives=$apt/archives"
    -o "Dir::Etc::sourcelist=-" -o "Dir::Etc::sourceparts=$apt/sources"
    -o "Debug::NoLocking=1" -o "APT::Sandbox::User=root" -o "Acquire::Languages=none")
apt-get "${options[@]}" update || echo "some package lists were not fetched; going on with those that were"
apt-get "${options[@]}" install --download-only --yes --no-install-recommends "${packages[@]}"
for package in "$apt"/archives/*.deb; do
    dpkg-deb --extract "$package" "$directory"
done
rm -rf "$apt"
