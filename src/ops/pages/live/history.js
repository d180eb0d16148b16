/** The readings of the last five minutes; more is kept by monitoring. */

/** @typedef {import('../../live/figures.ts').LiveFigures} LiveFigures */

/** Five minutes, one reading a second. */
export const HISTORY_SECONDS = 300;
const MINUTE_MS = 60_000;

/** @typedef {{ calls: number, shed: number }} Rates per second */

export class History {
  /** @type {LiveFigures[]} oldest first */
  readings = [];

  /** @param {LiveFigures} figures */
  add(figures) {
    // The last reading of a history may come a second time.
    if (figures.atMs <= (this.readings.at(-1)?.atMs ?? 0)) return;
    this.readings.push(figures);
    const oldestMs = figures.atMs - HISTORY_SECONDS * 1000;
    while (this.readings.length > 1 && (this.readings[0]?.atMs ?? 0) < oldestMs) this.readings.shift();
  }

  /**
   * Takes over what the service remembers. Earlier readings of our own stay: a service that was restarted remembers less.
   * @param {readonly LiveFigures[]} readings oldest first
   */
  take(readings) {
    const oldestMs = readings[0]?.atMs ?? Number.POSITIVE_INFINITY;
    const own = this.readings;
    this.readings = [];
    for (const figures of [...own.filter(({ atMs }) => atMs < oldestMs), ...readings]) this.add(figures);
  }

  /**
   * Calls and shed calls per second between a reading and the one before it; undefined for the first one.
   * @param {number} index
   * @returns {Rates | undefined}
   */
  ratesAt(index) {
    const [before, reading] = [this.readings[index - 1], this.readings[index]];
    if (!before || !reading) return undefined;
    const seconds = Math.max(0.001, (reading.atMs - before.atMs) / 1000);
    // A restarted process counts from 0; the rate then is 0 and not negative.
    const rate = (/** @type {number} */ now, /** @type {number} */ then) => Math.max(0, now - then) / seconds;
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

/** @param {LiveFigures} figures */
function sumOfCalls({ calls }) {
  return calls.reduce((sum, { count }) => sum + count, 0);
}
