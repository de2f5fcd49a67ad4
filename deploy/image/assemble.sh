#!/usr/bin/env bash
# assemble.sh <directory>: lays out what the container image holds: a Java runtime of its own, the jars, the two commands,
# and a cache of loaded classes that makes starts faster. Needs a build of this checkout and a JDK in JAVA_HOME.
#
# The cache is good only for this very runtime and for these jars at this very path, so the image has to keep the path.
set -euo pipefail

# Found by jdeps, and by starting everything; jdk.jcmd and jdk.jfr are for whoever has to look into a running server.
MODULES=java.base,java.compiler,java.desktop,java.logging,java.management,java.naming,java.net.http,java.security.jgss
MODULES+=,java.security.sasl,java.sql,java.xml,jdk.crypto.ec,jdk.jcmd,jdk.jfr,jdk.management,jdk.naming.dns,jdk.net
MODULES+=,jdk.unsupported,jdk.zipfs

NAME=assemble.sh
ROOT=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../build/launch.sh
. "$ROOT/build/launch.sh"

[ $# -eq 1 ] || fail "give the directory to lay out, and nothing else"
[ ! -e "$1" ] || [ -z "$(ls -A "$1")" ] || fail "$1 is not empty"
[ -x "${JAVA_HOME:-}/bin/jlink" ] || fail "JAVA_HOME=${JAVA_HOME:-} is no JDK: it has no bin/jlink"
for module in modules/server cli; do
  [ -d "$ROOT/$module/target/lib" ] || fail "$module was not built: ./mvnw -B -Dmaven.test.skip=true package"
done
mkdir -p "$1"
OUT=$(cd -P "$1" && pwd)

"$JAVA_HOME/bin/jlink" --add-modules "$MODULES" --strip-debug --no-header-files --no-man-pages --compress zip-6 \
  --generate-cds-archive --output "$OUT/java"

mkdir "$OUT/lib" "$OUT/bin"
for module in cli modules/server; do # of what both have, one is as good as the other: versions are pinned once
  cp -p "$ROOT/$module"/target/lib/*.jar "$ROOT/$module"/target/shardwright-*.jar "$OUT/lib"
done
cp "$ROOT/deploy/image/bin/"* "$OUT/bin"
chmod 755 "$OUT/bin/"*
cp "$ROOT/LICENSE" "$OUT"

read_java_version "$JAVA_HOME"
flags=()
allow_known
# Jars in a fixed order: the cache is good only for the very class path it was made with.
{
  printf '%s\n' "${flags[@]}" -cp
  printf '%s' "$(printf ':%s' "$OUT"/lib/*.jar | cut -c 2-)"
  printf '\n'
} >"$OUT/java.args"

# One run, until it answers, is what a start loads.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/out"
(
  cd "$work"
  exec "$OUT/java/bin/java" @"$OUT/java.args" "-XX:AOTCacheOutput=$OUT/starts.aot" '-Xlog:aot*=error' \
    io.shardwright.server.Main server --store memory --grpc-port 0 --http-port 0 --namespace training:fixed:4
) >"$work/out" 2>"$work/err" </dev/null &
pid=$!
await_ready "$pid" "$work/out"
kill "$pid" 2>/dev/null || true
wait "$pid" || true
[ -s "$OUT/starts.aot" ] || {
  cat "$work/out" "$work/err" >&2
  fail "the server did not start, or left no $OUT/starts.aot"
}
