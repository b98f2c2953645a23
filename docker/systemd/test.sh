#!/bin/sh
# Installs what package.sh made in containers with nothing of Skein, archive and package, and runs the
# node by the line of the unit as the user skein; by systemd itself, where an image with it is named. Ends
# with 0 when all is as it should be, 3 without Docker or Podman (nothing was tested then), 1 else.
#   docker/systemd/test.sh [FOLDER]   default: target
#   ENGINE=podman                     which of the two, when both are there
#   HOST_IMAGE=… POSTGRES_IMAGE=…     a Debian with useradd and bash; PostgreSQL
#   SYSTEMD_IMAGE=…                   a Debian with systemd as /sbin/init; its container is privileged
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
  # One by one: Podman removes none of several when one is not there.
  for each in "$name" "$name-systemd" "$name-postgres"; do $engine rm -f -v "$each" >/dev/null 2>&1 || true; done
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
wrong() {
  tail -n 40 /tmp/node.log
  echo "FAIL  $1"
  exit 1
}
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
    [ $((SECONDS - begun)) -lt 120 ] && kill -0 $node || wrong "$1: the node is not ready after $((SECONDS - begun)) s"
    sleep 1
  done
  ready=$((SECONDS - begun))
  user=$(stat -c %U /proc/$node)
  [ "$user" = skein ] || wrong "$1: the node runs as $user"
  kill -TERM $node
  code=0
  wait $node || code=$?
  [ $code = 0 ] || wrong "$1: the node ended with $code"
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

if [ -z "${SYSTEMD_IMAGE:-}" ]; then
  echo "test.sh: all is as it should be; systemd itself was not asked: SYSTEMD_IMAGE names no image"
  exit 0
fi
case $engine in
  *podman) set -- --systemd=always ;;
  *) set -- --cgroupns=host -v /sys/fs/cgroup:/sys/fs/cgroup --tmpfs /run --tmpfs /run/lock ;;
esac
$engine run -d --name "$name-systemd" --network "$name" --privileged "$@" -v "$folder:/made:ro" \
  --entrypoint /sbin/init "$SYSTEMD_IMAGE" >/dev/null
$engine exec -i -e DATABASE="$name-postgres" "$name-systemd" bash -s <<'EOF'
set -eu
await() { # seconds, command…
  end=$((SECONDS + $1))
  shift
  until "$@"; do
    if [ "$SECONDS" -ge "$end" ]; then
      echo "FAIL  not within its time: $*"
      systemctl status --no-pager skein || true
      journalctl --no-pager -u skein | tail -n 40
      exit 1
    fi
    sleep 1
  done
}
property() { systemctl show --value -p "$1" skein; }
has() { [ "$(property "$1")" = "$2" ]; } # property, value
boots() { systemctl is-system-running 2>/dev/null | grep -Eq 'running|degraded'; }
is_ready() { skein cluster list 2>/dev/null | grep -q ' READY  *true '; }
await 60 boots
dpkg -i /made/skein_*.deb >/dev/null
sed -i "s/Server=localhost/Server=$DATABASE/; s/^SKEIN_SECURITY_MODE=.*/SKEIN_SECURITY_MODE=open/" /etc/skein/environment
systemctl enable --now skein
await 120 is_ready
first=$(property MainPID)
[ "$(stat -c %U "/proc/$first")" = skein ]
grep -Eq '^CapBnd:[[:space:]]0+$' "/proc/$first/status"
grep -Eq '^NoNewPrivs:[[:space:]]1$' "/proc/$first/status"
echo "ok    systemd starts the package's unit, as skein and without capabilities"
kill -9 "$first"
is_another() { [ "$(property MainPID)" != "$first" ] && has ActiveState active && is_ready; }
await 120 is_another
has NRestarts 1
echo "ok    a node that is killed is started again"
systemctl stop skein
has Result success
has ExecMainStatus 0
echo "ok    one that is stopped ends with 0"
echo SKEIN_HTTP_PORT=wrong >>/etc/skein/environment
systemctl start skein
await 60 has ActiveState failed
has ExecMainStatus 2
has NRestarts 0
echo "ok    one whose configuration cannot be used is not started again"
EOF
echo "test.sh: all is as it should be"
