#!/bin/sh
# fetch_headers.sh FOLDER: puts the headers of ONNX Runtime 1.21 into FOLDER, on Debian.
#
# PyPI's onnxruntime has none.  Debian 13 has them in libonnxruntime-dev; other releases take that
# package from there, by an apt of its own that neither knows nor changes the system's packages.
set -eu
folder=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/lists/partial" "$root/cache/archives/partial"
touch "$root/status"

# Where this system's Debian packages come from.
# shellcheck disable=SC2016 # apt's words, not the shell's
mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
    sed -n 's/^Debian //p' | head -n 1)
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keyring] $mirror trixie main" >"$root/sources"

private_apt() {
    apt-get -qq -o APT::Sandbox::User=root -o Dir::State="$root" \
        -o Dir::State::status="$root/status" -o Dir::Cache="$root/cache" \
        -o Dir::Etc::sourcelist="$root/sources" -o Dir::Etc::sourceparts=- "$@"
}
private_apt update
(cd "$root" && private_apt download libonnxruntime-dev)
dpkg -x "$root"/libonnxruntime-dev_*.deb "$root/package"
mkdir -p "$folder"
cp "$root"/package/usr/include/onnxruntime/onnxruntime*.h "$folder"
