#!/bin/sh
# The loss of a region, with two PostgreSQL and four nodes on this machine: region one serves, region two
# has a standby. All of region one is killed at once, the standby is promoted, nodes start on it, and what
# was acknowledged is looked for. At the end the old primary comes back as a standby. See docker/regions.md.
# Ends with 0 when all is as it should be, 3 where PostgreSQL 13, Java 25 or the jar is missing (nothing was
# tested then), 1 else.
#   SYNC=1               a start is acknowledged when both regions have it: nothing may be lost
#   STALL=1              seconds for which the connection between the regions stalls before the loss
#   SECONDS_BEFORE=8     how long instances are started before that
#   PAUSE=0.1            between two starts of one of the two clients
#   PGBIN=/…/bin         PostgreSQL's programs; else those of pg_config, or of /usr/lib/postgresql
#   JAR=…                in place of node/target/skein.jar
#   SKEIN_JAVA_HOME=…    the Java to use, 25 or newer
#   JAVA_OPTIONS=…       options for it, in place of those below
#   POSTGRES_USER=…      who runs PostgreSQL when this is run by root (postgres, else nobody)
#   PORT=…               the first of 14 ports in a row, in place of free ones from 7400 on
#   KEEP=1               leave the folder with data and logs there
set -eu

cd "$(dirname "$0")/.."
SYNC=${SYNC:-0} STALL=${STALL:-1} SECONDS_BEFORE=${SECONDS_BEFORE:-8} PAUSE=${PAUSE:-0.1}
jar=${JAR:-node/target/skein.jar}
options=${JAVA_OPTIONS:--XX:+UseParallelGC -Xmx256m -XX:+ExitOnOutOfMemoryError}
failed=0

skip() {
  echo "region-drill.sh: SKIPPED: $1" >&2
  exit 3
}

check() { # what, command…
  what=$1
  shift
  if "$@"; then echo "ok    $what"; else echo "FAIL  $what"; failed=1; fi
}

now() { date +%s%3N | grep -x '[0-9]*' || echo "$(date +%s)000"; } # milliseconds where date knows them
note() { echo "      $1"; }

await() { # seconds, command…
  end=$(($(date +%s) + $1))
  shift
  until "$@"; do
    [ "$(date +%s)" -lt "$end" ] || return 1
    sleep 0.2
  done
}

find_postgres() {
  for bin in "${PGBIN:-}" "$(pg_config --bindir 2>/dev/null || true)" $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV); do
    for program in initdb pg_ctl postgres pg_basebackup pg_rewind psql; do
      [ -n "$bin" ] && [ -x "$bin/$program" ] || continue 2
    done
    [ "$("$bin/postgres" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')" -lt 13 ] || return 0
  done
  return 1
}

find_java() {
  for java_home in "${SKEIN_JAVA_HOME:-}" "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    [ -n "$java_home" ] && [ -x "$java_home/bin/java" ] || continue
    version=$("$java_home/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
    [ "${version:-0}" -ge 25 ] && return 0
  done
  return 1
}

find_postgres || skip "there is no PostgreSQL 13 or newer with initdb, pg_basebackup, pg_rewind and psql; PGBIN names its folder"
find_java || skip "there is no Java 25; SKEIN_JAVA_HOME names its folder"
[ -f "$jar" ] || skip "there is no $jar; JAR names one, ./mvnw -Dmaven.test.skip=true package makes it"
command -v curl >/dev/null || skip "there is no curl"
command -v ps >/dev/null || skip "there is no ps"

# Settings of nodes that the caller runs are not for these.
for variable in $(env | sed -nE 's/^((SKEIN_|ELSA__|CONNECTIONSTRINGS__|QUARTZ__)[A-Za-z0-9_]*)=.*/\1/p'); do
  unset "$variable"
done

as_postgres="" owner=$(id -un)
if [ "$(id -u)" = 0 ]; then
  owner=${POSTGRES_USER:-$(id -un postgres 2>/dev/null || echo nobody)}
  if command -v setpriv >/dev/null; then
    as_postgres="setpriv --reuid=$owner --regid=$(id -g "$owner") --clear-groups"
  elif command -v runuser >/dev/null; then
    as_postgres="runuser -u $owner --"
  else
    skip "PostgreSQL does not run as root, and there is neither setpriv nor runuser"
  fi
fi

# curl ends with 7 where no process listens.
all_free() {
  for n in 0 1 2 3 4 5 6 7 8 9 10 11 12 13; do
    code=0
    curl -s -o /dev/null -m 1 "http://127.0.0.1:$(($1 + n))/" || code=$?
    [ "$code" = 7 ] || return 1
  done
}
port=${PORT:-7400}
until all_free "$port"; do
  [ -z "${PORT:-}" ] && [ "$port" -lt 8400 ] || skip "ports from $port on are taken"
  port=$((port + 14))
done
port_one=$port port_two=$((port + 1))

work=$(mktemp -d "${TMPDIR:-/tmp}/region-drill.XXXXXX")
chmod 711 "$work"
mkdir "$work/pg" "$work/acknowledged" "$work/logs"
chmod 700 "$work/pg"
[ -z "$as_postgres" ] || chown "$owner" "$work/pg"
nodes_one="" nodes_two="" clients=""

pg() { (cd "$work/pg" && exec $as_postgres env LC_ALL=C.UTF-8 PGPASSFILE="$work/pg/passwords" "$@"); }
sql() { # port, statement
  pg "$bin/psql" -XAtq -v ON_ERROR_STOP=1 -h "$work/pg" -p "$1" -U "$owner" -d elsa -c "$2"
}
quietly() { "$@" >>"$work/logs/commands" 2>&1; }

# The server's own process and those that it has started; what sends to the standby is first.
processes_of() { # data folder
  server=$(pg head -n 1 "$work/pg/$1/postmaster.pid" 2>/dev/null) || return 0
  ps -A -o pid= -o ppid= -o args= |
    awk -v server="$server" '$2 == server { print ($0 ~ /walsender/ ? 0 : 2), $1 } $1 == server { print 1, $1 }' |
    sort -n | while read -r _ pid; do echo "$pid"; done
}

finish() {
  code=$?
  trap - EXIT
  for pid in $clients $nodes_one $nodes_two; do kill -9 "$pid" 2>/dev/null || true; done
  for data in one two; do
    pids=$(processes_of $data)
    [ -z "$pids" ] || kill -9 $pids 2>/dev/null || true
  done
  wait 2>/dev/null || true
  if [ "$code" != 0 ] && [ "$code" != 3 ]; then
    for log in "$work"/logs/*; do echo "--- $log"; tail -n 25 "$log"; done >&2
  fi
  if [ -n "${KEEP:-}" ]; then echo "region-drill.sh: left $work there"; else rm -rf "$work"; fi
  exit "$code"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

# --- what is asked of nodes

status() { curl -s -o /dev/null -m 5 -w '%{http_code}' "http://127.0.0.1:$1$2" || true; }
is_ready() { [ "$(status "$1" /health/ready)" = 200 ]; }
await_ready() { # seconds, port, process: not longer than that lives
  await "$1" ready_or_ended "$2" "$3" && is_ready "$2"
}
ready_or_ended() { is_ready "$1" || ! kill -0 "$2" 2>/dev/null; }
sees_two() { curl -s -m 5 "http://127.0.0.1:$1/" | grep -Eq '"members" ?: ?2[,}]'; }
database_id() {
  curl -s -m 5 "http://127.0.0.1:$1/elsa/api/cluster" | tr ',{}' '\n\n\n' |
    sed -n 's/^ *"database" *: *"\([0-9a-f]\{32\}\)".*/\1/p' | sort -u
}
start() { # port, definition: the id, once it is acknowledged
  curl -s -m 10 -w '\n%{http_code}\n' -X POST "http://127.0.0.1:$1/elsa/api/workflow-instances" \
    -H 'Content-Type: application/json' -d "{\"definitionId\": \"$2\"}" |
    awk '{ body = body last; last = $0 } END { if (last != 201) exit; sub(/.*"id" *: *"/, "", body); sub(/".*/, "", body); print body }'
}
resume() { # port, id: the status
  curl -s -o /dev/null -m 10 -w '%{http_code}' -X POST \
    "http://127.0.0.1:$1/elsa/api/workflow-instances/$2/resume" -H 'Content-Type: application/json' -d '{}' || true
}

# The regions have names of their own: nodes of both would else become one cluster, if both are alive.
start_node() { # name, number, database.url: the process is $!
  SKEIN_NODE_NAME=$1 SKEIN_DATABASE_URL=$3 SKEIN_DATABASE_USER=elsa SKEIN_DATABASE_PASSWORD=$password \
    SKEIN_CLUSTER_NAME=region-${1%-*} SKEIN_HTTP_HOST=127.0.0.1 SKEIN_HTTP_PORT=$((port + 2 + $2)) SKEIN_CLUSTER_HOST=127.0.0.1 \
    SKEIN_CLUSTER_PORT=$((port + 6 + $2)) SKEIN_CLUSTER_BUS_PORT=$((port + 10 + $2)) \
    SKEIN_CLUSTER_DISCOVERY=database SKEIN_DEFINITIONS_FROM_DIRECTORY="$work/definitions" \
    "$java_home/bin/java" $options -jar "$jar" node >>"$work/logs/$1" 2>&1 &
}
http_one_a=$((port + 2)) http_one_b=$((port + 3)) http_two_a=$((port + 4)) http_two_b=$((port + 5))

# Starts instances until no node answers, and resumes each third.
client() { # port, file
  n=0
  while id=$(start "$1" ApprovalWorkflow) && [ -n "$id" ]; do
    echo "$id" >>"$work/acknowledged/started-$2"
    n=$((n + 1))
    if [ $((n % 3)) = 0 ] && [ "$(resume "$1" "$id")" = 200 ]; then
      echo "$id" >>"$work/acknowledged/resumed-$2"
    fi
    sleep "$PAUSE"
  done
}

# --- region one

random() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }
password=$(random) replication=$(random)
(umask 077 && printf '127.0.0.1:%s:*:replicator:%s\n' "$port_one" "$replication" "$port_two" "$replication" >"$work/pg/passwords")
[ -z "$as_postgres" ] || chown "$owner" "$work/pg/passwords"
[ "$SYNC" = 1 ] && mode="synchronous" || mode="asynchronous"
echo "region-drill.sh: $mode replication, $("$bin/postgres" --version), in $work"

quietly pg "$bin/initdb" -D "$work/pg/one" -U "$owner" -E UTF8 --auth-local=trust --auth-host=scram-sha-256 --data-checksums
pg sh -c 'cat >>one/postgresql.conf' <<CONF
listen_addresses = '127.0.0.1'
port = $port_one
unix_socket_directories = '$work/pg'
password_encryption = 'scram-sha-256'
wal_level = replica
max_wal_senders = 5
max_replication_slots = 5
max_slot_wal_keep_size = 1GB
wal_keep_size = 128MB
shared_buffers = 32MB
cluster_name = region_one
CONF
pg sh -c 'echo "host replication replicator 127.0.0.1/32 scram-sha-256" >>one/pg_hba.conf'
quietly pg "$bin/pg_ctl" -D "$work/pg/one" -l "$work/pg/one.log" -w start
pg "$bin/psql" -XAtq -v ON_ERROR_STOP=1 -h "$work/pg" -p "$port_one" -U "$owner" -d postgres >/dev/null <<SQL
create role replicator login replication password '$replication';
create role elsa login password '$password';
create database elsa owner elsa;
select pg_create_physical_replication_slot('region_two', true);
SQL

quietly pg "$bin/pg_basebackup" -D "$work/pg/two" -R -X stream -c fast -S region_two \
  -d "host=127.0.0.1 port=$port_one user=replicator application_name=region_two"
pg sh -c "printf 'port = %s\ncluster_name = region_two\n' $port_two >>two/postgresql.conf"
quietly pg "$bin/pg_ctl" -D "$work/pg/two" -l "$work/pg/two.log" -w start
streams() { [ "$(sql "$port_one" "select state from pg_stat_replication where application_name = 'region_two'")" = streaming ]; }
check "the standby of region two follows" await 30 streams
if [ "$SYNC" = 1 ]; then
  sql "$port_one" "alter system set synchronous_standby_names = 'FIRST 1 (region_two)'"
  sql "$port_one" "select pg_reload_conf()" >/dev/null
  is_sync() { [ "$(sql "$port_one" "select sync_state from pg_stat_replication")" = sync ]; }
  check "commits wait for it" await 30 is_sync
fi

mkdir "$work/definitions"
cp conf/examples/approval.json conf/examples/timer-test.json "$work/definitions"
start_node one-a 0 "postgresql://127.0.0.1:$port_one/elsa"
nodes_one=$!
start_node one-b 1 "postgresql://127.0.0.1:$port_one/elsa"
nodes_one="$nodes_one $!"
check "two nodes of region one are ready" eval 'await_ready 240 $http_one_a ${nodes_one% *} && await_ready 120 $http_one_b ${nodes_one#* }'
check "and are one cluster" eval 'await 60 sees_two $http_one_a && await 10 sees_two $http_one_b'
[ "$failed" = 0 ] || { echo "region-drill.sh: FAILED before the loss" >&2; exit 1; }
id_before=$(database_id $http_one_a)

client $http_one_a a &
clients=$!
client $http_one_b b &
clients="$clients $!"
sleep "$SECONDS_BEFORE"

# Timers of five seconds, which the standby has before the connection stalls.
timers=""
for http in $http_one_a $http_one_b $http_one_a $http_one_b; do
  timers="$timers $(start $http TimerTest)"
done
position=$(sql "$port_one" "select pg_current_wal_lsn()")
has_timers() { [ "$(sql "$port_two" "select pg_last_wal_replay_lsn() >= '$position'")" = t ]; }
check "the standby has four timers that are not yet due" await 30 has_timers

# --- the loss

sender=$(sql "$port_one" "select pid from pg_stat_replication where application_name = 'region_two'")
[ "$STALL" = 0 ] || kill -STOP "$sender"
sleep "$STALL"
victims="$(processes_of one) $nodes_one"
kill -9 $victims 2>/dev/null || true # a connection may have ended by now
echo "      region one is lost: kill -9 of its nodes and of $(echo $victims | wc -w) processes in all"
for pid in $nodes_one $clients; do wait "$pid" 2>/dev/null || true; done
nodes_one="" clients=""
cat "$work"/acknowledged/started-* >"$work/started"
cat "$work"/acknowledged/resumed-* >"$work/resumed" 2>/dev/null || true
check "region two has a standby, and no primary" [ "$(sql "$port_two" "select pg_is_in_recovery()")" = t ]

# An operator decides. Until then due timers wait.
in_list() { for id in $1; do printf "'%s'," "$id"; done | sed 's/,$//'; }
all_due() {
  [ "$(sql "$port_two" "select count(*) from elsa.timers where workflow_instance_id in ($(in_list "$timers")) and due_at < clock_timestamp()")" = 4 ]
}
check "the four timers become due while no node fires them" await 30 all_due

# --- the fail-over

decided_at=$(now)
quietly pg "$bin/pg_ctl" -D "$work/pg/two" -w promote
check "the standby is promoted" [ "$(sql "$port_two" "select pg_is_in_recovery()")" = f ]
promoted_at=$(now)
# It has no standby to wait for. Were the setting in the copy, no start would be acknowledged.
sql "$port_two" "alter system set synchronous_standby_names = ''"
sql "$port_two" "select pg_reload_conf()" >/dev/null

# Both hosts, the one that is lost first.
both="postgresql://127.0.0.1:$port_one,127.0.0.1:$port_two/elsa?target_session_attrs=read-write"
start_node two-a 2 "$both"
nodes_two=$!
start_node two-b 3 "$both"
nodes_two="$nodes_two $!"
check "the first node of region two is ready" await_ready 240 $http_two_a ${nodes_two% *}
first_at=$(now)
check "and the second" await_ready 240 $http_two_b ${nodes_two#* }
ready_at=$(now)
check "they are one cluster of two" eval 'await 60 sees_two $http_two_a && await 10 sees_two $http_two_b'
id_after=$(database_id $http_two_a)
check "to nodes it is the same database ($id_before)" [ -n "$id_before" -a "$id_before" = "$id_after" ]
not_refused() { ! grep -Eq 'OTHER_DATABASE|database.otherServer|cluster.otherDatabase' "$work"/logs/two-*; }
check "no node refused it" not_refused
finds_primary() { grep 'database.primaryFound' "$work/logs/two-$1" | grep -q "127.0.0.1:$port_two"; }
check "of two hosts both nodes found the primary" eval 'finds_primary a && finds_primary b'

# --- what is there

values() { sed "s/.*/('&')/" "$1" | paste -sd, -; }
there() { [ -s "$1" ] || { echo 0; return; }; sql "$port_two" "select count(*) from (values $(values "$1")) as a (id) where $2"; }
started=$(wc -l <"$work/started") resumed=$(wc -l <"$work/resumed")
have=$(there "$work/started" "exists (select from elsa.workflow_instances i where i.id = a.id)")
have_resumed=$(there "$work/resumed" "exists (select from elsa.workflow_instances i where i.id = a.id and i.status = 'Completed')")
lost=$((started - have + resumed - have_resumed))
note "starts: $started acknowledged, $have there, $((started - have)) lost"
note "resumes: $resumed acknowledged, $have_resumed there, $((resumed - have_resumed)) lost"
check "there was something to lose" [ "$started" -gt 20 ]
[ "$SYNC" != 1 ] || check "nothing that was acknowledged is lost" [ "$lost" = 0 ]

# A whole instance has a row of the journal for each of its revisions, and waits by one bookmark or is over.
half="select count(*) from elsa.workflow_instances i
  left join lateral (select count(*) as rows, count(distinct revision) as revisions, max(revision) as newest
    from elsa.journal j where j.workflow_instance_id = i.id) j on true
  left join lateral (select count(*) as open from elsa.bookmarks b where b.workflow_instance_id = i.id) b on true
 where i.definition_id = 'ApprovalWorkflow'
   and (j.rows <> i.revision or j.revisions <> i.revision or j.newest <> i.revision
     or b.open <> case when i.finished_at is null then 1 else 0 end)"
orphans="select (select count(*) from elsa.journal j where not exists (select from elsa.workflow_instances i where i.id = j.workflow_instance_id))
  + (select count(*) from elsa.bookmarks b where not exists (select from elsa.workflow_instances i where i.id = b.workflow_instance_id))"
check "each instance is whole" [ "$(sql "$port_two" "$half")" = 0 ]
check "of those that are lost nothing is there" [ "$(sql "$port_two" "$orphans")" = 0 ]

fired() {
  [ "$(sql "$port_two" "select count(*) from elsa.workflow_instances where id in ($(in_list "$timers")) and status = 'Completed'")" = 4 ]
}
check "the timers that were due in the outage fire" await 120 fired
fired_at=$(now)
check "each exactly once" [ "$(sql "$port_two" "select count(*) || '/' || count(distinct workflow_instance_id) from elsa.journal_entries
  where workflow_instance_id in ($(in_list "$timers")) and activity_id = 'wait' and event = 'Completed'")" = 4/4 ]

waiting=$(sql "$port_two" "select id from elsa.workflow_instances where definition_id = 'ApprovalWorkflow' and finished_at is null order by created_at desc limit 10")
once=0
for id in $waiting; do
  [ "$(resume $http_two_a "$id")" = 200 ] && [ "$(resume $http_two_b "$id")" = 409 ] && once=$((once + 1))
done
check "ten that waited are resumed, each once" [ "$once" = 10 ]
check "what was published is started" [ -n "$(start $http_two_b ApprovalWorkflow)" ]
check "skein scan finds nothing" quietly "$java_home/bin/java" $options -jar "$jar" scan --url "http://127.0.0.1:$http_two_a"

# --- the old primary comes back, as a standby

sql "$port_two" "select pg_create_physical_replication_slot('region_one', true)" >/dev/null
sql "$port_two" "checkpoint"
pg sh -c 'cp one/postgresql.conf one.conf'
# It ends recovery of its own first, in single-user mode: no client connects during it.
quietly pg "$bin/pg_rewind" --target-pgdata="$work/pg/one" \
  --source-server="host=$work/pg port=$port_two user=$owner dbname=postgres"
pg sh -c "cp one.conf one/postgresql.conf && rm -f one/postgresql.auto.conf one/standby.signal && touch one/standby.signal &&
  cat >one/postgresql.auto.conf" <<CONF
primary_conninfo = 'host=127.0.0.1 port=$port_two user=replicator passfile=''$work/pg/passwords'' application_name=region_one'
primary_slot_name = 'region_one'
CONF
quietly pg "$bin/pg_ctl" -D "$work/pg/one" -l "$work/pg/one.log" -w start
follows() { [ "$(sql "$port_two" "select state from pg_stat_replication where application_name = 'region_one'")" = streaming ]; }
check "the old primary follows the new one" await 30 follows
check "it takes no writes" [ "$(sql "$port_one" "select pg_is_in_recovery()")" = t ]
new=$(start $http_two_a ApprovalWorkflow)
has_new() { [ "$(sql "$port_one" "select count(*) from elsa.workflow_instances where id = '$new'")" = 1 ]; }
check "it has what is started now" await 30 has_new

stopped=${nodes_two##* }
kill "$stopped"
wait "$stopped" 2>/dev/null || true
nodes_two=${nodes_two%% *}
: >"$work/logs/two-b"
start_node two-b 3 "$both"
nodes_two="$nodes_two $!"
check "a node that starts now is ready" await_ready 240 $http_two_b ${nodes_two#* }
check "and passes the old primary over, though it is named first" finds_primary b

note "from the decision to the promoted standby: $((promoted_at - decided_at)) ms"
note "from there to the first node ready: $((first_at - promoted_at)) ms, to the second: $((ready_at - promoted_at)) ms"
note "from the decision to the last timer fired: $((fired_at - decided_at)) ms at most"

[ "$failed" = 0 ] || { echo "region-drill.sh: FAILED" >&2; exit 1; }
echo "region-drill.sh: all is as it should be"
