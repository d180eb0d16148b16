import type { LiveFigures } from './figures.ts';

const SECONDS = 300;
/** Readings of the last minute keep their counts by code and event, for the page's column "last minute". */
const WHOLE_MS = 65_000;

/** The readings of the last five minutes, oldest first, for pages that are opened later. */
export class LiveHistory {
  readonly #readings: LiveFigures[] = [];

  get readings(): readonly LiveFigures[] {
    const wholeFromMs = (this.#readings.at(-1)?.atMs ?? 0) - WHOLE_MS;
    return this.#readings.map((figures) => (figures.atMs < wholeFromMs ? thin(figures) : figures));
  }

  add(figures: LiveFigures): void {
    // A clock that was set back leaves readings that are no longer of the past.
    while ((this.#readings.at(-1)?.atMs ?? 0) >= figures.atMs) this.#readings.pop();
    this.#readings.push(figures);
    while (this.#readings[0]!.atMs < figures.atMs - SECONDS * 1000) this.#readings.shift();
  }
}

/** Keeps the lines of the charts: the calls as one sum, and no events. */
function thin(figures: LiveFigures): LiveFigures {
  const count = figures.calls.reduce((sum, call) => sum + call.count, 0);
  return { ...figures, calls: [{ route: 'all', status: 0, code: 'all', count }], events: {} };
}
