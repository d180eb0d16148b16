import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '@loyalty/engine/benefits/register';
import type { Level } from '@loyalty/engine/compile/rule';
import type { LimitDefinition } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { type Fault, show, wrong } from './configuration-error.ts';
import { isObject } from './is-object.ts';
import { placed } from './written-benefit.ts';

/** Limits that benefits of a programme share by their `limitId`: they must say the same. */

const SAME = ['quantity', 'period', 'counts', 'of'] as const;

type Family = 'of lines' | 'of the order' | 'that give products';

/** What is given last gets what others have left, so a limit that counts more than baskets is shared within one family. */
function familyOf(benefit: BenefitDefinition): Family {
  // Of an unknown kind, which is refused elsewhere, nothing is known.
  const level: Level | undefined = kindOf(benefit)?.level;
  if (level === 'gift') return 'that give products';
  return level === 'order' ? 'of the order' : 'of lines';
}

function givesInBasket(benefit: BenefitDefinition): boolean {
  return benefit.kind === 'free_product' && (benefit.inBasketFirst ?? false);
}

export function* findSharedLimitFaults(
  benefits: readonly [number, BenefitDefinition][],
  path: string,
): Generator<Fault> {
  const first = new Map<string, Sharing>();
  const all = benefits.flatMap(([b, benefit]) => sharingOf(benefit, `${path}.benefits[${b}]`));
  for (const own of all) {
    const { benefit, limit, limitPath } = own;
    const { limitId = '' } = limit;
    if (limit.counts !== 'baskets' && givesInBasket(benefit)) {
      const allowed = `a limit of its own, or counts: baskets, because the benefit gives on lines and adds products`;
      yield { path: `${limitPath}.limitId`, found: `${show(limitId)} with inBasketFirst`, allowed };
    }
    const known = first.get(limitId);
    if (!known) {
      first.set(limitId, own);
      continue;
    }
    // The owner is the member where a limit does not say.
    const [said, other] = [limit, known.limit].map((own): LimitDefinition => ({ ...own, of: own.of ?? 'member' }));
    for (const field of SAME) {
      if (isDeepStrictEqual(said![field], other![field])) continue;
      const allowed = `${show(other![field])} as in ${known.place}, which shares the limit ${limitId}`;
      yield { ...wrong(`${limitPath}.${field}`, said![field], allowed), mentions: known.place };
    }
    const [ours, theirs] = [familyOf(benefit), familyOf(known.benefit)];
    if (limit.counts === 'baskets' || ours === theirs) continue;
    const allowed = `a limit of benefits ${theirs} alone, as ${known.place}, or counts: baskets`;
    const found = `${show(limitId)} of a benefit ${ours}`;
    yield { path: `${limitPath}.limitId`, found, allowed, mentions: known.place };
  }
}

/** A limit that a benefit shares, and where both stand in the file. */
interface Sharing {
  readonly benefit: BenefitDefinition;
  readonly place: string;
  readonly limit: LimitDefinition;
  readonly limitPath: string;
}

/** The shared limits of a benefit that may have faults of its own. */
function sharingOf(benefit: BenefitDefinition, place: string): Sharing[] {
  const limits = placed<LimitDefinition>(`${place}.limit`, benefit.limit);
  return limits
    .filter(([, limit]) => isObject(limit) && limit.limitId !== undefined)
    .map(([limitPath, limit]) => ({ benefit, place, limit, limitPath }));
}
