/** Batches a second at a limited rate: fewer would be bursts. */
const BATCHES_A_SECOND = 10;

/** The rows of one batch at a rate: a tenth of a second's, and one at least. */
export function rowsAtOnce(rowsPerSecond: number): number {
  return Math.ceil(rowsPerSecond / BATCHES_A_SECOND);
}

/**
 * Limits a stream of rows to a rate. The returned function takes the number of rows to be written and the time, in
 * milliseconds of any clock, and returns how long they must wait.
 */
export function createPace(rowsPerSecond: number): (rows: number, nowMs: number) => number {
  let freeMs = Number.NEGATIVE_INFINITY;
  return (rows, nowMs) => {
    const startMs = Math.max(nowMs, freeMs);
    // Lost time is not caught up, because that would make the burst which the rate prevents.
    freeMs = startMs + (rows / rowsPerSecond) * 1000;
    return startMs - nowMs;
  };
}
