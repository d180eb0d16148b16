import { type LimitDefinition, MAX_LIMIT_QUANTITY } from '@loyalty/engine/compile/words';
import { type Fault, oneOf, show, wrong } from './configuration-error.ts';
import type { VenueEntry } from './schema.ts';
import type { Placed } from './written-benefit.ts';

/** The limits of one benefit, each by itself and beside the others; `venues` are those of the programme. */
export function* findLimitFaults(
  limits: readonly Placed<LimitDefinition>[],
  venues: readonly VenueEntry[],
): Generator<Fault> {
  const known = new Set<string>();
  let pools = 0;
  for (const [place, { period, counts, quantity, limitId, of = 'member' }] of limits) {
    // Only a limit that counts money is an amount, which may be larger, and may be a map by currency.
    if (counts !== 'money' && !(typeof quantity === 'number' && quantity <= MAX_LIMIT_QUANTITY)) {
      yield wrong(`${place}.quantity`, quantity, `a whole number from 1 to ${MAX_LIMIT_QUANTITY}, or counts: money`);
    }
    // A basket is one member's, and a limit of a venue needs a venue.
    if (of !== 'member' && period === 'basket') {
      const allowed = 'member, or a longer period: all members together have no basket in common';
      yield { path: `${place}.of`, found: `${show(of)} with period: basket`, allowed };
    }
    if (of === 'venue' && venues.length === 0) {
      yield wrong(`${place}.of`, of, `${oneOf(['member', 'programme'])}, because no venue names the programme`);
    }
    // Of two limits with one counter only one can be meant.
    const counter = [period, counts, of, limitId].join(' ');
    if (known.has(counter)) {
      const found = `a second limit of ${counts} by ${period} of the ${of}`;
      yield { path: place, found, allowed: 'another period, counts or of than in the others of the list' };
    }
    known.add(counter);
    // Money and units that several benefits share are dealt out among them, which is possible for one such limit of a benefit.
    if (limitId === undefined || counts === 'baskets') continue;
    pools += 1;
    if (pools > 1) {
      const allowed = 'one limit of items or money with a limitId; others that are shared count baskets';
      yield wrong(`${place}.limitId`, limitId, allowed);
    }
  }
}
