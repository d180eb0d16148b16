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
