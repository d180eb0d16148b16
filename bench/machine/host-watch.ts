import { readFileSync } from 'node:fs';

/** The time the host took from this machine while something was measured. */
export interface HostNoise {
  /** Share of the cores' time that the host gave to other machines (`steal` of /proc/stat), 0 to 1. */
  readonly stolenShare: number;
  /** The longest time in which a timer of the idle harness did not run, milliseconds. */
  readonly longestGapMs: number;
}

const TICK_MS = 10;
const STOLEN_LIMIT = 0.05;
const GAP_LIMIT_MS = 150;

/** Place of `steal` among the numbers of the first line of /proc/stat. */
const STEAL = 7;

/** Watches the host from now until `end`. */
export function watchHost(): { readonly end: () => HostNoise } {
  const before = readTimes();
  let lastMs = performance.now();
  let longestGapMs = 0;
  const look = (): void => {
    const nowMs = performance.now();
    longestGapMs = Math.max(longestGapMs, nowMs - lastMs - TICK_MS);
    lastMs = nowMs;
  };
  const timer = setInterval(look, TICK_MS);
  return {
    end: () => {
      clearInterval(timer);
      look();
      const after = readTimes();
      return { stolenShare: (after.stolen - before.stolen) / Math.max(1, after.all - before.all), longestGapMs };
    },
  };
}

/** True when the machine stood still for so long that the figures of this time say more about the host. */
export function isDisturbed({ stolenShare, longestGapMs }: HostNoise): boolean {
  return stolenShare > STOLEN_LIMIT || longestGapMs > GAP_LIMIT_MS;
}

/** The noise of several times together. */
export function mergeNoise(all: readonly HostNoise[]): HostNoise {
  return {
    stolenShare: all.reduce((sum, { stolenShare }) => sum + stolenShare, 0) / Math.max(1, all.length),
    longestGapMs: Math.max(0, ...all.map(({ longestGapMs }) => longestGapMs)),
  };
}

function readTimes(): { stolen: number; all: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const ticks = line.trim().split(/\s+/).slice(1).map(Number);
  // User time contains that of guests, which stands at the end once more.
  return { stolen: ticks[STEAL] ?? 0, all: ticks.slice(0, STEAL + 1).reduce((sum, part) => sum + part, 0) };
}
