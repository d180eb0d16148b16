import { isDeepStrictEqual } from 'node:util';
import type { BenefitDefinition } from '../pricing/definition.ts';
import { type Fault, oneOf, show } from './configuration-error.ts';

/** Limits that benefits of a programme share by their `limitId`: they must say the same. */

const SAME = ['quantity', 'period', 'counts'] as const;

type Family = 'of lines' | 'of the order' | 'that give products';

/** What is given last gets what others have left, so a limit that counts more than baskets is shared within one family. */
function familyOf({ kind }: BenefitDefinition): Family {
  if (kind === 'free_product') return 'that give products';
  return kind === 'order_percent' || kind === 'order_amount' ? 'of the order' : 'of lines';
}

function givesInBasket(benefit: BenefitDefinition): boolean {
  return benefit.kind === 'free_product' && (benefit.inBasketFirst ?? false);
}

export function* findSharedLimitFaults(
  benefits: readonly [number, BenefitDefinition][],
  path: string,
): Generator<Fault> {
  const first = new Map<string, { readonly place: string; readonly benefit: BenefitDefinition }>();
  for (const [b, benefit] of benefits) {
    const limit = limitOf(benefit);
    if (limit?.limitId === undefined) continue;
    const place = `${path}.benefits[${b}]`;
    if (limit.counts !== 'baskets' && givesInBasket(benefit)) {
      const allowed = `a limit of its own, or counts: baskets, because the benefit gives on lines and adds products`;
      yield { path: `${place}.limit.limitId`, found: `${show(limit.limitId)} with inBasketFirst`, allowed };
    }
    const known = first.get(limit.limitId);
    if (!known) {
      first.set(limit.limitId, { place, benefit });
      continue;
    }
    const other = limitOf(known.benefit)!;
    for (const field of SAME) {
      if (isDeepStrictEqual(limit[field], other[field])) continue;
      const allowed = `${show(other[field])} as in ${known.place}, which shares the limit ${limit.limitId}`;
      yield {
        path: `${place}.limit.${field}`,
        found: show(limit[field]),
        allowed,
        mentions: `${known.place}.limit.${field}`,
      };
    }
    const [own, theirs] = [familyOf(benefit), familyOf(known.benefit)];
    if (limit.counts === 'baskets' || own === theirs) continue;
    const allowed = `a limit of benefits ${theirs} alone, as ${known.place}, or ${oneOf(['counts: baskets'])}`;
    yield {
      path: `${place}.limit.limitId`,
      found: `${show(limit.limitId)} of a benefit ${own}`,
      allowed,
      mentions: known.place,
    };
  }
}

/** The limit of a benefit that may have faults of its own. */
function limitOf(benefit: BenefitDefinition): BenefitDefinition['limit'] {
  const limit: unknown = benefit.limit;
  return typeof limit === 'object' && limit !== null ? (limit as BenefitDefinition['limit']) : undefined;
}
