#!/bin/sh
# Sets up what the machine lacks, and then runs a program in the project's Node: `sh scripts/run.sh src/main.ts`. The
# program takes the place of this shell, so that a signal reaches it.
set -e
cd "$(dirname "$0")/.."
node scripts/setup.mjs
exec .toolchain/bin/node "$@"
