import { limitsOf } from '@loyalty/engine/compile/amounts';
import { type LimitDefinition, MAX_LIMIT_QUANTITY } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { type Fault, oneOf, show } from './configuration-error.ts';
import type { VenueEntry } from './schema.ts';

/** The limits of one benefit, each by itself and beside the others. */

/** Every limit of a benefit with its path in the file: `…limit`, or `…limit[1]` in a list. */
export function placedLimits({ limit }: Pick<BenefitDefinition, 'limit'>, path: string): [LimitDefinition, string][] {
  return limitsOf<LimitDefinition>({ limit }).map((own, at) => [
    own,
    Array.isArray(limit) ? `${path}.limit[${at}]` : `${path}.limit`,
  ]);
}

export function* findLimitFaults(
  benefit: BenefitDefinition,
  venues: readonly VenueEntry[],
  path: string,
): Generator<Fault> {
  const limits = placedLimits(benefit, path);
  for (const [limit, place] of limits) {
    yield* findQuantityFaults(limit, place);
    yield* findOwnerFaults(limit, venues, place);
  }
  yield* findRepeatedLimits(limits);
  yield* findSeveralPools(limits);
}

/** Only a limit that counts money is an amount, which may be larger, and may be a map by currency. */
function* findQuantityFaults({ counts, quantity }: LimitDefinition, path: string): Generator<Fault> {
  if (counts === 'money' || (typeof quantity === 'number' && quantity <= MAX_LIMIT_QUANTITY)) return;
  const allowed = `a whole number from 1 to ${MAX_LIMIT_QUANTITY}, or counts: money`;
  yield { path: `${path}.quantity`, found: show(quantity), allowed };
}

/** A basket is one member's, and a limit of a venue needs a venue. */
function* findOwnerFaults(
  { of = 'member', period }: LimitDefinition,
  venues: readonly VenueEntry[],
  path: string,
): Generator<Fault> {
  if (of === 'member') return;
  if (period === 'basket') {
    const allowed = 'member, or a longer period: all members together have no basket in common';
    yield { path: `${path}.of`, found: `${show(of)} with period: basket`, allowed };
  }
  if (of === 'venue' && venues.length === 0) {
    const allowed = `${oneOf(['member', 'programme'])}, because no venue names the programme`;
    yield { path: `${path}.of`, found: show(of), allowed };
  }
}

/** Two limits of one benefit that have one counter: only one of them can be meant. */
function* findRepeatedLimits(limits: readonly [LimitDefinition, string][]): Generator<Fault> {
  const known = new Set<string>();
  for (const [limit, path] of limits) {
    const { period, counts, of = 'member', limitId = '' } = limit;
    const counter = [period, counts, of, limitId].join(' ');
    const found = `a second limit of ${counts} by ${period} of the ${of}`;
    const allowed = 'another period, counts or of than in the others of the list';
    if (known.has(counter)) yield { path, found, allowed };
    known.add(counter);
  }
}

/** Money and units that several benefits share are dealt out among them, which is possible for one such limit of a benefit. */
function* findSeveralPools(limits: readonly [LimitDefinition, string][]): Generator<Fault> {
  const pools = limits.filter(([{ limitId, counts }]) => limitId !== undefined && counts !== 'baskets');
  for (const [{ limitId }, path] of pools.slice(1)) {
    const allowed = 'one limit of items or money with a limitId; others that are shared count baskets';
    yield { path: `${path}.limitId`, found: show(limitId), allowed };
  }
}
