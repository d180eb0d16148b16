/** Who bears the cost of a benefit is no part of a decision. */
import { expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { priceFully } from './support/price.ts';
import { percent } from './support/told.ts';

it('changes no byte of an answer', () => {
  const order = { benefitId: 'o', kind: 'order_percent', percent: 5, text: 'Five' } as BenefitDefinition;
  const benefits = [percent('b', 10), order];
  const funded = benefits.map((own) => ({ ...own, fundedBy: 'Roasters' }));
  const basket = buildBasket([line('a', 3, 1_000)]);
  const answer = JSON.stringify(priceFully(basket, funded, { trace: true }));
  expect(answer).toBe(JSON.stringify(priceFully(basket, benefits, { trace: true })));
  expect(answer).not.toContain('Roasters');
});
