#!/usr/bin/env bash
# Judges histories by Knossos, the checker of Jepsen: docs/project/evidence/knossos.sh [directory]
# KNOSSOS is the class path of Knossos with its dependencies, as `lein classpath` prints it
# in a clone of https://github.com/jepsen-io/knossos. Ends with 0 if each lock and each
# fenced number is linearizable, with 1 if one is not, and with 2 where Knossos is missing.
set -euo pipefail
shopt -s nullglob
directory=${1:-$(dirname "$0")/hour}

if [ -z "${KNOSSOS:-}" ]; then
	echo "Knossos is missing: clone https://github.com/jepsen-io/knossos, run 'lein classpath' there, and set KNOSSOS to what it prints." >&2
	exit 2
fi
if ! java -cp "$KNOSSOS" clojure.main -e '(assert (clojure.java.io/resource "knossos/cli.clj"))' >/dev/null 2>&1; then
	echo "KNOSSOS is set, but java finds no Knossos on that class path." >&2
	exit 2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0

# judge <model> <files>: prints a verdict for each file
judge() {
	local model=$1 file name verdict names=() paths=()
	shift
	for file in "$@"; do
		name=$(basename "$file" .edn.gz)
		names+=("$name")
		paths+=("$work/$name.edn")
		gunzip -c "$file" >"$work/$name.edn"
	done
	java -Xmx"${HEAP:-4g}" -cp "$KNOSSOS" clojure.main -m knossos.cli -m "$model" \
		"${paths[@]}" 2>"$work/log" | grep -E '^(true|false|:unknown)$' >"$work/verdicts" || true
	for name in "${names[@]}"; do
		read -r verdict || verdict="no verdict: $(tail -n 1 "$work/log")"
		printf '%-16s %-13s %s\n' "$name" "$model" "$verdict"
		case $name in unfenced-*) ;; *) [ "$verdict" = true ] || wrong=1 ;; esac
	done <"$work/verdicts"
}

judge mutex "$directory"/lock-*.edn.gz
judge cas-register "$directory"/fenced-*.edn.gz "$directory"/unfenced-*.edn.gz
exit $wrong
