#!/bin/sh
# `npm test -- path` sets up only what the tests of that path need, so both steps are given the arguments.
set -e
case "$1" in
  --code | --unit) node scripts/setup.mjs --code ;;
  *) node scripts/setup.mjs --tests "$@" ;;
esac
exec .toolchain/bin/node scripts/test.ts "$@"
