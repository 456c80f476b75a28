# Sourced by other scripts here.  `private_apt DIRECTORY ARCHITECTURE SUITE deb|deb-src` makes an apt of its own, with
# the mirrors of this system's own Debian sources; nothing on this system changes.  Then `private_apt_get COMMAND...`,
# and in the end `rm -r DIRECTORY`.
debian_release=$(. /etc/os-release && echo "$VERSION_CODENAME")

private_apt() {
    local apt architecture=$2 suite=$3 type=$4 sources name
    apt=$(realpath -m "$1") # apt takes a relative path for one inside its own directories
    mkdir -p "$apt"/{lists/partial,archives/partial,sources}
    : >"$apt/status"
    for sources in /etc/apt/sources.list /etc/apt/sources.list.d/debian.{list,sources}; do
        name=$(basename "$sources")
        [ ! -e "$sources" ] ||
            sed "s/$debian_release/$suite/g; s/^deb /$type /; s/^Types:.*/Types: $type/" "$sources" \
                >"$apt/sources/${name/sources.list/debian.list}"
    done
    private_apt_options=(-qq
        -o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture"
        -o "Dir::State=$apt" -o "Dir::State::status=$apt/status" -o "Dir::State::lists=$apt/lists"
        -o "Dir::Cache=$apt" -o "Dir::Cache::archives=$apt/archives"
        -o "Dir::Etc::sourcelist=-" -o "Dir::Etc::sourceparts=$apt/sources"
        -o "Debug::NoLocking=1" -o "APT::Sandbox::User=root" -o "Acquire::Languages=none")
    private_apt_get update || echo "some package lists were not fetched; going on with those that were"
}

private_apt_get() {
    apt-get "${private_apt_options[@]}" "$@"
}
