#!/bin/sh
# Runs the pods of the overlay cluster as containers, without Kubernetes: with the command, environment,
# secrets, volumes, limits, user and probes that the manifests say, and behind their NetworkPolicies.
# It waits for the probes as a kubelet does, deletes a pod, starts another, and replaces all pods as the
# Deployment's strategy has it, while a caller sends requests to the pods that are ready; none may fail.
# Needs root, for the secrets' group and the rules. Ends with 0 when all is as it should be, 3 where
# something that it needs is missing (nothing was tested then), 1 else.
#   ENGINE=podman                    docker or podman
#   SKEIN_IMAGE=…                    in place of the manifests' image, which docker/build.sh makes
#   POSTGRES_IMAGE=…                 default: that of docker/compose.yaml
#   PREFIX=10.231.77                 of the addresses of the pods, a /24 that is free
#   RATE=20                          requests a second
set -eu

cd "$(dirname "$0")/../.."
name=skein-pods-$$
prefix=${PREFIX:-10.231.77}
rate=${RATE:-20}
. docker/checks.sh
# Seconds from a pod's SIGTERM until balancers stop sending to it.
endpoints_seconds=3

skip() { echo "drill.sh: SKIPPED: there is no $1" >&2; exit 3; }
engine=${ENGINE:-$(command -v docker >/dev/null 2>&1 && echo docker || echo podman)}
for program in "$engine" kubectl openssl curl nft nsenter; do
  command -v "$program" >/dev/null || skip "$program"
done
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
  $engine rm -f -v "$name-postgres" "$name-ingress" >/dev/null 2>&1 || true
  $engine network rm "$name" >/dev/null 2>&1 || true
  rm -rf "$work"
  exit "$code"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

# --- what the manifests say: a line for each fact

cat >"$work/facts.template" <<'TEMPLATE'
{{- define "peer"}}{{if .podSelector}}{{range $k, $v := .podSelector.matchLabels}}pod:{{$k}}={{$v}}{{end}}
{{- else if .namespaceSelector}}{{range $k, $v := .namespaceSelector.matchLabels}}namespace:{{$v}}{{end}}
{{- else}}network:{{.ipBlock.cidr}}{{range .ipBlock.except}},{{.}}{{end}}{{end}}{{end}}
{{- define "probe"}} {{.httpGet.port}} {{.httpGet.path}} {{.periodSeconds}} {{.timeoutSeconds}} {{.failureThreshold}}
{{end}}
{{- if eq .kind "Deployment"}}{{$pod := .spec.template.spec}}{{with index $pod.containers 0 -}}
image {{.image}}
{{range .command}}command {{.}}
{{end}}{{range .args}}argument {{.}}
{{end}}{{range .envFrom}}from {{.configMapRef.name}}
{{end}}{{range .env}}{{if .valueFrom}}{{if .valueFrom.fieldRef}}field {{.name}} {{.valueFrom.fieldRef.fieldPath}}
{{else}}secret {{.name}} {{.valueFrom.secretKeyRef.name}} {{.valueFrom.secretKeyRef.key}}
{{end}}{{else}}variable {{.name}} {{.value}}
{{end}}{{end}}{{range .ports}}port {{.name}} {{.containerPort}}
{{end}}probe startup{{template "probe" .startupProbe}}probe liveness{{template "probe" .livenessProbe}}probe readiness{{template "probe" .readinessProbe -}}
memory {{.resources.limits.memory}}
processors {{.resources.limits.cpu}}
read-only {{.securityContext.readOnlyRootFilesystem}}
escalation {{.securityContext.allowPrivilegeEscalation}}
{{range .securityContext.capabilities.drop}}drop {{.}}
{{end}}{{range .volumeMounts}}mount {{.name}} {{.mountPath}}
{{end}}{{end}}{{range $pod.volumes}}volume {{.name}} {{if .secret}}secret {{.secret.secretName}} {{.secret.defaultMode}}{{else}}memory {{.emptyDir.sizeLimit}}{{end}}
{{end}}replicas {{.spec.replicas}}
settle {{.spec.minReadySeconds}}
grace {{$pod.terminationGracePeriodSeconds}}
user {{$pod.securityContext.runAsUser}}
group {{$pod.securityContext.runAsGroup}}
volume-group {{$pod.securityContext.fsGroup}}
{{else if eq .kind "ConfigMap"}}{{$name := .metadata.name}}{{range $k, $v := .data}}config {{$name}} {{$k}}={{$v}}
{{end}}{{else if eq .kind "Service"}}{{$name := .metadata.name}}{{range .spec.ports}}service {{$name}} {{.name}} {{.targetPort}}
{{end}}{{else if eq .kind "NetworkPolicy"}}{{range .spec.ingress}}{{$rule := .}}{{range .from}}{{$peer := .}}{{range $rule.ports}}in {{template "peer" $peer}} {{.protocol}} {{.port}}
{{end}}{{end}}{{end}}{{range .spec.egress}}{{$rule := .}}{{range .to}}{{$peer := .}}{{range $rule.ports}}out {{template "peer" $peer}} {{.protocol}} {{.port}}
{{end}}{{end}}{{end}}{{end}}
TEMPLATE
kubectl kustomize docker/kubernetes/overlays/cluster >"$work/manifests.yaml"
# Without a server kubectl prints by a template only what it has changed.
kubectl annotate --local -f "$work/manifests.yaml" drill=yes -o "go-template-file=$work/facts.template" >"$work/facts"

fact() { sed -n "s/^$1 //p" "$work/facts"; }
field() { fact "$1" | cut -d ' ' -f "$2"; }
port_of() { field "port $1" 1; }
members_service=$(fact config | sed -n 's/.* SKEIN_CLUSTER_SERVICE_DNS=//p')
host=$(fact config | sed -n 's/.* SKEIN_HTTP_HOSTS=\([^,]*\).*/\1/p')
service_port=$(port_of "$(field 'service elsa-server http' 1)")
replicas=$(fact replicas)
grace=$(fact grace)
image=${SKEIN_IMAGE:-$(fact image)}
postgres_image=${POSTGRES_IMAGE:-$(sed -n 's/^ *image: \(.*postgres:.*\)/\1/p' docker/compose.yaml)}
[ -n "$members_service" ] && [ -n "$host" ] && [ -n "$service_port" ] && [ -n "$replicas" ] && [ -n "$grace" ] ||
  { echo "drill.sh: the manifests do not say what they should:" >&2; cat "$work/facts" >&2; exit 1; }

# --- what a cluster brings: names and addresses, a database with TLS, secrets, an ingress controller

$engine network create --subnet "$prefix.0/24" --gateway "$prefix.1" "$name" >/dev/null
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=postgres \
  -keyout "$work/tls/server.key" -out "$work/tls/server.crt" 2>/dev/null
password=$(openssl rand -hex 16)
# shellcheck disable=SC2016
$engine run -d --name "$name-postgres" --network "$name" --ip "$prefix.5" --network-alias postgres -v "$work/tls:/tls:ro" \
  -e POSTGRES_DB=elsa -e POSTGRES_USER=elsa -e "POSTGRES_PASSWORD=$password" --entrypoint sh "$postgres_image" -c '
    cp /tls/server.* /tmp/ && chown postgres /tmp/server.* && chmod 600 /tmp/server.key &&
    exec docker-entrypoint.sh postgres -c ssl=on -c ssl_cert_file=/tmp/server.crt -c ssl_key_file=/tmp/server.key' >/dev/null
$engine run -d --name "$name-ingress" --network "$name" --ip "$prefix.6" --entrypoint sleep "$postgres_image" 3600 >/dev/null
process_of() { $engine inspect --format '{{.State.Pid}}' "$1"; }
ingress_process=$(process_of "$name-ingress")
call() { # address, path, options of curl…: from the ingress controller, to the port that the Service names
  address=$1 path=$2
  shift 2
  nsenter -t "$ingress_process" -n curl -s -m 30 -H "Host: $host" -H 'X-Forwarded-For: 203.0.113.9' \
    -H 'Content-Type: application/json' "$@" "http://$address:$service_port$path"
}
sql() { $engine exec "$name-postgres" psql -U elsa -h 127.0.0.1 -Atc "$1" 2>/dev/null; }

secret() { # name, key
  case $1/$2 in
    elsa-database/user) echo elsa ;;
    elsa-database/password) echo "$password" ;;
    *) echo "drill.sh: the manifests ask for a secret $1 with $2" >&2; return 1 ;;
  esac
}
mkdir -p "$work/secrets/elsa-cluster"
openssl rand -hex 32 | tr -d '\n' >"$work/secrets/elsa-cluster/secret"
chgrp -R "$(fact volume-group)" "$work/secrets/elsa-cluster"
chmod 711 "$work" "$work/secrets"
chmod 750 "$work/secrets/elsa-cluster"

# Pods of the cluster have the addresses 16 to 31.
peer_address() {
  case $1 in
    pod:skein-cluster=*) echo "$prefix.16/28" ;;
    pod:app=postgres) echo "$prefix.5" ;;
    namespace:ingress-nginx) echo "$prefix.6" ;;
    namespace:monitoring) echo "$prefix.7" ;;
    namespace:kube-system) echo "$prefix.1" ;;
    *) echo "drill.sh: a NetworkPolicy names $1" >&2; return 1 ;;
  esac
}
rules() { # in or out, saddr or daddr
  fact "$1" | while read -r peer protocol port; do
    protocol=$(echo "$protocol" | tr '[:upper:]' '[:lower:]')
    case $peer in
      network:*)
        networks=${peer#network:}
        echo "ip $2 ${networks%%,*} ip $2 != { ${networks#*,} } $protocol dport $port accept"
        ;;
      *) echo "ip $2 $(peer_address "$peer") $protocol dport $port accept" ;;
    esac
  done
}
firewall() {
  probed=$(fact probe | while read -r _ port _; do port_of "$port"; done | sort -u | paste -sd, -)
  echo "table inet policies {"
  echo "chain incoming { type filter hook input priority 0; policy drop; ct state established,related accept; iif lo accept;"
  echo "ip saddr $prefix.1 tcp dport { $probed } accept"
  rules in saddr
  echo "}"
  echo "chain outgoing { type filter hook output priority 0; policy drop; ct state established,related accept; oif lo accept;"
  rules out daddr
  printf '}\n}\n'
}
firewall >"$work/firewall"

# --- pods

bytes() { echo "$1" | sed 's/Gi$/g/; s/Mi$/m/'; }
fact config | sed 's/^[^ ]* //' >"$work/environment"

create() { # number: of a pod, whose address it also makes
  pod=$work/pods/$1
  mkdir "$pod"
  echo "$name-elsa-server-$1" >"$pod/name"
  echo "$prefix.$((15 + $1))" >"$pod/address"
  set -- -d --name "$(cat "$pod/name")" --hostname "$(cat "$pod/name")" --stop-timeout "$grace" \
    --network "$name" --ip "$(cat "$pod/address")" --network-alias "$members_service" \
    --user "$(fact user):$(fact group)" --group-add "$(fact volume-group)" --env-file "$work/environment" \
    --memory "$(bytes "$(fact memory)")" --cpus "$(printf '%s\n' "$(fact processors)" "$(nproc)" | sort -n | head -n 1)"
  [ "$(fact read-only)" != true ] || set -- "$@" --read-only
  case $engine in *podman) set -- "$@" --read-only-tmpfs=false ;; esac
  [ "$(fact escalation)" != false ] || set -- "$@" --security-opt no-new-privileges
  for capability in $(fact drop); do set -- "$@" --cap-drop "$capability"; done
  while read -r kind variable value key; do
    case $kind in
      variable) set -- "$@" -e "$variable=$value" ;;
      secret) set -- "$@" -e "$variable=$(secret "$value" "$key")" ;;
      field)
        case $value in
          metadata.name) set -- "$@" -e "$variable=$(cat "$pod/name")" ;;
          status.podIP) set -- "$@" -e "$variable=$(cat "$pod/address")" ;;
          *) echo "drill.sh: the manifests ask for $value" >&2; return 1 ;;
        esac
        ;;
      mount)
        # shellcheck disable=SC2046
        set -- "$@" $(volume "$variable" "$value")
        ;;
    esac
  done <"$work/facts"
  [ -z "$(fact command)" ] || set -- "$@" --entrypoint "$(fact command | head -n 1)"
  # shellcheck disable=SC2046
  $engine run "$@" "$image" $(fact command | tail -n +2) $(fact argument) >/dev/null
  enclose "$pod"
  kubelet "$pod" &
}
enclose() { nsenter -t "$(process_of "$(cat "$1/name")")" -n nft -f "$work/firewall"; } # pod
restart_if_ended() { # pod, as restartPolicy Always has it
  [ "$($engine inspect --format '{{.State.Running}}' "$(cat "$1/name")")" = false ] || return 0
  echo "      $(cat "$1/name") ended before it was started: $($engine logs "$(cat "$1/name")" 2>&1 | tail -n 1 | cut -c 1-300)"
  $engine start "$(cat "$1/name")" >/dev/null && enclose "$1"
}
volume() { # name, path: the options for it
  read -r kind source detail <<FACT
$(fact "volume $1")
FACT
  case $kind in
    secret)
      chmod "0$(printf %o "$detail")" "$work/secrets/$source"/*
      echo "-v $work/secrets/$source:$2:ro"
      ;;
    memory) echo "--tmpfs $2:rw,exec,size=$(bytes "$source"),mode=1777" ;;
  esac
}

# Files of a pod's folder: ready, deleted, unlisted, gone, and for which probes a kubelet had killed it.
probe() { # pod, which
  read -r port path _ timeout _ <<FACT
$(fact "probe $2")
FACT
  [ "$(curl -s -o /dev/null -m "$timeout" -w '%{http_code}' "http://$(cat "$1/address"):$(port_of "$port")$path")" = 200 ]
}
kubelet() { # pod
  failures=0
  until probe "$1" startup; do
    failures=$((failures + 1))
    [ "$failures" -lt "$(field 'probe startup' 5)" ] || { echo startup >>"$1/killed"; return; }
    [ ! -e "$1/gone" ] && [ ! -e "$work/over" ] || return 0
    restart_if_ended "$1"
    sleep "$(field 'probe startup' 3)"
  done
  failures=0 dead=0 live_at=0
  until [ -e "$1/gone" ] || [ -e "$work/over" ]; do
    if probe "$1" readiness; then
      failures=0
      touch "$1/ready"
    else
      failures=$((failures + 1))
      [ "$failures" -lt "$(field 'probe readiness' 5)" ] || rm -f "$1/ready"
    fi
    if [ "$(date +%s)" -ge "$live_at" ]; then
      live_at=$(($(date +%s) + $(field 'probe liveness' 3)))
      if probe "$1" liveness; then dead=0; else dead=$((dead + 1)); fi
      [ "$dead" -lt "$(field 'probe liveness' 5)" ] || [ -e "$1/deleted" ] || { echo liveness >>"$1/killed"; return; }
    fi
    sleep "$(field 'probe readiness' 3)"
  done
}
ready() { # numbers…
  for each in "$@"; do [ -e "$work/pods/$each/ready" ] || return 1; done
}
sees() { # members, numbers…
  expected=$1
  shift
  for each in "$@"; do
    call "$(cat "$work/pods/$each/address")" / | grep -Eq "\"members\" ?: ?$expected[,}]" || return 1
  done
}
delete() { # number: as a kubelet stops a pod; the seconds and the exit code are in its folder
  pod=$work/pods/$1
  touch "$pod/deleted"
  (sleep $endpoints_seconds && touch "$pod/unlisted") &
  since=$(date +%s)
  $engine stop -t "$grace" "$(cat "$pod/name")" >/dev/null
  echo $(($(date +%s) - since)) >"$pod/seconds"
  $engine inspect --format '{{.State.ExitCode}}' "$(cat "$pod/name")" >"$pod/code"
  touch "$pod/gone"
}
ended_well() { [ "$(cat "$work/pods/$1/code")" = 0 ] && [ "$(cat "$work/pods/$1/seconds")" -lt "$grace" ]; }

# --- requests, to the pods that the Service lists

endpoints() {
  for pod in "$work"/pods/*; do
    [ -e "$pod/ready" ] && [ ! -e "$pod/unlisted" ] && cat "$pod/address"
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
number=1
numbers=
while [ "$number" -le "$replicas" ]; do
  create "$number"
  numbers="$numbers $number"
  number=$((number + 1))
done
startup=$(($(field 'probe startup' 3) * $(field 'probe startup' 5)))
# word splitting of the numbers is wanted
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
first=$(cat "$work/pods/1/name") second=$(cat "$work/pods/2/address")
for port in $(fact port | cut -d ' ' -f 2); do
  check "a pod without labels does not reach port $port" refuses "$name-postgres" "$second" "$port"
done
check "the ingress controller reaches port $service_port" connects "$name-ingress" "$second" "$service_port"
check "and not that between members" refuses "$name-ingress" "$second" "$(port_of member)"
check "a node reaches port $(port_of member) of another" connects "$first" "$second" "$(port_of member)"
check "and not its API" refuses "$first" "$second" "$service_port"

published=$(call "$second" /elsa/api/workflow-definitions -o /dev/null -w '%{http_code}' \
  -d "{\"model\": $(cat conf/examples/timer-test.json), \"publish\": true}")
check "TimerTest is published through the Service's port" [ "$published" = 200 ]

touch "$work/load"
begun=$(date +%s)
load &
loading=$!
sleep 3

delete 1
check "a pod that is deleted ends with 0 after $(cat "$work/pods/1/seconds") s, of $grace" ended_well 1
numbers=${numbers# 1}
# shellcheck disable=SC2086
check "the others are a cluster of $((replicas - 1))" await 30 sees $((replicas - 1)) $numbers
create "$number"
check "another pod is ready in its place" await "$startup" ready "$number"
numbers="$numbers $number"
# shellcheck disable=SC2086
check "it makes them a cluster of $replicas again" await 30 sees "$replicas" $numbers

# One more, and when it is ready, one less: maxSurge 1, maxUnavailable 0.
for old in $numbers; do
  number=$((number + 1))
  create "$number"
  check "rollout: pod $number is ready" await "$startup" ready "$number"
  sleep "$(fact settle)"
  delete "$old"
  check "rollout: pod $old ends with 0 after $(cat "$work/pods/$old/seconds") s" ended_well "$old"
done
new=$(seq $((number - replicas + 1)) "$number")
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
check "all that was started completes" await 60 all_finished
killed() { cat "$work"/pods/*/killed 2>/dev/null; }
check "no pod failed its probes" [ -z "$(killed)" ]

[ "$failed" = 0 ] || { echo "drill.sh: FAILED" >&2; exit 1; }
echo "drill.sh: all is as it should be"
