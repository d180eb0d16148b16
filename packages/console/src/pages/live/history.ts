import type { LiveFigures } from '../../live/figures.ts';

/** The readings of the last five minutes, in the service and in the page; more is kept by monitoring. */

/** Five minutes, one reading a second. */
export const HISTORY_SECONDS = 300;
const MINUTE_MS = 60_000;

/** Per second. */
type Rates = { calls: number; shed: number };

export class History {
  /** oldest first */
  readings: LiveFigures[] = [];

  add(figures: LiveFigures) {
    // The last reading may come a second time, and a clock that was set back leaves readings that are no longer of the past.
    while ((this.readings.at(-1)?.atMs ?? 0) >= figures.atMs) this.readings.pop();
    this.readings.push(figures);
    const oldestMs = figures.atMs - HISTORY_SECONDS * 1000;
    while (this.readings.length > 1 && (this.readings[0]?.atMs ?? 0) < oldestMs) this.readings.shift();
  }

  /** Takes over what the service remembers, oldest first. Earlier readings of our own stay: a restarted service remembers less. */
  take(readings: readonly LiveFigures[]) {
    const oldestMs = readings[0]?.atMs ?? Number.POSITIVE_INFINITY;
    const own = this.readings;
    this.readings = [];
    for (const figures of [...own.filter(({ atMs }) => atMs < oldestMs), ...readings]) this.add(figures);
  }

  /** Calls and shed calls per second between a reading and the one before it; undefined for the first one. */
  ratesAt(index: number): Rates | undefined {
    const [before, reading] = [this.readings[index - 1], this.readings[index]];
    if (!before || !reading) return undefined;
    const seconds = Math.max(0.001, (reading.atMs - before.atMs) / 1000);
    // A restarted process counts from 0; the rate then is 0 and not negative.
    const rate = (now: number, then: number) => Math.max(0, now - then) / seconds;
    return {
      calls: rate(sumOfCalls(reading), sumOfCalls(before)),
      shed: rate(reading.shed, before.shed),
    };
  }

  /** The reading of one minute ago, or the oldest one; counts since then are those of the last minute. */
  get aMinuteAgo() {
    const newest = this.readings.at(-1);
    return this.readings.find(({ atMs }) => atMs >= (newest?.atMs ?? 0) - MINUTE_MS);
  }
}

function sumOfCalls({ calls }: LiveFigures) {
  return calls.reduce((sum, { count }) => sum + count, 0);
}
