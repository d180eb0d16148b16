import type { LimitDefinition } from '../../src/pricing/benefit-definition.ts';
import type { BenefitDefinition } from '../../src/pricing/definition.ts';

/** The one limit of a benefit of the oracle's cases, which have no lists of them. */
export function limitOf({ limit }: Pick<BenefitDefinition, 'limit'>): LimitDefinition | undefined {
  return [limit ?? []].flat()[0] as LimitDefinition | undefined;
}
