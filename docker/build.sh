#!/bin/sh
# Builds the image of this checkout, with Docker or else Podman, and says its size and digest.
#   docker/build.sh [NAME]          default: skein
#   ENGINE=podman                   which of the two, when both are there
#   BASE_IMAGE=… JDK_IMAGE=…        the images it is made from, as in docker/Dockerfile
#   AOT_CACHE=false                 without the cache: the same commit then gives the same image
#   BUILD_OPTIONS=…                 more for the engine, such as --isolation=chroot or --network=host
set -eu

name=${1:-skein}
cd "$(dirname "$0")/.."
engine=${ENGINE:-}
if [ -z "$engine" ]; then
  for engine in docker podman none; do
    command -v "$engine" >/dev/null 2>&1 && break
  done
fi
[ "$engine" != none ] || { echo "build.sh: there is neither docker nor podman" >&2; exit 3; }

# As old as the commit: an image of the same commit is the same image.
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1767225600)}
[ -z "$(git status --porcelain 2>/dev/null)" ] || revision=$revision-changed
created=$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -r "$epoch" +%Y-%m-%dT%H:%M:%SZ)
version=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml | head -n 1)

set -- -f docker/Dockerfile -t "$name" \
  --build-arg "VERSION=$version" --build-arg "REVISION=$revision" --build-arg "CREATED=$created" \
  --build-arg "AOT_CACHE=${AOT_CACHE:-true}"
[ -z "${BASE_IMAGE:-}" ] || set -- "$@" --build-arg "BASE_IMAGE=$BASE_IMAGE"
[ -z "${JDK_IMAGE:-}" ] || set -- "$@" --build-arg "JDK_IMAGE=$JDK_IMAGE"
case $engine in
  *podman) set -- "$@" --timestamp "$epoch" ;;
  *)
    SOURCE_DATE_EPOCH=$epoch
    export SOURCE_DATE_EPOCH
    set -- "$@" --provenance=false
    ;;
esac
# word splitting of the options is wanted: they are several
# shellcheck disable=SC2086
"$engine" build ${BUILD_OPTIONS:-} "$@" .
"$engine" image inspect --format "$name {{.Id}}, {{.Size}} bytes" "$name"
