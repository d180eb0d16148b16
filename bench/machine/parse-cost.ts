import { createBaskets } from '../load/baskets.ts';
import { median } from '../report/spread.ts';

/**
 * The unit of every CPU figure: what `JSON.parse` of the call's own body costs in this Node, on this machine, in these
 * seconds. A neighbour that slows a contestant slows the unit as well.
 */

const VARIETIES = 32;
const SEED = 20_261_120;
const BATCH_MS = 8;
const BATCHES = 5;

const bodies = new Map<number, readonly string[]>();

/** CPU time of one `JSON.parse` of a basket of so many lines in microseconds, the median of several batches. */
export function parseCostUs(lines: number): number {
  const texts = bodiesOf(lines);
  return median(Array.from({ length: BATCHES }, () => parseBatch(texts)));
}

function bodiesOf(lines: number): readonly string[] {
  const known = bodies.get(lines);
  if (known) return known;
  const texts = createBaskets(VARIETIES, lines, SEED).map((basket) => JSON.stringify(basket));
  bodies.set(lines, texts);
  // The first batches compile and fill caches.
  for (let batch = 0; batch < BATCHES; batch += 1) parseBatch(texts);
  return texts;
}

function parseBatch(texts: readonly string[]): number {
  const endMs = performance.now() + BATCH_MS;
  const before = process.cpuUsage();
  let parsed = 0;
  do {
    for (const text of texts) JSON.parse(text);
    parsed += texts.length;
  } while (performance.now() < endMs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / parsed;
}
