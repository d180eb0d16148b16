/** What a trace says of one benefit. */
import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import type { BenefitDefinition } from '../../src/definition.ts';
import { REASONS } from '../../src/trace/wording.ts';
import type { TracedBenefit } from '../../src/types.ts';
import { buildBasket } from './basket.ts';
import { line } from './choices.ts';
import { type Circumstances, priceFully } from './price.ts';

export const on = (...productIds: string[]) => ({ appliesTo: { productIds } });
export const percent = (benefitId: string, own: number, more: object = {}) =>
  ({ benefitId, kind: 'line_percent', percent: own, ...more }) as BenefitDefinition;

/** What the trace says of `b`, beyond the sentence of its reason. */
export function told(
  benefits: BenefitDefinition[],
  more: Circumstances = {},
  lines: BasketLine[] = [line('a', 3, 1_000)],
  basket: Partial<BasketRequest> = {},
) {
  const { trace } = priceFully(buildBasket(lines, basket), benefits, { ...more, trace: true });
  const { benefitId: _, applied, saved, ...all } = trace!.benefits.find(({ benefitId }) => benefitId === 'b')!;
  return applied ? { saved, ...all } : beyondReason(all);
}

/** Without the sentence that each benefit with its reason has. */
export function beyondReason<Words extends Pick<TracedBenefit, 'reason' | 'explanation'>>(words: Words): Words {
  const { explanation, ...rest } = words;
  const isOwn = explanation !== REASONS[words.reason as keyof typeof REASONS];
  return isOwn ? words : (rest as Words);
}
