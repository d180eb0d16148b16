import type { LiveFigures } from './figures.ts';

const SECONDS = 300;
/** Readings of the last minute keep their counts by code and event, for the page's column "last minute". */
const WHOLE_MS = 65_000;

/** The readings of the last five minutes, oldest first, for pages that are opened later. */
export class LiveHistory {
  #readings: LiveFigures[] = [];
  /** The number of readings in front that are thinned already. */
  #thinned = 0;

  get readings(): readonly LiveFigures[] {
    return this.#readings;
  }

  add(figures: LiveFigures): void {
    this.#readings.push(figures);
    const { atMs } = figures;
    while (this.#readings[0] && this.#readings[0].atMs < atMs - SECONDS * 1000) {
      this.#readings.shift();
      this.#thinned = Math.max(0, this.#thinned - 1);
    }
    for (; this.#readings[this.#thinned]!.atMs < atMs - WHOLE_MS; this.#thinned += 1) {
      this.#readings[this.#thinned] = thin(this.#readings[this.#thinned]!);
    }
  }
}

/** Keeps the lines of the charts: the calls as one sum, and no events. */
function thin(figures: LiveFigures): LiveFigures {
  const count = figures.calls.reduce((sum, call) => sum + call.count, 0);
  return { ...figures, calls: [{ route: 'all', status: 0, code: 'all', count }], events: {} };
}
