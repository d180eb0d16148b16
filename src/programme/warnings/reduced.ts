import { kindOf } from '@loyalty/engine/benefits/register';
import type { Level } from '@loyalty/engine/compile/rule';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { selectorsOf } from '../selectors.ts';
import type { Surroundings, Warning } from './surroundings.ts';

const OF_LINES: readonly Level[] = ['line', 'bundle'];

/** Warns of selectors that leave out reduced goods where the programme keeps their discounts anyway. */
export function* findIdleExclusionOfReduced(
  benefit: BenefitDefinition,
  path: string,
  { programme }: Surroundings,
): Generator<Warning> {
  const { minimumSpend, minimumQuantity } = benefit;
  // Lines that are left out do not count for a minimum either.
  if (!OF_LINES.includes(kindOf(benefit).level) || minimumSpend !== undefined || minimumQuantity !== undefined) return;
  if (programme.existingLineDiscounts !== 'keep') return;
  for (const [place, { excludeDiscounted }] of selectorsOf(benefit)) {
    if (!excludeDiscounted) continue;
    const text = 'has no effect: existingLineDiscounts: keep leaves these lines as they are';
    yield { path: `${path}.${place}.excludeDiscounted`, text };
  }
}
