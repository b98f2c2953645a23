#!/bin/sh
# Makes quickjs.wasm of version 0.16.2 of https://github.com/quickjs-ng/quickjs (its amalgamated
# sources or a checkout), quickjs.patch, split.py and shim.c.
# Needs python3, and clang 14 or newer with a WASI sysroot (Debian: clang lld wasi-libc
# libclang-rt-14-dev-wasm32).
#   build.sh QUICKJS_DIRECTORY
# -Oz because the JVM compiles only small functions: -O2 is four times slower here.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
cd "$1"
patch -p1 <"$here/quickjs.patch"
python3 "$here/split.py" quickjs.c
clang --target=wasm32-wasi -Oz -flto -DNDEBUG -D_GNU_SOURCE -D_WASI_EMULATED_SIGNAL \
  -D_WASI_EMULATED_PROCESS_CLOCKS -mexec-model=reactor -Wno-everything -I. \
  "$here/shim.c" quickjs.c dtoa.c libregexp.c libunicode.c -o "$here/quickjs.wasm" \
  -lwasi-emulated-signal -lwasi-emulated-process-clocks -Wl,-z,stack-size=262144 \
  -Wl,--initial-memory=1310720 -Wl,--max-memory=1073741824 -Wl,--strip-debug
sha256sum "$here/quickjs.wasm"
