#!/usr/bin/env bash
# Sells 50 units to 200 buyers who all come at once: first without the lock, then with it.
# Usage: ./flash-sale.sh [base URL]
set -euo pipefail

base=${1:-http://localhost:8080}
buyers=200
units=50
sku=sneaker

count() { grep -c "^$1" <<<"$codes" || true; }

number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" <<<"$stock"; }

sale() {
  curl -fsS -o /dev/null -X POST "$base/stock/$sku?units=$units"
  local start=$SECONDS
  # Each failure shows as a code of its own; curl's progress meter would drown the table.
  codes=$(curl -s -o /dev/null -w '%{http_code}\n' -X POST --max-time 60 \
    --parallel --parallel-immediate --parallel-max "$buyers" "$base/$1/$sku?buyer=[1-$buyers]" 2>/dev/null) || true
  local took=$((SECONDS - start))
  stock=$(curl -fsS "$base/stock/$sku")
  sold=$(number sold)
  oversold=$(number oversold)
  local ok=$(count 200) gone=$(count 409)
  printf '%-14s %6d %6d %9d %9d %7d %6ss\n' "$1" "$units" "$sold" "$oversold" "$gone" $((buyers - ok - gone)) "$took"
}

if ! curl -fsS -o /dev/null -X POST "$base/stock/$sku?units=$units"; then
  echo "No shop answers at $base. Start it: ./mvnw -q -pl redlock-sample-app -am spring-boot:run" >&2
  exit 2
fi

echo "$buyers buyers at once"
printf '%-14s %6s %6s %9s %9s %7s %7s\n' endpoint units sold oversold sold-out failed took
sale buy-unlocked
unlocked_oversold=$oversold
sale buy

if [ "$unlocked_oversold" -eq 0 ]; then
  echo "The sale without the lock did not oversell: the machine was too slow to let the buyers meet." >&2
  exit 1
fi
if [ "$oversold" -ne 0 ] || [ "$sold" -ne "$units" ]; then
  echo "The sale with the lock sold $sold of $units units." >&2
  exit 1
fi
