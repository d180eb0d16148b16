/**
 * How many random cases a test draws: a tenth of the suite's in the quick loop, twenty times as many with
 * `CASES=20 npm run test:unit`. The fewer are always among the more.
 */
const FACTOR = Number(process.env['CASES'] || 1);
if (!(FACTOR > 0)) throw new Error(`CASES: found ${process.env['CASES']}, allowed: a number above 0`);

export function timesCases(count: number): number {
  return Math.ceil(count * FACTOR);
}

/** The seed of random cases: the same in every run and in whatever order the files run; `PROPERTY_SEED=n` draws others. */
export const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_261_121);

/** What fast-check is told of a property: to draw so many cases, `CASES` times as many, from the seed. */
export function drawn(count: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: timesCases(count), seed: SEED };
}
