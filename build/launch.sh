# Sourced by ./shardwright and ./shardctl (bash 3.2 or later): finds a JDK, builds what is stale, starts Java. The image
# and continuous integration take single functions of it.
# Everything it says goes to standard error, so that standard output belongs to the program.

MINIMUM_JAVA=21

say() { printf '%s: %s\n' "$NAME" "$*" >&2; }

fail() {
  say "$@"
  exit 2
}

# Sets JAVA_RELEASE (21.0.9, 25, ...) and JAVA_FEATURE (21, 25, ...) to those of the JDK in a directory; to nothing where
# there is none. Starts no process where the JDK has a release file, as all of today have.
read_java_version() {
  local line
  JAVA_RELEASE=''
  JAVA_FEATURE=''
  [ -x "$1/bin/java" ] || return 0
  if [ -r "$1/release" ]; then
    while IFS= read -r line; do
      case $line in
        JAVA_VERSION=*) JAVA_RELEASE=${line#JAVA_VERSION=} ;;
      esac
    done <"$1/release"
    JAVA_RELEASE=${JAVA_RELEASE//[!0-9.]/}
  fi
  if [ -z "$JAVA_RELEASE" ]; then
    JAVA_RELEASE=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9.]*\).*/\1/p' | head -n 1)
  fi
  JAVA_FEATURE=${JAVA_RELEASE%%.*}
}

is_usable() {
  read_java_version "$1"
  [ -n "$JAVA_FEATURE" ] && [ "$JAVA_FEATURE" -ge "$MINIMUM_JAVA" ]
}

# Prints the home of the JDK to use. What was asked for by name comes first, then the newest in a usual place.
find_java() {
  local candidate best='' best_version=0 on_path
  if [ -n "${SHARDWRIGHT_JAVA_HOME:-}" ]; then
    is_usable "$SHARDWRIGHT_JAVA_HOME" \
      || fail "SHARDWRIGHT_JAVA_HOME=$SHARDWRIGHT_JAVA_HOME is not a JDK of version $MINIMUM_JAVA or later." \
        "Set it to the directory that has bin/java of such a JDK, or unset it."
    printf '%s' "$SHARDWRIGHT_JAVA_HOME"
    return
  fi
  if [ -n "${JAVA_HOME:-}" ] && is_usable "$JAVA_HOME"; then
    printf '%s' "$JAVA_HOME"
    return
  fi
  on_path=$(command -v java || true)
  if [ -n "$on_path" ]; then
    candidate=$(resolve "$on_path")
    candidate=${candidate%/bin/java}
    if is_usable "$candidate"; then
      printf '%s' "$candidate"
      return
    fi
  fi
  for candidate in /usr/lib/jvm/* /usr/java/* /opt/* "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/homebrew/opt/openjdk*; do
    if is_usable "$candidate"; then
      if [ "$JAVA_FEATURE" -gt "$best_version" ]; then
        best=$candidate
        best_version=$JAVA_FEATURE
      fi
    fi
  done
  [ -n "$best" ] || fail "needs a JDK of version $MINIMUM_JAVA or later and found none in SHARDWRIGHT_JAVA_HOME," \
    "JAVA_HOME, PATH, /usr/lib/jvm, /opt, ~/.sdkman or ~/.jdks. Install one (for example from https://adoptium.net)" \
    "or set SHARDWRIGHT_JAVA_HOME to its directory."
  printf '%s' "$best"
}

# What a chain of symbolic links ends at.
resolve() {
  local path=$1 link
  while [ -L "$path" ]; do
    link=$(readlink "$path")
    case $link in
      /*) path=$link ;;
      *) path=$(dirname "$path")/$link ;;
    esac
  done
  printf '%s/%s' "$(cd -P "$(dirname "$path")" && pwd)" "$(basename "$path")"
}

# Whether a source that goes into the program is newer than its last build.
is_stale() {
  local newest='' built
  for built in "$MODULE"/target/launcher-built "$MODULE"/target/shardwright-*.jar "$MODULE"/target/lib/shardwright-*.jar; do
    if [ -e "$built" ] && { [ -z "$newest" ] || [ "$built" -nt "$newest" ]; }; then
      newest=$built
    fi
  done
  [ -d "$MODULE/target/lib" ] && [ -n "$newest" ] || return 0
  # Directories count too: theirs is the only time that changes when a file is deleted.
  [ -n "$(find pom.xml "${SOURCES[@]}" \( -name pom.xml -o -path '*/src/main*' \) -newer "$newest" -print | head -n 1)" ]
}

build_if_stale() {
  local log=$MODULE/target/launcher-build.log begun line
  is_stale || return 0
  mkdir -p "$MODULE/target" \
    || fail "has to be built and cannot write to $PWD/$MODULE: build it as a user who can, or clone to a directory of your own."
  # Processes that start together build once.
  if command -v flock >/dev/null; then
    exec 9>"$MODULE/target/launcher-lock"
    flock 9
    if ! is_stale; then
      exec 9>&-
      return 0
    fi
  fi
  say "building (the first time takes a few minutes, most of it downloads); log: $PWD/$log"
  begun=$MODULE/target/launcher-begun
  touch "$begun"
  # The last good build must not look newer than sources that failed to build.
  if ! JAVA_HOME=$JDK ./mvnw -B -Dmaven.test.skip=true -pl "$MODULE" -am package 2>&1 9>&- | tee "$log" | show_progress; then
    grep -E '^\[ERROR\]' "$log" | head -n 30 >&2 || true
    fail "the build failed; the whole log is $PWD/$log"
  fi
  mv "$begun" "$MODULE/target/launcher-built"
  exec 9>&- || true
}

# On a terminal, keeps one line that says which module is being built. Reads all of its input in any case.
show_progress() {
  local line
  while IFS= read -r line; do
    case $line in
      *'Building '*' ['*/*']')
        if [ -t 2 ]; then
          printf '\r\033[K%s: %s' "$NAME" "${line#*Building }" >&2
        fi
        ;;
    esac
  done
  if [ -t 2 ]; then
    printf '\r\033[K' >&2
  fi
}

# Adds to `flags` what the Java of JAVA_FEATURE needs not to warn: SQLite and netty load native code; protobuf and guava
# still use sun.misc.Unsafe. Both are known, neither is news.
allow_known() {
  flags+=(--enable-native-access=ALL-UNNAMED)
  if [ "$JAVA_FEATURE" -ge 23 ]; then
    flags+=(--sun-misc-unsafe-memory-access=allow)
  fi
}

# launch <main class> <jvm flags...> -- <arguments...>; replaces this process.
launch() {
  local main=$1 flags=() classpath='' jar
  shift
  while [ "$1" != -- ]; do
    flags+=("$1")
    shift
  done
  shift
  read_java_version "$JDK"
  allow_known
  # Jars in a fixed order: a shared archive is good only for the very classpath it was made with.
  for jar in "$ROOT/$MODULE"/target/shardwright-*.jar "$ROOT/$MODULE"/target/lib/*.jar; do
    classpath=$classpath${classpath:+:}$jar
  done
  if [ -n "${TRAINING+set}" ]; then
    use_archive "$main" "$classpath" "${1:-}"
  fi
  cd "$CALLER_DIRECTORY" || fail "cannot go back to $CALLER_DIRECTORY"
  # Unquoted on purpose: SHARDWRIGHT_JAVA_OPTS is a list of words.
  # shellcheck disable=SC2086
  exec "$JDK/bin/java" "${flags[@]}" ${SHARDWRIGHT_JAVA_OPTS:-} -cp "$classpath" "$main" "$@"
}

# Adds the flags for the archive of loaded classes, which cuts a start by a third; makes it where it is missing or older
# than a jar. Java itself checks that the archive fits its own build and the classpath, and does without it if not: so
# an archive may be missing, broken or somebody else's, and a start only takes longer. Who asks for help does not wait for it.
use_archive() {
  local main=$1 classpath=$2 wanted=$3 archive=$ROOT/$MODULE/target/startup-$JAVA_RELEASE.jsa
  case ${SHARDWRIGHT_JAVA_OPTS:-} in
    *AOT* | *Archive* | *Xshare*) return 0 ;; # whoever says how classes are shared means it
  esac
  flags+=(-Xshare:auto '-Xlog:cds*=off')
  if [ "$JAVA_FEATURE" -ge 24 ]; then
    flags+=('-Xlog:aot*=off')
  fi
  case $wanted in
    '' | -h | --help | -V | --version | help) ;;
    *) if ! is_trained "$archive" && [ -w "$ROOT/$MODULE/target" ]; then
      train "$main" "$classpath" "$archive"
    fi ;;
  esac
  if [ -s "$archive" ]; then
    # The property lets the processes that this one starts use it too.
    flags+=("-XX:SharedArchiveFile=$archive" "-Dshardwright.archive=$archive")
  fi
}

is_trained() {
  local jar
  [ -e "$1" ] || return 1
  for jar in "$ROOT/$MODULE"/target/shardwright-*.jar "$ROOT/$MODULE"/target/lib/*.jar; do
    if [ "$jar" -nt "$1" ]; then
      return 1
    fi
  done
}

# Runs the program once as TRAINING says, in an empty directory, until it prints "ready", and keeps the classes it loaded.
# Where that fails it leaves an empty archive, so that it is not tried again before the next build.
train() {
  local main=$1 classpath=$2 archive=$3 directory pid guard
  directory=$(mktemp -d) || return 0
  # Processes that start together train once.
  if command -v flock >/dev/null && { exec 9>>"$ROOT/$MODULE/target/launcher-lock"; } 2>/dev/null; then
    flock 9
    if is_trained "$archive"; then
      rmdir "$directory"
      exec 9>&-
      return 0
    fi
  fi
  say "preparing faster starts (once, a few seconds)"
  rm -f "$archive".[0-9]* # of trainings that were killed
  pid=''
  : >"$directory/out"
  # Whoever stops the launcher stops this too, and finds nothing of it afterwards.
  trap 'stop_training "$pid" "$directory" "$archive.$$"; exit 130' INT
  trap 'stop_training "$pid" "$directory" "$archive.$$"; exit 143' TERM
  trap 'stop_training "$pid" "$directory" "$archive.$$"; exit 129' HUP
  (
    cd "$directory" || exit 1
    exec env -i PATH="$PATH" HOME="${HOME:-/}" "$JDK/bin/java" "${flags[@]}" "-XX:ArchiveClassesAtExit=$archive.$$" \
      -cp "$classpath" "$main" "${TRAINING[@]}"
  ) >"$directory/out" 2>"$directory/err" </dev/null 9>&- &
  pid=$!
  # A launcher that is killed at once cannot stop it any more.
  (
    while kill -0 "$$" 2>/dev/null && kill -0 "$pid" 2>/dev/null; do sleep 0.5; done
    kill -KILL "$pid" 2>/dev/null || true
    kill -0 "$$" 2>/dev/null || rm -rf "$directory"
  ) >/dev/null 2>&1 9>&- &
  guard=$!
  await_ready "$pid" "$directory/out"
  kill "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  kill "$guard" 2>/dev/null || true
  wait "$guard" 2>/dev/null || true
  trap - INT TERM HUP
  if [ -s "$archive.$$" ]; then
    mv -f "$archive.$$" "$archive" || true
  else
    : >"$archive" || true
  fi
  rm -rf "$directory"
  exec 9>&- || true
}

# await_ready <pid> <file that it prints to>; until it prints "ready" or ends, and a minute at most.
await_ready() {
  local i
  for ((i = 0; i < 600; i++)); do
    if grep -q '^ready ' "$2" || ! kill -0 "$1" 2>/dev/null; then
      break
    fi
    sleep 0.1
  done
}

# stop_training <pid or nothing> <directory> <unfinished archive>
stop_training() {
  if [ -n "$1" ]; then
    kill -KILL "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
  fi
  rm -rf "$2" "$3"
}
