#!/bin/sh
# What an automatic job runs to publish the packages for npm.
#
#   npm.sh FOLDER VERSION    publishes each packed file of FOLDER, all of which have to be of this version
#
# A package comes after its optional dependencies: whoever installs it in between would get it without.
#
# What it goes by, from the environment:
#   NPM_TOKEN    an access token of the account that publishes them
set -eu

fail() {
  echo "npm.sh: $1" >&2
  exit 1
}

[ $# -eq 2 ] || fail "say which: npm.sh FOLDER VERSION"
[ -n "${NPM_TOKEN:-}" ] || fail "set NPM_TOKEN"
# Whole paths: npm takes `packages/a.tgz` for the repository `a.tgz` of a user `packages`.
folder=$(cd "$1" && pwd)

# The packed files of the packages that the one in the file $1 names as optional dependencies.
dependencies() {
  tar -xzOf "$1" package/package.json | node -e '
    const { optionalDependencies } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    for (const [name, version] of Object.entries(optionalDependencies ?? {}))
      console.log(`${name.replace("@", "").replace("/", "-")}-${version}.tgz`);'
}

# All are looked at before the first is published: what is published cannot be taken back.
last=
for packed in "$folder"/*.tgz; do
  [ -f "$packed" ] || fail "there is no packed package in $1: run cargo xtask packages"
  case $packed in
    *-"$2".tgz) ;;
    *) fail "$packed is not version $2: set it in web/packages/*/package.json" ;;
  esac
  needed=$(dependencies "$packed") || fail "$packed is no package: pack it again"
  for file in $needed; do
    [ -f "$folder/$file" ] || fail "$packed needs $file, which is not in $1: run cargo xtask release on each system"
  done
  [ -z "$needed" ] || last="$last ${packed##*/}"
done

publish() {
  npm publish "$1" --access public --provenance
}

registry=$(npm config get registry)
npm config set "${registry#*:}:_authToken" "$NPM_TOKEN"
for packed in "$folder"/*.tgz; do
  case "$last " in
    *" ${packed##*/} "*) ;;
    *) publish "$packed" ;;
  esac
done
for file in $last; do
  publish "$folder/$file"
done
