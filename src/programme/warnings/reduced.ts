import type { BenefitDefinition } from '@loyalty/engine/definition';
import { selectorsOf } from '../selectors.ts';
import type { Surroundings, Warning } from './surroundings.ts';

const OF_LINES: readonly BenefitDefinition['kind'][] = ['line_percent', 'line_amount', 'unit_price', 'bundle_price'];

/** Warns of selectors that leave out reduced goods where the programme keeps their discounts anyway. */
export function* findIdleExclusionOfReduced(
  benefit: BenefitDefinition,
  path: string,
  { programme }: Surroundings,
): Generator<Warning> {
  const { kind, minimumSpend, minimumQuantity } = benefit;
  // Lines that are left out do not count for a minimum either.
  if (!OF_LINES.includes(kind) || minimumSpend !== undefined || minimumQuantity !== undefined) return;
  if (programme.existingLineDiscounts !== 'keep') return;
  for (const [place, { excludeDiscounted }] of selectorsOf(benefit)) {
    if (!excludeDiscounted) continue;
    const text = 'has no effect: existingLineDiscounts: keep leaves these lines as they are';
    yield { path: `${path}.${place}.excludeDiscounted`, text };
  }
}
