/**
 * Holds a stream of work to a rate. The returned function is told how many rows are about to be written and the time, in
 * milliseconds of any clock, and answers how long they have to wait: until the rows before them have had their time.
 */
export function createPace(rowsPerSecond: number): (rows: number, nowMs: number) => number {
  let freeMs = Number.NEGATIVE_INFINITY;
  return (rows, nowMs) => {
    const startMs = Math.max(nowMs, freeMs);
    // Time that was lost is not made up for: a burst is what the rate is there to keep away.
    freeMs = startMs + (rows / rowsPerSecond) * 1000;
    return startMs - nowMs;
  };
}
