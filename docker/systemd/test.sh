#!/bin/sh
# Installs what package.sh made in containers with nothing of Skein, archive and package, and runs the
# node by the line of the unit as the user skein. systemd is not asked: containers have none. Ends with
# 0 when all is as it should be, 3 without Docker or Podman (nothing was tested then), 1 else.
#   docker/systemd/test.sh [FOLDER]   default: target
#   ENGINE=podman                     which of the two, when both are there
#   HOST_IMAGE=… POSTGRES_IMAGE=…     a Debian with useradd and bash; PostgreSQL
set -eu

folder=$(cd "${1:-$(dirname "$0")/../../target}" && pwd -P)
engine=${ENGINE:-}
if [ -z "$engine" ]; then
  for engine in docker podman none; do
    command -v "$engine" >/dev/null 2>&1 && break
  done
fi
[ "$engine" != none ] || { echo "test.sh: SKIPPED: there is neither Docker nor Podman" >&2; exit 3; }
name=skein-package-$$
finish() {
  $engine rm -f -v "$name" "$name-postgres" >/dev/null 2>&1 || true
  $engine network rm "$name" >/dev/null 2>&1 || true
}
trap finish EXIT
$engine network create "$name" >/dev/null
$engine run -d --name "$name-postgres" --network "$name" -e POSTGRES_DB=elsa -e POSTGRES_USER=elsa -e POSTGRES_PASSWORD=elsa \
  "${POSTGRES_IMAGE:-docker.io/library/postgres:16-alpine}" >/dev/null
$engine run -d --name "$name" --network "$name" -v "$folder:/made:ro" --entrypoint sleep \
  "${HOST_IMAGE:-docker.io/library/debian:bookworm-slim}" 600 >/dev/null

$engine exec -i -e DATABASE="$name-postgres" "$name" bash -s <<'EOF'
set -eu
runs() { # unit: the node is ready, as an ordinary user, and ends by SIGTERM
  sed -i "s/Server=localhost/Server=$DATABASE/; s/^SKEIN_SECURITY_MODE=.*/SKEIN_SECURITY_MODE=open/" /etc/skein/environment
  # As systemd reads the unit: its environment, then the file, then the line with its variables.
  line=$(sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$1" | sed -n 's/^ExecStart=//p')
  options=$(sed -n 's/^Environment="\(SKEIN_JAVA_OPTS\)=\(.*\)"$/\2/p' "$1")
  (
    set -a
    SKEIN_JAVA_OPTS=$options
    . /etc/skein/environment
    cd /
    eval "set -- $line"
    exec setpriv --reuid=skein --regid=skein --clear-groups --no-new-privs --bounding-set=-all "$@"
  ) >/tmp/node.log 2>&1 &
  node=$!
  begun=$SECONDS
  until skein cluster list 2>/dev/null | grep -q ' READY  *true '; do
    if [ $((SECONDS - begun)) -gt 120 ] || ! kill -0 $node; then tail -n 40 /tmp/node.log; exit 1; fi
    sleep 1
  done
  [ "$(ps -o user= -p $node 2>/dev/null || stat -c %U /proc/$node)" = skein ]
  ready=$((SECONDS - begun))
  kill -TERM $node
  wait $node
  echo "ok    $1: ready within $ready s, ended by SIGTERM with 0"
}
mkdir /tmp/archive
tar -C /tmp/archive -xzf /made/skein-*.tar.gz
/tmp/archive/skein-*/install.sh
[ "$(stat -c '%a %U' /etc/skein/environment)" = '600 root' ]
runs /etc/systemd/system/skein.service
rm -r /opt/skein* /usr/local/bin/skein /etc/systemd/system/skein.service /etc/skein
userdel skein
hash -r
if command -v dpkg >/dev/null && ls /made/skein_*.deb >/dev/null 2>&1; then
  dpkg -i /made/skein_*.deb >/dev/null
  [ "$(stat -c '%a %U' /etc/skein/environment)" = '600 root' ]
  runs /lib/systemd/system/skein.service
  dpkg --purge skein >/dev/null
  [ ! -e /opt/skein ] && [ ! -e /etc/skein ]
fi
EOF
echo "test.sh: all is as it should be"
