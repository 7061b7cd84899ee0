#!/bin/sh
# make-chromium.sh DESTINATION: a copy of the system's Chromium whose software WebGPU adapter is
# Mesa's lavapipe (see adapter.c). For tests only, Debian only. Nothing of the system is changed:
# the packages are downloaded into DESTINATION.work and unpacked there, never installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
destination=$1
work=$destination.work
source=/usr/lib/chromium

[ -x "$source/chromium" ] || { echo "no Chromium at $source" >&2; exit 1; }
rm -rf "$destination" "$work"
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/packages"

# The mirror and release this system already uses, and that release's backports: the Mesa of
# Debian 12 itself (22.3) gives Chromium no adapter, the one in its backports (25.0) does.
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(ORIGIN)' 'Created-By: Packages' |
    awk '$3 == "Debian" && $2 !~ /-/ { print $1, $2; exit }')
release=${mirror#* }
mirror=${mirror% *}
[ -n "$mirror" ] || { echo "this system's package sources name no Debian release" >&2; exit 1; }
cat > "$work/debian.sources" <<SOURCES
Types: deb
URIs: $mirror
Suites: $release $release-backports
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
apt() {
    apt-get -q -o Dir::Etc::sourcelist="$work/debian.sources" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o Debug::NoLocking=1 "$@"
}
apt update
apt install --yes --no-install-recommends --download-only --target-release "$release-backports" mesa-vulkan-drivers
for package in "$work"/cache/archives/*.deb; do dpkg --extract "$package" "$work/packages"; done

# Hard links where the file system allows them, so that the copy takes no space.
cp -al "$source" "$destination" 2>/dev/null || { rm -rf "$destination"; cp -a "$source" "$destination"; }
mkdir "$destination/mesa"
find "$work/packages" -name '*.so*' -path '*/lib/*' ! -path '*/dri/*' ! -path '*/gbm/*' \
    -exec cp -P {} "$destination/mesa/" \;
[ -e "$destination/mesa/libvulkan_lvp.so" ] || { echo "the packages hold no lavapipe" >&2; exit 1; }

# Chromium draws with the real SwiftShader; only WebGPU is to find ours under its name.
# Removed before they are written again: these names are hard links to the system's files.
rm "$destination/libvk_swiftshader.so" "$destination/vk_swiftshader_icd.json"
cp "$source/libvk_swiftshader.so" "$destination/libvk_swiftshader_real.so"
sed 's#libvk_swiftshader.so#libvk_swiftshader_real.so#' "$source/vk_swiftshader_icd.json" \
    > "$destination/vk_swiftshader_icd.json"
# An old-style run path (DT_RPATH) also serves the libraries that lavapipe itself loads.
cc -O1 -Wall -Wextra -fPIC -shared -fvisibility=hidden -o "$destination/libvk_swiftshader.so" "$here/adapter.c" \
    -ldl -Wl,--disable-new-dtags,-rpath,'$ORIGIN/mesa'
rm -rf "$work"
echo "$destination/chromium"
