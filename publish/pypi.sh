#!/bin/sh
# What an automatic job runs to publish the wheels.
#
#   pypi.sh FOLDER VERSION    publishes each wheel of FOLDER, all of which have to be of this version
#
# What it goes by, from the environment:
#   PYPI_TOKEN    an access token of the account that publishes them
set -eu

fail() {
  echo "pypi.sh: $1" >&2
  exit 1
}

[ $# -eq 2 ] || fail "say which: pypi.sh FOLDER VERSION"
[ -n "${PYPI_TOKEN:-}" ] || fail "set PYPI_TOKEN"
# All are looked at before the first is published: what is published cannot be taken back.
for wheel in "$1"/*.whl; do
  [ -f "$wheel" ] || fail "there is no wheel in $1: run cargo xtask release"
  case $wheel in
    */campanile_site-"$2"-*) ;;
    *) fail "$wheel is not version $2 of campanile-site" ;;
  esac
done
# What the registry would refuse, or show as plain text.
python3 -m twine check --strict "$1"/*.whl
TWINE_USERNAME=__token__ TWINE_PASSWORD=$PYPI_TOKEN python3 -m twine upload --non-interactive "$1"/*.whl
