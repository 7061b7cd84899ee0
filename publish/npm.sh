#!/bin/sh
# What an automatic job runs to publish the packages for npm.
#
#   npm.sh FOLDER VERSION    publishes each packed file of FOLDER, all of which have to be of this version
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

# All are looked at before the first is published: what is published cannot be taken back.
for packed in "$folder"/*.tgz; do
  [ -f "$packed" ] || fail "there is no packed package in $1: run cargo xtask packages"
  case $packed in
    *-"$2".tgz) ;;
    *) fail "$packed is not version $2: set it in web/packages/*/package.json" ;;
  esac
done

registry=$(npm config get registry)
npm config set "${registry#*:}:_authToken" "$NPM_TOKEN"
for packed in "$folder"/*.tgz; do
  npm publish "$packed" --access public --provenance
done
