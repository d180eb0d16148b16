import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '@loyalty/engine/benefits/register';
import type { Level } from '@loyalty/engine/compile/rule';
import { type LimitDefinition, MAX_LIMIT_QUANTITY } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { type Fault, oneOf, show, wrong } from './configuration-error.ts';
import { isObject } from './is-object.ts';
import type { VenueEntry } from './schema.ts';
import { type Placed, placed } from './written-benefit.ts';

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

/** What benefits that share a limit by its `limitId` say of it alike. */
const SAME = ['quantity', 'period', 'counts', 'of'] as const;

/** What a benefit gives, for a sentence. What is given last gets what others have left, so units and money are shared within one family. */
function familyOf(benefit: BenefitDefinition): 'of lines' | 'of the order' | 'of free products' {
  // Of an unknown kind, which is refused elsewhere, nothing is known.
  const level: Level | undefined = kindOf(benefit)?.level;
  if (level === 'gift') return 'of free products';
  return level === 'order' ? 'of the order' : 'of lines';
}

/** Limits that several benefits of a programme share. The benefits may have faults of their own. */
export function* findSharedLimitFaults(
  benefits: readonly [number, BenefitDefinition][],
  path: string,
): Generator<Fault> {
  const first = new Map<string, Sharing>();
  for (const own of benefits.flatMap(([b, benefit]) => sharingOf(benefit, `${path}.benefits[${b}]`))) {
    const { benefit, limit, limitPath } = own;
    const { limitId, counts } = limit;
    if (counts !== 'baskets' && benefit.kind === 'free_product' && benefit.inBasketFirst) {
      const allowed = `a limit of its own, or counts: baskets, because the benefit gives on lines and adds products`;
      yield { path: `${limitPath}.limitId`, found: `${show(limitId)} with inBasketFirst`, allowed };
    }
    const known = first.get(limitId);
    if (!known) {
      first.set(limitId, own);
      continue;
    }
    const mentions = known.place;
    for (const field of SAME) {
      if (isDeepStrictEqual(limit[field], known.limit[field])) continue;
      const allowed = `${show(known.limit[field])} as in ${mentions}, which shares the limit ${limitId}`;
      yield { ...wrong(`${limitPath}.${field}`, limit[field], allowed), mentions };
    }
    const [ours, theirs] = [familyOf(benefit), familyOf(known.benefit)];
    if (counts === 'baskets' || ours === theirs) continue;
    const allowed = `a limit of benefits ${theirs} alone, as ${mentions}, or counts: baskets`;
    yield { path: `${limitPath}.limitId`, found: `${show(limitId)} of a benefit ${ours}`, allowed, mentions };
  }
}

/** A limit that a benefit shares, and where both stand in the file. */
interface Sharing {
  readonly benefit: BenefitDefinition;
  readonly place: string;
  readonly limit: LimitDefinition & { readonly limitId: string };
  readonly limitPath: string;
}

/** The shared limits of a benefit; the owner is the member where a limit does not say. */
function sharingOf(benefit: BenefitDefinition, place: string): Sharing[] {
  return placed<LimitDefinition>(`${place}.limit`, benefit.limit).flatMap(([limitPath, limit]) => {
    if (!isObject(limit) || limit.limitId === undefined) return [];
    return { benefit, place, limit: { of: 'member', ...limit, limitId: limit.limitId }, limitPath };
  });
}
