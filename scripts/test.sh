#!/bin/sh
# Both steps get the arguments, because `npm test -- path` sets up only the needs of that path's tests.
set -e
case "$1" in
  --code | --unit) node scripts/setup.mjs --code ;;
  --long) node scripts/setup.mjs --tests ;;
  *) node scripts/setup.mjs --tests "$@" ;;
esac
exec .toolchain/bin/node scripts/test.ts "$@"
