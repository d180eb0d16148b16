import type { LimitDefinition } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';

/** The limits of a benefit, each with its owner; most cases have one or none. */
export function limitsOf({ limit }: Pick<BenefitDefinition, 'limit'>): LimitDefinition[] {
  return [limit ?? []].flat() as LimitDefinition[];
}

/** The one limit of a benefit of a case that has no lists of them. */
export function limitOf(benefit: Pick<BenefitDefinition, 'limit'>): LimitDefinition | undefined {
  return limitsOf(benefit)[0];
}

/** The name under which a case says what is left of a limit; the limits of a list count for different owners. */
export function nameOf({ benefitId }: Pick<BenefitDefinition, 'benefitId'>, limit: LimitDefinition): string {
  const owner = limit.limitId === undefined ? benefitId : `@${limit.limitId}`;
  const mark = limit.counts === 'money' ? '$NOK' : '';
  return `${owner}${mark}${limit.of === undefined || limit.of === 'member' ? '' : `~${limit.of}`}`;
}
