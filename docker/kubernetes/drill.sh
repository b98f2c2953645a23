#!/bin/sh
# Runs the pods of an overlay, or of the Helm chart, as containers, without Kubernetes: with the command,
# environment, secrets, volumes, limits, user and probes that the manifests say, and behind their
# NetworkPolicies. It waits for the probes as a kubelet does, deletes a pod, starts another, and replaces
# all pods as the Deployments' strategy has it, while a caller sends requests to the pods that are ready;
# none may fail. At the end it runs the pods of helm test. Needs root, for the secrets' group and the rules.
# Ends with 0 when all is as it should be, 3 where something that it needs is missing (nothing was tested
# then), 1 else.
#   drill.sh [OVERLAY]               cluster (the default) or split-roles
#   drill.sh --helm VALUES           the chart with this file of values; needs helm
#   drill.sh --manifests FILE        what is rendered already, by helm template or by HelmTest, which
#                                    writes node/server/target/helm/cluster.yaml, guide.yaml and others
#   ENGINE=podman                    docker or podman
#   SKEIN_IMAGE=…                    in place of the manifests' image, which docker/build.sh makes
#   POSTGRES_IMAGE=…                 default: that of docker/compose.yaml
#   PREFIX=10.231.77                 of the addresses of the pods, a /24 that is free
#   RATE=20                          requests a second
set -eu

manifests=${1:-cluster} file=${2:-}
case $manifests in
  --helm | --manifests)
    [ -r "$file" ] || { echo "drill.sh: $manifests needs a file that can be read" >&2; exit 1; }
    file=$(cd "$(dirname "$file")" && pwd)/$(basename "$file")
    ;;
  -*) echo "drill.sh: unknown option $manifests" >&2; exit 1 ;;
esac
cd "$(dirname "$0")/../.."
name=skein-pods-$$
prefix=${PREFIX:-10.231.77}
rate=${RATE:-20}
image=${SKEIN_IMAGE:-}
. docker/checks.sh
# Seconds from a pod's SIGTERM until balancers stop sending to it.
endpoints_seconds=3

skip() { echo "drill.sh: SKIPPED: there is no $1" >&2; exit 3; }
engine=${ENGINE:-$(command -v docker >/dev/null 2>&1 && echo docker || echo podman)}
for program in "$engine" kubectl openssl curl nft nsenter; do
  command -v "$program" >/dev/null || skip "$program"
done
[ "$manifests" != --helm ] || command -v helm >/dev/null || skip helm
[ "$(id -u)" = 0 ] || { echo "drill.sh: SKIPPED: it must run as root" >&2; exit 3; }

work=$(mktemp -d "${TMPDIR:-/tmp}/skein-pods.XXXXXX")
mkdir "$work/pods" "$work/tls" "$work/answers"
finish() {
  code=$?
  touch "$work/over"
  rm -f "$work/load"
  wait
  for pod in "$work"/pods/*; do
    [ -e "$pod/name" ] || continue
    [ "$code" = 0 ] || { echo "--- $(cat "$pod/name")" && $engine logs "$(cat "$pod/name")" 2>&1 | tail -n 40; } || true
    { $engine kill "$(cat "$pod/name")"; $engine rm -f -v "$(cat "$pod/name")"; } >/dev/null 2>&1 || true
  done
  # One by one: Podman removes none of several when one is not there.
  for each in "$name-postgres" "$name-ingress"; do $engine rm -f -v "$each" >/dev/null 2>&1 || true; done
  $engine network rm "$name" >/dev/null 2>&1 || true
  rm -rf "$work"
  exit "$code"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

# --- what the manifests say

. docker/kubernetes/pods.sh
case $manifests in
  --manifests) cp "$file" "$work/manifests.yaml" ;;
  --helm) helm template elsa docker/helm/skein -n elsa-workflows -f "$file" >"$work/manifests.yaml" ;;
  *) kubectl kustomize "docker/kubernetes/overlays/$manifests" >"$work/manifests.yaml" ;;
esac
read_manifests "$work/manifests.yaml"

# The Deployment whose pods the Service selects for callers; other Deployments' pods serve none.
wrong() { echo "drill.sh: the manifests do not say $1:" >&2; cat "$work/facts" "$work"/workloads/* >&2; exit 1; }
workload=none
touch "$work/none"
service=$(fact service | awk '$2 == "http" { print $1; exit }')
served=$(cd "$work" && grep -lx "label $(fact "selects $service")" workloads/* | head -n 1)
[ -n "$service" ] && [ -n "$served" ] || wrong "which pods serve callers"
others=$(cd "$work" && ls workloads/* | grep -vx "$served" || true)
workload=$served
members_service=$(fact config | sed -n 's/.* SKEIN_CLUSTER_SERVICE_DNS=//p')
host=$(fact config | sed -n 's/.* SKEIN_HTTP_HOSTS=\([^,]*\).*/\1/p')
database_host=$(fact config | sed -n 's|.* SKEIN_DATABASE_URL=postgresql://\([^:/,]*\).*|\1|p; s|.* SKEIN_DATABASE_URL=Server=\([^;]*\).*|\1|p')
service_port=$(port_of "$(field "service $service http" 1)")
postgres_image=${POSTGRES_IMAGE:-$(sed -n 's/^ *image: \(.*postgres:.*\)/\1/p' docker/compose.yaml)}
[ "$(replicas_of)" -gt 1 ] || wrong "that there are two pods or more that serve callers"
fact headless | grep -qx "$members_service" || wrong "how nodes find each other"
[ -n "$host" ] && [ -n "$service_port" ] || wrong "the host name and the port of callers"
[ -n "$database_host" ] || wrong "the host of the database"

# --- what a cluster brings: names and addresses, a database with TLS, secrets, an ingress controller

$engine network create --subnet "$prefix.0/24" --gateway "$prefix.1" "$name" >/dev/null
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$database_host" \
  -keyout "$work/tls/server.key" -out "$work/tls/server.crt" 2>/dev/null
password=$(openssl rand -hex 16)
# shellcheck disable=SC2046
password=$(secret SKEIN_DATABASE_PASSWORD $(fact 'secret SKEIN_DATABASE_PASSWORD'))
make_cluster_secret
# shellcheck disable=SC2016
$engine run -d --name "$name-postgres" --network "$name" --ip "$prefix.5" --network-alias "$database_host" -v "$work/tls:/tls:ro" \
  -e POSTGRES_DB=elsa -e POSTGRES_USER=elsa -e "POSTGRES_PASSWORD=$password" --entrypoint sh "$postgres_image" -c '
    cp /tls/server.* /tmp/ && chown postgres /tmp/server.* && chmod 600 /tmp/server.key &&
    exec docker-entrypoint.sh postgres -c ssl=on -c ssl_cert_file=/tmp/server.crt -c ssl_key_file=/tmp/server.key' >/dev/null
$engine run -d --name "$name-ingress" --network "$name" --ip "$prefix.6" --entrypoint sleep "$postgres_image" 3600 >/dev/null
ingress_process=$(process_of "$name-ingress")
call() { # address, path, options of curl…: from the ingress controller, to the port that the Service names
  address=$1 path=$2
  shift 2
  nsenter -t "$ingress_process" -n curl -s -m 30 -H "Host: $host" -H 'X-Forwarded-For: 203.0.113.9' \
    -H 'Content-Type: application/json' "$@" "http://$address:$service_port$path"
}
sql() { $engine exec "$name-postgres" psql -U elsa -h 127.0.0.1 -Atc "$1" 2>/dev/null; }
firewall >"$work/firewall"

ready() { # numbers…
  for each in "$@"; do [ -e "$work/pods/$each/ready" ] || return 1; done
}
serves() { [ "$(cat "$work/pods/$1/workload")" = "$served" ]; } # number
sees() { # members, numbers…: those that serve callers say so
  expected=$1
  shift
  for each in "$@"; do
    ! serves "$each" || call "$(cat "$work/pods/$each/address")" / | grep -Eq "\"members\" ?: ?$expected[,}]" || return 1
  done
}

# --- requests, to the pods that the Service lists

endpoints() {
  for pod in "$work"/pods/*; do
    [ -e "$pod/ready" ] && [ ! -e "$pod/unlisted" ] && [ "$(cat "$pod/workload")" = "$served" ] && cat "$pod/address"
  done
  true
}
load() {
  sent=0
  begun=$(date +%s)
  while [ -e "$work/load" ]; do
    for address in $(endpoints); do
      sent=$((sent + 1))
      call "$address" /elsa/api/workflow-instances -o /dev/null -w "%{http_code} $address\\n" \
        -d '{"definitionId": "TimerTest"}' >"$work/answers/$sent" 2>/dev/null &
      until [ "$sent" -lt $((($(date +%s) - begun + 1) * rate)) ]; do sleep 0.05; done
    done
    sleep 0.02
  done
  wait
}
all_finished() {
  [ "$(sql "select count(*) from elsa.workflow_instances where status <> 'Completed'")" = 0 ]
}

# --- the drill

answers() { sql 'select 1' >/dev/null; }
check "PostgreSQL with TLS is there" await 60 answers
since=$(date +%s)
number=0
numbers=
startup=0
# word splitting of the Deployments and of the numbers is wanted
# shellcheck disable=SC2086
for each in $served $others; do
  workload=$each
  left=$(replicas_of)
  [ -n "$left" ] || wrong "how many pods there are"
  longest=$(($(field 'probe startup' 3) * $(field 'probe startup' 5)))
  [ "$startup" -gt "$longest" ] || startup=$longest
  while [ "$left" -gt 0 ]; do
    number=$((number + 1)) left=$((left - 1))
    create "$number" "$each"
    numbers="$numbers $number"
  done
done
replicas=$number
# shellcheck disable=SC2086
check "all $replicas pods are ready by their probes" await "$startup" ready $numbers
echo "      $(($(date +%s) - since)) s after their creation"
# shellcheck disable=SC2086
check "they are one cluster of $replicas" await 30 sees "$replicas" $numbers
uses_tls() { [ "$(sql "select bool_and(ssl) from pg_stat_ssl join pg_stat_activity using (pid) where client_addr <> '127.0.0.1'")" = t ]; }
check "connections to the database use TLS" uses_tls

connects() { # container, address, port
  time=$(nsenter -t "$(process_of "$1")" -n curl -s -o /dev/null --connect-timeout 2 -m 3 -w '%{time_connect}' "http://$2:$3/" || true)
  [ "$time" != 0.000000 ]
}
refuses() { ! connects "$@"; }
workload=$served
first=$(cat "$work/pods/1/name") second=$(cat "$work/pods/2/address")
for port in $(fact port | cut -d ' ' -f 2); do
  check "a pod without labels does not reach port $port" refuses "$name-postgres" "$second" "$port"
done
check "the ingress controller reaches port $service_port" connects "$name-ingress" "$second" "$service_port"
check "and not that between members" refuses "$name-ingress" "$second" "$(port_of member)"
check "a node reaches port $(port_of member) of another" connects "$first" "$second" "$(port_of member)"
check "and not its API" refuses "$first" "$second" "$service_port"
for each in $numbers; do
  serves "$each" || check "pod $each does not serve callers" refuses "$name-ingress" "$(cat "$work/pods/$each/address")" "$service_port"
done

publishes() { # again where an answer was lost: it makes one more version
  [ "$(call "$second" /elsa/api/workflow-definitions -o /dev/null -w '%{http_code}' \
    -d "{\"model\": $(cat conf/examples/timer-test.json), \"publish\": true}")" = 200 ]
}
check "TimerTest is published through the Service's port" await 60 publishes

touch "$work/load"
begun=$(date +%s)
load &
loading=$!
sleep 3

delete 1
check "a pod that is deleted ends with 0 after $(cat "$work/pods/1/seconds") s, of $(fact grace)" ended_well 1
numbers=${numbers# 1}
# shellcheck disable=SC2086
check "the others are a cluster of $((replicas - 1))" await 30 sees $((replicas - 1)) $numbers
number=$((number + 1))
create "$number" "$served"
check "another pod is ready in its place" await "$startup" ready "$number"
numbers="$numbers $number"
# shellcheck disable=SC2086
check "it makes them a cluster of $replicas again" await 30 sees "$replicas" $numbers

# One more, and when it is ready, one less: maxSurge 1, maxUnavailable 0.
new=
for old in $numbers; do
  number=$((number + 1))
  create "$number" "$(cat "$work/pods/$old/workload")"
  new="$new $number"
  check "rollout: pod $number is ready" await "$startup" ready "$number"
  sleep "$(fact settle)"
  delete "$old"
  check "rollout: pod $old ends with 0 after $(cat "$work/pods/$old/seconds") s" ended_well "$old"
done
# shellcheck disable=SC2086
check "the new pods are a cluster of $replicas" await 30 sees "$replicas" $new

rm -f "$work/load"
wait "$loading"
took=$(($(date +%s) - begun))
find "$work/answers" -type f -exec cat {} + >"$work/statuses"
sent=$(find "$work/answers" -type f | wc -l)
refused=$((sent - $(grep -c '^201 ' "$work/statuses" || true)))
check "of $sent starts in $took s $refused failed" [ "$refused" = 0 ]
check "there were at least $((rate / 2)) starts a second" [ "$sent" -ge $((took * rate / 2)) ]
[ "$refused" = 0 ] || grep -v '^201 ' "$work/statuses" | sort | uniq -c
check "all that was started completes, its timers included" await 60 all_finished

# --- helm test: pods beside the cluster, which end by themselves

ended() { [ "$($engine inspect --format '{{.State.Running}}' "$1")" = false ]; }
for each in $(cd "$work" && ls tests); do
  workload=tests/$each
  test=$work/pods/$each
  mkdir "$test"
  echo "$name-$each" >"$test/name"
  peer_address "pod:app=$each" >"$test/address"
  echo "$workload" >"$test/workload"
  run_pod "$test"
  check "$each ends within $(fact deadline) s" await "$(fact deadline)" ended "$name-$each"
  $engine logs "$name-$each" 2>&1 | sed 's/^/      /'
  check "and finds no fault" [ "$($engine inspect --format '{{.State.ExitCode}}' "$name-$each")" = 0 ]
done
killed() { cat "$work"/pods/*/killed 2>/dev/null; }
check "no pod failed its probes" [ -z "$(killed)" ]

[ "$failed" = 0 ] || { echo "drill.sh: FAILED" >&2; exit 1; }
echo "drill.sh: all is as it should be"
