#!/bin/sh
# Installs what this archive has, as root: /opt/skein-VERSION with a link /opt/skein, the user skein,
# the unit, and /etc/skein/environment unless it is there. Starts nothing. To update a node: install
# the new version, then systemctl restart skein.
#   DESTDIR=…   below another root than /; no user is made then
set -eu

from=$(cd "$(dirname "$0")" && pwd -P)
root=${DESTDIR:-}
version=$(basename "$from")
if [ -e "$root/opt/skein" ] && [ ! -L "$root/opt/skein" ]; then
  echo "install.sh: $root/opt/skein is not a link: remove it, or the package that made it, first" >&2
  exit 1
fi
mkdir -p "$root/opt" "$root/etc/skein" "$root/etc/systemd/system" "$root/usr/local/bin"
if [ -z "$root" ] && ! id skein >/dev/null 2>&1; then
  useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin skein
fi
# Beside the one that runs: a node reads its files until it ends.
target=$root/opt/$version
while [ -e "$target" ]; do target=$target+; done
mkdir -m 755 "$target"
cp -r "$from/." "$target"
rm "$target/install.sh"
[ -n "$root" ] || chown -R root:root "$target"
ln -sfn "$(basename "$target")" "$root/opt/skein"
ln -sf /opt/skein/skein "$root/usr/local/bin/skein"
[ -e "$root/etc/skein/environment" ] || (umask 077 && cp "$from/environment" "$root/etc/skein/environment")
cp "$from/skein.service" "$root/etc/systemd/system/skein.service"
[ ! -d /run/systemd/system ] || [ -n "$root" ] || systemctl daemon-reload
echo "Installed as $root/opt/skein. Next: /etc/skein/environment, then systemctl enable --now skein"
