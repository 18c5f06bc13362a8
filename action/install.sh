#!/usr/bin/env bash
# Finds, downloads or builds warden for the action (action.yml), and says where it is in the output `binary`.
#
# Everything comes in as variables. Written for bash 3.2, which macOS has.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
source_folder=$(dirname -- "$here")
extension=
[ "${RUNNER_OS:-}" != Windows ] || extension=.exe

fail() {
    printf 'warden action: %s\n' "$1" >&2
    exit 2
}

give() {
    local program
    [ -f "$1" ] && [ -x "$1" ] || fail "this is no program: $1"
    # The next step changes its folder.
    program=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
    # Such a path would write outputs of its own.
    case $program in
    *$'\n'* | *$'\r'*) fail 'the path of warden has a line break in it' ;;
    esac
    "$program" --version </dev/null || fail "this program does not run here: $program"
    printf 'binary=%s\n' "$program" >>"$GITHUB_OUTPUT"
    exit 0
}

sha256_of() {
    # A name with a backslash makes both programs put one before the digest: they read from a stream instead.
    if command -v sha256sum >/dev/null; then
        sha256sum <"$1" | cut -d ' ' -f 1
    else
        shasum -a 256 <"$1" | cut -d ' ' -f 1
    fi
}

target() {
    case ${RUNNER_OS:-}-${RUNNER_ARCH:-} in
    Linux-X64) echo x86_64-unknown-linux-gnu ;;
    Linux-ARM64) echo aarch64-unknown-linux-gnu ;;
    macOS-X64) echo x86_64-apple-darwin ;;
    macOS-ARM64) echo aarch64-apple-darwin ;;
    Windows-X64) echo x86_64-pc-windows-msvc ;;
    *) fail "there is no release for this runner (${RUNNER_OS:-unknown}, ${RUNNER_ARCH:-unknown}): use install: build" ;;
    esac
}

build() {
    command -v cargo >/dev/null || fail 'install: build needs cargo; set up Rust in a step before'
    local root=$RUNNER_TEMP/warden-build
    # Not in the checked-out repository: cargo and rustup would follow the settings that they find there.
    cd -- "$source_folder"
    # For one check, a quicker build is worth more than a quicker program. The program itself goes through the same code.
    CARGO_TARGET_DIR=$root/target CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        cargo install --path "$source_folder" --locked --root "$root"
    give "$root/bin/warden$extension"
}

release() {
    [[ $INPUT_VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] ||
        fail 'install: release needs a version, such as version: 0.1.0'
    local platform name digest got base folder
    platform=$(target)
    name=warden-$INPUT_VERSION-$platform.tar.gz
    # The digest stands in the action, not beside the archive: who can replace one there can replace both.
    digest=$(awk -v name="$name" '$2 == name { print $1 }' "$here/releases.sha256")
    [[ $digest =~ ^[0-9a-f]{64}$ ]] ||
        fail "this version of the action knows no digest of $name: use install: build, or a newer version of the action"
    base=${WARDEN_RELEASES:-${GITHUB_SERVER_URL:-https://github.com}/$ACTION_REPOSITORY/releases/download}
    folder=$(mktemp -d "$RUNNER_TEMP/warden-release.XXXXXX")
    curl --fail --location --silent --show-error --retry 3 --output "$folder/archive" "$base/v$INPUT_VERSION/$name" ||
        fail "$name could not be downloaded"
    got=$(sha256_of "$folder/archive")
    [ "$got" = "$digest" ] || fail "$name is not what this action knows: sha256 $got, expected $digest"
    tar -xzf "$folder/archive" -C "$folder" "warden$extension"
    give "$folder/warden$extension"
}

if [ -n "${INPUT_BINARY:-}" ]; then
    give "$INPUT_BINARY"
fi
case ${INPUT_INSTALL:-build} in
build) build ;;
release) release ;;
*) fail 'install is either build or release' ;;
esac
