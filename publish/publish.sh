#!/bin/sh
# What an automatic job runs to publish a site: fetches the `campanile` command of a release, checks it, and builds.
#
#   publish.sh fetch               puts the command into $CAMPANILE_HOME/command
#   publish.sh build DOCS SITE     builds the site with it
#
# What it goes by, from the environment:
#   CAMPANILE_VERSION    the release [default: the version of the checkout that this script lies in]
#   CAMPANILE_RELEASES   where releases lie [default: the project's on GitHub]
#   CAMPANILE_HOME       keeps the command, the models and what builds keep [default: ~/.campanile]
#
# POSIX shell; it needs tar, curl or wget, and sha256sum or shasum.
set -eu

home=${CAMPANILE_HOME:-$HOME/.campanile}
releases=${CAMPANILE_RELEASES:-https://github.com/campanile/campanile/releases/download}

fail() {
  echo "publish.sh: $1" >&2
  exit 1
}

# The release's version; the workspace's manifest is the one place where a checkout says its own.
version() {
  if [ -n "${CAMPANILE_VERSION:-}" ]; then
    echo "${CAMPANILE_VERSION#v}"
    return
  fi
  manifest=$(dirname "$0")/../Cargo.toml
  [ -f "$manifest" ] || fail "set CAMPANILE_VERSION, as in CAMPANILE_VERSION=0.1.0"
  sed -n 's/^version = "\(.*\)"$/\1/p' "$manifest" | sed -n 1p
}

target() {
  case "$(uname -s) $(uname -m)" in
    'Linux x86_64') echo x86_64-unknown-linux-gnu ;;
    'Linux aarch64' | 'Linux arm64') echo aarch64-unknown-linux-gnu ;;
    'Darwin x86_64') echo x86_64-apple-darwin ;;
    'Darwin arm64') echo aarch64-apple-darwin ;;
    MINGW*x86_64 | MSYS*x86_64) echo x86_64-pc-windows-msvc ;;
    *) fail "there is no release for $(uname -s) on $(uname -m): build the command from its sources" ;;
  esac
}

# The address $1 into the file $2.
download() {
  if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"
  elif command -v wget >/dev/null; then
    wget --quiet --tries=3 --output-document="$2" "$1"
  else
    fail "neither curl nor wget is installed"
  fi || fail "cannot fetch $1: is there a release of this version?"
}

# Holds the files of this folder against the sums in the file $1.
check() {
  if command -v sha256sum >/dev/null; then
    sha256sum --check --status "$1"
  elif command -v shasum >/dev/null; then
    shasum --algorithm 256 --check --status "$1"
  else
    fail "neither sha256sum nor shasum is installed"
  fi
}

fetch() {
  version=$(version)
  command=$home/command/campanile
  if [ "$("$command" --version 2>/dev/null)" = "campanile $version" ]; then
    echo "campanile $version is here already"
  else
    name=campanile-$version-$(target)
    mkdir -p "$home"
    work=$(mktemp -d "$home/fetch.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    download "$releases/v$version/$name.tar.gz" "$work/$name.tar.gz"
    download "$releases/v$version/$name.tar.gz.sha256" "$work/$name.tar.gz.sha256"
    (cd "$work" && check "$name.tar.gz.sha256") \
      || fail "$name.tar.gz is not what its checksum says: nothing was installed"
    tar -xzf "$work/$name.tar.gz" -C "$work"
    rm -rf "$home/command"
    mv "$work/$name" "$home/command"
    "$command" --version >/dev/null || fail "campanile $version does not run on this system"
    echo "campanile $version is in $home/command"
  fi
  # For the steps that follow in a job of GitHub Actions.
  [ -z "${GITHUB_PATH:-}" ] || echo "$home/command" >>"$GITHUB_PATH"
}

build() {
  # What the command keeps lies together, for the job's cache.
  export XDG_CACHE_HOME="$home/cache"
  code=0
  "$home/command/campanile" build "$1" -o "$2" --report "$home/report" || code=$?
  case $code in
    0) ;;
    # The others are in the site: it is published, and somebody has to know.
    3)
      what='some documents could not be read and are not in the site; the log names them'
      if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::warning title=Campanile::$what"; else echo "warning: $what" >&2; fi
      ;;
    *) exit "$code" ;;
  esac
  # For the steps that follow in a job of GitHub Actions.
  [ -z "${GITHUB_OUTPUT:-}" ] || echo "site=$2" >>"$GITHUB_OUTPUT"
}

case "${1:-} $#" in
  'fetch 1') fetch ;;
  'build 3') build "$2" "$3" ;;
  *) fail 'usage: publish.sh fetch, or publish.sh build DOCS SITE' ;;
esac
