#!/bin/sh
# Builds the image, starts docker/compose.yaml and puts the guide's validation checklist to it, as the
# guide prints it and by skein cluster verify; kills a node, and replaces all of them under load. Ends
# with 0 when all is as it should be, 3 without Docker, Podman or Compose (nothing was tested then), 1 else.
#   ENGINE=podman, BUILD_OPTIONS=…   as for docker/build.sh
#   SKEIN_IMAGE=…                    this image in place of building one
#   TWICE=1                          builds it two more times, without the cache of Java, and compares
#   STUDIO_JAR=…                     serve Elsa Studio, too; default: node/target/skein-studio.jar, if it is there
#   GUIDE=                           without the guide's own file, which needs images of Redis and RabbitMQ
#   OBSERVABILITY='prometheus …'     which of prometheus, alertmanager and grafana; default: all; '': none
#   IDENTITY=                        without the profile identity, which needs the image of Keycloak
#   PORT_1=… PORT_2=… PORT_3=… PORT_HA=… PORT_STUDIO=… PORT_PROMETHEUS=… PORT_ALERTMANAGER=… PORT_GRAFANA=… PORT_KEYCLOAK=…
#                                    ports of this machine, where 5000 to 5004, 9090, 9093, 3000 or 8443 are taken
set -eu

cd "$(dirname "$0")/.."
project=skein-test-$$
. docker/engine.sh
PORT_1=${PORT_1:-5001} PORT_2=${PORT_2:-5002} PORT_3=${PORT_3:-5003} PORT_HA=${PORT_HA:-5000} PORT_STUDIO=${PORT_STUDIO:-5004}
PORT_PROMETHEUS=${PORT_PROMETHEUS:-9090} PORT_ALERTMANAGER=${PORT_ALERTMANAGER:-9093} PORT_GRAFANA=${PORT_GRAFANA:-3000}
PORT_KEYCLOAK=${PORT_KEYCLOAK:-8443} KEYCLOAK_PASSWORD=${KEYCLOAK_PASSWORD:-of-this-test}
COMPOSE_PROFILES=ha,observability,studio,identity
STUDIO_JAR=${STUDIO_JAR:-$PWD/node/target/skein-studio.jar}
observability=${OBSERVABILITY-prometheus alertmanager grafana}
size_max=250000000
. docker/checks.sh
export PORT_1 PORT_2 PORT_3 PORT_HA PORT_STUDIO PORT_PROMETHEUS PORT_ALERTMANAGER PORT_GRAFANA PORT_KEYCLOAK KEYCLOAK_PASSWORD COMPOSE_PROFILES STUDIO_JAR
nodes="$PORT_1 $PORT_2 $PORT_3"

status() { # port, path
  curl -s -o /dev/null -m 5 -w '%{http_code}' "http://127.0.0.1:$1$2" || true
}

is_ready() { [ "$(status "$1" /health/ready)" = 200 ]; }
all_ready() { for port in $nodes; do is_ready "$port" || return 1; done; }
sees() { curl -s -m 5 "http://127.0.0.1:$1/" | grep -Eq "\"members\" ?: ?$2[,}]"; }
all_see() { for port in $nodes; do sees "$port" "$1" || return 1; done; }
sql() { $engine exec "$(container postgres)" psql -U elsa -Atc "$1"; }
start() { # port, definition
  curl -s -m 10 -X POST "http://127.0.0.1:$1/elsa/api/workflow-instances" \
    -H 'Content-Type: application/json' -d "{\"definitionId\": \"$2\"}" |
    sed -n 's/.*"id" *: *"\([^"]*\)".*/\1/p'
}
logs() { for node in elsa-node1 elsa-node2 elsa-node3; do $engine logs "$(container $node)" 2>&1; done; }
all_finished() { [ "$(sql "select count(*) from workflow_instances where status <> 'Completed' and definition_id = 'TimerTest'")" = 0 ]; }
is_finished() { [ "$(sql "select count(*) from workflow_instances where id = '$1' and status = 'Completed'")" = 1 ]; }

load() { # file: it gets the status of each of 100 starts a second through HAProxy, while file.on is there
  begun=$(date +%s)
  tens=0
  while [ -e "$1.on" ]; do
    curl -s -o /dev/null -m 30 -Z --parallel-immediate -w '%{http_code} %{content_type}\n' -H 'Content-Type: application/json' \
      -d '{"definitionId": "TimerTest"}' "http://127.0.0.1:$PORT_HA/elsa/api/workflow-instances#[1-10]" >>"$1" 2>/dev/null &
    tens=$((tens + 1))
    [ "$tens" -lt $((($(date +%s) - begun) * 10)) ] || sleep 0.09
  done
  wait
}
counts() { # number, pattern, port, path: so many matches in what is answered
  [ "$(curl -s -m 5 "http://127.0.0.1:$3$4" | grep -o "$2" | wc -l)" = "$1" ]
}
same_builds() {
  for build in one two; do
    AOT_CACHE=false BUILD_OPTIONS="${BUILD_OPTIONS:-} --no-cache" ENGINE=$engine docker/build.sh "skein:test-$build" || return 1
  done
  [ "$($engine image inspect --format '{{.Id}}' skein:test-one)" = "$($engine image inspect --format '{{.Id}}' skein:test-two)" ]
}
verify() { # the command's own checklist, from within the network of the nodes
  $engine run --rm --network "$($engine inspect --format '{{range $name, $_ := .NetworkSettings.Networks}}{{$name}}{{end}}' "$(container elsa-node1)")" \
    "$SKEIN_IMAGE" cluster verify --nodes http://elsa-node1:8080,http://elsa-node2:8080,http://elsa-node3:8080
}
guide_file() { # the guide's file for this image and these ports; of the other services none is published
  sed -e "s|elsaworkflows/elsa-server-v3:latest|$SKEIN_IMAGE|" \
    -e 's|^\( *- \)ELSA__RUNTIME__TYPE=.*|&\n\1SKEIN_SECURITY_MODE=open|' \
    -e "s|\"5001:8080\"|\"127.0.0.1:$PORT_1:8080\"|; s|\"5002:8080\"|\"127.0.0.1:$PORT_2:8080\"|; s|\"5003:8080\"|\"127.0.0.1:$PORT_3:8080\"|" \
    docker/guide-compose.yaml | awk '/^ *ports:$/ { ports = $0; next } /^ *- "[0-9]+:[0-9]+"/ { next } ports && /8080"/ { print ports; ports = "" } { print }'
}
field() { sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p"; } # name, in JSON: its text
fetch_authority() { $engine cp "$(container elsa-node1):/etc/skein/keycloak/ca.pem" "$identity/ca.pem" 2>/dev/null; }
browser() { # options and URL of curl, which has one user's cookies, and trusts what the nodes trust
  curl -s -m 20 --cacert "$identity/ca.pem" --resolve "keycloak.test:$PORT_KEYCLOAK:127.0.0.1" \
    -b "$identity/cookies" -c "$identity/cookies" "$@"
}
token() { # user: the access token of Keycloak for their password
  browser -d grant_type=password -d client_id=skein-console -d "username=$1" -d "password=$KEYCLOAK_PASSWORD" \
    "$issuer/protocol/openid-connect/token" | field access_token
}
sign_in() { # user: the access token of the cluster, from another node than the one to which Keycloak sends the browser
  action=$(browser -L "http://localhost:$PORT_1/elsa/api/identity/oidc/login?returnTo=/console" |
    sed -n 's/.* action="\([^"]*\)".*/\1/p' | sed 's/&amp;/\&/g')
  browser -L -o /dev/null -d "username=$1" -d "password=$KEYCLOAK_PASSWORD" "$action"
  browser -X POST "http://localhost:$PORT_2/elsa/api/identity/oidc/session" | field accessToken
}
answers_with() { # status, token, path, options of curl…
  wanted=$1 bearer=$2 path=$3
  shift 3
  [ "$(curl -s -o /dev/null -m 20 -w '%{http_code}' -H "Authorization: Bearer $bearer" "$@" "http://127.0.0.1:$PORT_1$path")" = "$wanted" ]
}
is_signed_in() { # token, user
  [ "$(curl -s -m 20 -H "Authorization: Bearer $1" "http://127.0.0.1:$PORT_3/elsa/api/identity/me" | field name)" = "$2" ]
}
publish() { # port, file
  [ "$(curl -s -o /dev/null -m 10 -w '%{http_code}' -H 'Content-Type: application/json' \
    -d "{\"model\": $(cat "$2"), \"publish\": true}" "http://127.0.0.1:$1/elsa/api/workflow-definitions")" = 200 ]
}
runs() { # image: all nodes do
  id=$($engine image inspect --format '{{.Id}}' "$1")
  for node in elsa-node1 elsa-node2 elsa-node3; do
    case $($engine inspect --format '{{.Image}}' "$(container $node)") in *"$id"*) ;; *) return 1 ;; esac
  done
}

finish() {
  code=$?
  [ -z "${statuses:-}" ] || rm -f "$statuses.on"
  [ "$code" = 0 ] || [ -z "$(container elsa-node1 2>/dev/null)" ] || logs | tail -n 60
  [ "$code" = 0 ] || [ -z "$(container keycloak.test 2>/dev/null)" ] || $engine logs "$(container keycloak.test)" 2>&1 | tail -n 40
  $compose down -v >/dev/null 2>&1 || true
  [ -z "${guide:-}" ] || rm -rf "$guide"
  [ -z "${identity:-}" ] || rm -rf "$identity"
  exit "$code"
}

if [ -z "${SKEIN_IMAGE:-}" ]; then
  SKEIN_IMAGE=skein:test
  ENGINE=$engine docker/build.sh "$SKEIN_IMAGE"
fi
export SKEIN_IMAGE
trap finish EXIT
size=$($engine image inspect --format '{{.Size}}' "$SKEIN_IMAGE")
check "the image has $((size / 1000000)) MB, less than $((size_max / 1000000))" [ "$size" -lt "$size_max" ]
check "it runs as an ordinary user" [ "$($engine image inspect --format '{{.Config.User}}' "$SKEIN_IMAGE")" = 10001:10001 ]
check "it runs with nothing to write to but /tmp" $engine run --rm --read-only --tmpfs /tmp "$SKEIN_IMAGE" version
check "it has no shell" sh -c "! $engine run --rm --entrypoint /bin/sh '$SKEIN_IMAGE' -c true 2>/dev/null"
[ -z "${TWICE:-}" ] || check "two builds without the cache of Java are the same image" same_builds

# By name: not every Compose knows profiles. Those of observability come when the nodes have done something.
since=$(date +%s)
$compose up -d postgres elsa-node1 elsa-node2 elsa-node3 haproxy
check "all nodes are ready" await 120 all_ready
echo "      $(($(date +%s) - since)) s after the start of Compose"
check "the probe of health checks says so" $engine exec "$(container elsa-node1)" \
  /opt/java/bin/java -XX:AOTCache=/opt/skein/cache/skein.aot -Xmx16m -cp /opt/skein/skein.jar skein.node.HealthProbe 8080
check "by the guide's variables alone they are one cluster of three" all_see 3

# 1: thirty resumes at once on three nodes, one is taken
id=$(start "$PORT_1" ApprovalWorkflow)
answers=$(mktemp)
for i in 1 2 3 4 5 6 7 8 9 10; do
  for port in $nodes; do
    curl -s -o /dev/null -m 20 -w '%{http_code}\n' -X POST \
      "http://127.0.0.1:$port/elsa/api/workflow-instances/$id/resume" >>"$answers" &
  done
done
wait
check "1 of 30 resumes at once is answered 200" [ "$(grep -c '^200$' "$answers")" = 1 ]
check "the others are answered 409" [ "$(grep -c '^409$' "$answers")" = 29 ]
check "the workflow completes" await 10 is_finished "$id"
check "a node says that it had the lock" sh -c "$(command -v printf) '%s' \"\$1\" | grep -q 'Acquired distributed lock'" - "$(logs)"
rm -f "$answers"

# 2: a timer, fired by one node
id=$(start "$PORT_1" TimerTest)
check "a timer of five seconds fires" await 20 is_finished "$id"
check "one node fired it" [ "$(logs | grep 'Quartz job executed: ResumeWorkflowTask' | grep -c "$id")" = 1 ]
check "three nodes in qrtz_scheduler_state" [ "$(sql 'select count(*) from qrtz_scheduler_state')" = 3 ]

# 3 to 6, and 1 and 2 again, by the command
check "skein cluster verify" verify

# 4: the death of a container
id=$(start "$PORT_2" TimerTest)
victim=$(container elsa-node1)
$engine kill "$victim" >/dev/null
check "another node fires what was due after a death" await 40 is_finished "$id"
$engine start "$victim" >/dev/null
check "the container comes back" await 60 is_ready "$PORT_1"
check "into the cluster of three" await 30 all_see 3

# SIGTERM
since=$(date +%s)
$engine stop -t 40 "$victim" >/dev/null
check "SIGTERM ends a node with 0, within $(($(date +%s) - since)) s" [ "$($engine inspect --format '{{.State.ExitCode}}' "$victim")" = 0 ]
$engine start "$victim" >/dev/null
check "it comes back, too" await 60 is_ready "$PORT_1"

# Figures, alerts and dashboards
if [ -n "$observability" ]; then
  # word splitting is wanted: they are names of services
  # shellcheck disable=SC2086
  $compose up -d --no-deps $observability
fi
for service in $observability; do
  case $service in
    prometheus)
      check "Prometheus collects from three nodes" await 60 counts 3 '"health":"up"' "$PORT_PROMETHEUS" '/api/v1/targets?state=active'
      rules=$(grep -Ec '^ +- (alert|record):' docker/observability/prometheus/rules.yaml)
      check "it evaluates all $rules rules" await 60 counts "$rules" '"health":"ok"' "$PORT_PROMETHEUS" /api/v1/rules
      ;;
    alertmanager) check "Prometheus tells Alertmanager" await 60 counts 1 'alertmanager:9093/api' "$PORT_PROMETHEUS" /api/v1/alertmanagers ;;
    grafana)
      dashboards=$(find docker/observability/grafana -name '*.json' | wc -l)
      check "Grafana has all $dashboards dashboards" await 120 counts "$dashboards" '"type":"dash-db"' "$PORT_GRAFANA" '/api/search?type=dash-db'
      ;;
    *) check "$service is none of prometheus, alertmanager and grafana" false ;;
  esac
done

# Elsa Studio, on one more node
if [ -f "$STUDIO_JAR" ]; then
  $compose up -d --no-deps elsa-studio
  check "a node with Elsa Studio is ready" await 60 is_ready "$PORT_STUDIO"
  check "it answers with the page of Studio" counts 1 '<title>Elsa Studio on Skein</title>' "$PORT_STUDIO" /studio/
  check "it takes starts, which others execute" [ -n "$(start "$PORT_STUDIO" TimerTest)" ]
  $engine stop -t 40 "$(container elsa-studio)" >/dev/null
else
  echo "      SKIPPED: Elsa Studio, there is no $STUDIO_JAR"
fi

# A rolling update to another image under load
check "HAProxy answers" await 60 is_ready "$PORT_HA"
printf 'FROM %s\nLABEL test=next\n' "$SKEIN_IMAGE" | $engine build -q -t skein:test-next - >/dev/null
statuses=$(mktemp)
touch "$statuses.on"
since=$(date +%s)
load "$statuses" &
loading=$!
check "rolling-update.sh replaces one node after the other" env PROJECT="$project" docker/rolling-update.sh skein:test-next
took=$(($(date +%s) - since))
rm -f "$statuses.on"
wait "$loading"
sent=$(wc -l <"$statuses")
refused=$(grep -vc '^201 ' "$statuses" || true)
check "all nodes run the new image" runs skein:test-next
check "of $sent starts in $took s during it $refused failed" [ "$refused" = 0 ]
check "there were at least 80 starts a second, of 100 wanted" [ "$sent" -ge $((took * 80)) ]
check "the new nodes are one cluster of three" await 30 all_see 3
check "all that was started completes" await 60 all_finished
[ "$refused" = 0 ] || { sort "$statuses" | uniq -c; $engine logs "$(container haproxy)" 2>&1 | tail -n 40; }
rm -f "$statuses"

# Users of Keycloak
if [ -n "${IDENTITY-yes}" ]; then
  $compose down -v >/dev/null 2>&1
  identity=$(mktemp -d)
  issuer=https://keycloak.test:$PORT_KEYCLOAK/realms/skein
  export SECURITY_MODE=authenticated
  $compose up -d postgres keycloak-certificate keycloak.test elsa-node1 elsa-node2 elsa-node3
  check "all nodes are ready, and authenticate" await 240 all_ready
  check "they have the certificate of Keycloak" await 30 fetch_authority
  check "Keycloak answers with it" await 180 browser -f -o /dev/null "$issuer/.well-known/openid-configuration"
  check "a request without a token is answered 401" [ "$(status "$PORT_1" /elsa/api/workflow-definitions)" = 401 ]
  viewer=$(token viewer)
  operator=$(token operator)
  check "a viewer of Keycloak reads" answers_with 200 "$viewer" /elsa/api/workflow-definitions
  set -- -H 'Content-Type: application/json' -d '{"definitionId": "TimerTest"}'
  check "and starts nothing" answers_with 403 "$viewer" /elsa/api/workflow-instances "$@"
  check "an operator does" answers_with 201 "$operator" /elsa/api/workflow-instances "$@"
  check "and manages no users" answers_with 403 "$operator" /elsa/api/identity/users
  check "an administrator does" answers_with 200 "$(token admin)" /elsa/api/identity/users
  check "a token that was changed is answered 401" answers_with 401 "${operator%?????}AAAAA" /elsa/api/workflow-definitions
  check "a browser signs in" is_signed_in "$(sign_in operator)" operator
  unset SECURITY_MODE
fi

# The guide's own file
if [ -n "${GUIDE-yes}" ]; then
  $compose down -v >/dev/null 2>&1
  guide=$(mktemp -d)
  guide_file >"$guide/compose.yaml"
  project=$project-guide
  compose="$compose_program -f $guide/compose.yaml -p $project"
  $compose up -d
  check "all nodes of the guide's file are ready" await 120 all_ready
  check "they are one cluster of three" await 30 all_see 3
  check "TimerTest is published" publish "$PORT_1" conf/examples/timer-test.json
  id=$(start "$PORT_1" TimerTest)
  check "it is started as the guide says, and its timer fires" await 20 is_finished "$id"
  check "the guide's statement shows three schedulers" \
    [ "$($engine exec "$(container postgres)" psql -U elsa -At -c 'SELECT * FROM qrtz_scheduler_state;' | wc -l)" = 3 ]
  check "skein cluster verify" verify
  check "the guide's search for locks finds lines" sh -c "$engine logs '$(container elsa-node1)' 2>&1 | grep -iq lock"
fi

[ "$failed" = 0 ] || { echo "test.sh: FAILED" >&2; exit 1; }
echo "test.sh: all is as it should be"
