import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '@loyalty/engine/benefits/register';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES } from '@loyalty/engine/lines/selector';
import { requirementsIn, selectorsOf } from '../selectors.ts';
import type { Warning } from './surroundings.ts';

/** Warns of required goods that every basket has, or every one that the benefit has an effect on. */
export function* findIdleRequirements(benefit: BenefitDefinition, path: string): Generator<Warning> {
  // A product is given beside lines that keep their price too.
  const needed = kindOf(benefit).level === 'gift' ? [] : selectorsOf(benefit);
  for (const [place, { appliesTo = {}, quantity = 1, spend }] of requirementsIn(benefit)) {
    if (quantity > 1 || spend !== undefined) continue;
    const takesAll =
      PRODUCT_NAMES.every(({ included, excluded }) => !appliesTo[included]?.length && !appliesTo[excluded]?.length) &&
      !appliesTo.excludeDiscounted;
    const isOwn = needed.length > 0 && needed.every(([, own]) => isDeepStrictEqual(own, appliesTo));
    if (!takesAll && !isOwn) continue;
    const why = takesAll ? 'every basket has one unit' : 'it has no effect without one of these products anyway';
    yield { path: `${path}.${place}`, text: `has no effect: ${why}` };
  }
}
