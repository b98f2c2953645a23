#!/bin/sh
# Replaces the nodes of docker/compose.yaml one after the other, each when the one before takes work
# again; nothing else is touched. Behind HAProxy no request fails. Ends with 1 when a node is not ready
# in time: the nodes after it are then as they were.
#   docker/rolling-update.sh [IMAGE]  default: skein, or SKEIN_IMAGE
#   PROJECT=…                         of Compose, where it is not skein
#   READY_SECONDS=…                   how long a node may take to be ready, default: 120
#   ENGINE=podman PORT_1=…            as for docker/test.sh
set -eu

cd "$(dirname "$0")/.."
project=${PROJECT:-skein}
. docker/engine.sh
SKEIN_IMAGE=${1:-${SKEIN_IMAGE:-skein}}
export SKEIN_IMAGE

replace() { # service, port
  old=$(container "$1")
  # node.drain-timeout and the end of the process, as stop_grace_period
  $engine stop -t 40 "$old" >/dev/null
  $engine rm "$old" >/dev/null
  $compose up -d --no-deps "$1" >/dev/null
  end=$(($(date +%s) + ${READY_SECONDS:-120}))
  until [ "$(curl -s -o /dev/null -m 5 -w '%{http_code}' "http://127.0.0.1:$2/health/ready")" = 200 ]; do
    [ "$(date +%s)" -lt "$end" ] || { echo "rolling-update.sh: $1 is not ready" >&2; exit 1; }
    sleep 1
  done
  echo "$1 runs $SKEIN_IMAGE"
}

replace elsa-node1 "${PORT_1:-5001}"
replace elsa-node2 "${PORT_2:-5002}"
replace elsa-node3 "${PORT_3:-5003}"
