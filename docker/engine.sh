# Read by test.sh and rolling-update.sh, not run: sets engine (docker or podman; ENGINE says which),
# compose_program, and compose, the command for docker/compose.yaml as the project that project names.
# Ends with 3 where there are none.
# shellcheck shell=sh disable=SC2034,SC2154
engine=${ENGINE:-}
if [ -z "$engine" ]; then
  for engine in docker podman none; do
    command -v "$engine" >/dev/null 2>&1 && break
  done
fi
if [ "$engine" = docker ] && docker compose version >/dev/null 2>&1; then
  compose_program="docker compose"
elif command -v "$engine-compose" >/dev/null 2>&1; then
  compose_program=$engine-compose
else
  echo "$(basename "$0"): SKIPPED: there is no Docker or Podman with Compose" >&2
  exit 3
fi
compose="$compose_program -f docker/compose.yaml -p $project"

# The running container of a service.
container() { $engine ps --filter "name=$project" --format '{{.Names}}' | grep -E "[-_]$1[-_]"; }
