/** What a decision says beside the answer, and what its work is bounded by. */
import { describe, expect, it } from 'vitest';
import type { BasketLine } from '../../src/contract/basket-request.ts';
import { encoded } from '../../src/contract/byte-text.ts';
import type { BenefitDefinition } from '../../src/pricing/definition.ts';
import { type BasketToPrice, decideBasket, decideCheapBasket } from '../../src/pricing/price.ts';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { priceFully } from './support/price.ts';
import { buildMember, buildVenue } from './support/programme.ts';

const item = (productId: string) => ({ quantity: 1, appliesTo: { productIds: [productId] } });
const menu: BenefitDefinition = {
  ...{ benefitId: 'menu', kind: 'bundle_price', percent: 10 },
  items: [item('a'), item('drink')],
};

function inputOf(lines: BasketLine[], benefits: BenefitDefinition[], more: Partial<BasketToPrice> = {}): BasketToPrice {
  const basket = encoded(buildBasket(lines));
  return { basket, venue: buildVenue(benefits), member: buildMember(), available: new Map(), ...more };
}

describe('a basket that stays as it is', () => {
  it.each([
    ['of a member who is not active', buildMember({ status: 'paused' })],
    ['of a member without any benefit', buildMember()],
  ])('%s gives nothing, spends no limit and misses nothing', (_about, member) => {
    const decided = decideBasket(inputOf([line('b', 1, 1_000)], [menu], { member }));
    expect(decided).toMatchObject({ content: { status: 'unchanged' }, uses: [], mayMiss: 0, ownDiscounts: 0 });
    expect(decided.given()).toEqual([]);
  });

  const lines = Array.from({ length: 40 }, (_, at) => line(at === 0 ? 'a' : `${at}`, 1, 1_000));

  it('has its reason looked for in a quarter of all steps, if none is left', () => {
    // To count the units of two items on 40 lines takes four steps.
    const reasonWithin = (maximumSteps: number) => priceFully(buildBasket(lines), [menu], { maximumSteps });
    expect(reasonWithin(16)).toMatchObject({ reason: 'basket_too_small' });
    expect(reasonWithin(15)).toMatchObject({ reason: 'all_lines_excluded' });
  });

  it('is given up where other calls wait if only its reason takes too long', () => {
    const input = inputOf(lines, [menu], { trace: true });
    const { steps } = decideBasket(input).trace!;
    expect(decideCheapBasket(input, steps + 2)).toBeUndefined();
    expect(decideCheapBasket(input, steps + 4)).toMatchObject({ content: { reason: 'basket_too_small' } });
  });
});

it('a fault in a basket is told where other calls wait, and is not taken for one that takes long', () => {
  const basket = encoded({ ...buildBasket([line('a', 1, 1_000)]), requestedAt: 'today' });
  expect(() => decideCheapBasket({ ...inputOf([], [menu]), basket }, 400)).toThrow('requestedAt is an RFC 3339 time');
});
