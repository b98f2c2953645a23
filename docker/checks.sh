# Read by scripts that test, not run: failed is 1 once a check was not as it should be.
# shellcheck shell=sh disable=SC2034
failed=0

check() { # what, command…
  what=$1
  shift
  if "$@"; then echo "ok    $what"; else echo "FAIL  $what"; failed=1; fi
}

await() { # seconds, command…
  end=$(($(date +%s) + $1))
  shift
  until "$@"; do
    [ "$(date +%s)" -lt "$end" ] || return 1
    sleep 1
  done
}
