#!/bin/sh
# Makes the cache of a node: starts one as the image does, on a database that is thrown away, puts it
# under load and stops it. Runs in the build of the image, as an ordinary user: PostgreSQL refuses root.
#   train-cache.sh FILE
set -eu

file=$1
work=$(mktemp -d)
java=/opt/java/bin/java

# The database of skein dev, and a node of its own beside it, without clients.
HOME=$work "$java" -jar /opt/dev/skein.jar dev --data "$work/data" --port 15001 >"$work/dev.log" 2>&1 &
dev=$!
node=
finish() {
  [ -z "$node" ] || kill "$node" 2>/dev/null || true
  kill "$dev" 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap finish EXIT

# Up to ten minutes: a builder may be busy.
await_ready() { # process, log
  tries=0
  until grep -qs ' node.started ' "$2"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 600 ] || ! kill -0 "$1" 2>/dev/null; then
      cat "$2" >&2
      echo "train-cache: a node did not start" >&2
      exit 1
    fi
    sleep 1
  done
}

await_ready "$dev" "$work/dev.log"
SKEIN_DATABASE_PASSWORD=$(cat "$work/data/password")
export SKEIN_DATABASE_PASSWORD
url=postgresql://elsa@127.0.0.1:$(cat "$work/data/port")/elsa
"$java" -XX:AOTCacheOutput="$file" -jar /opt/skein/skein.jar node \
  --set "database.url=$url" --set database.schema=training \
  --set cluster.name=training --set cluster.host=127.0.0.1 --set cluster.discovery=database \
  --set http.host=127.0.0.1 --set http.port=15002 --set node.drain-delay=0s >"$work/node.log" 2>&1 &
node=$!
await_ready "$node" "$work/node.log"
"$java" -jar /opt/dev/skein.jar warm-up --node http://127.0.0.1:15002 --db "$url"
kill -TERM "$node"
wait "$node" || true
node=
[ -s "$file" ] || { cat "$work/node.log" >&2; echo "train-cache: no cache was written" >&2; exit 1; }
chmod 644 "$file"
touch --date 2026-01-01T00:00:00Z "$file"
ls -l "$file"
