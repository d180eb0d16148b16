/** Benefits that save less than they are meant to be spent on: which are left out, in which order, and how often. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../../src/definition.ts';
import { buildBasket } from '../support/basket.ts';
import { line } from '../support/choices.ts';
import { priceFully } from '../support/price.ts';

const on = (...productIds: string[]) => ({ appliesTo: { productIds } });
const percent = (benefitId: string, value: number, minimumSaving?: number, more: object = {}): BenefitDefinition =>
  ({
    ...{ benefitId, kind: 'line_percent', percent: value },
    ...(minimumSaving !== undefined && { minimumSaving }),
    ...more,
  }) as BenefitDefinition;

function tell(lines: BasketLine[], benefits: BenefitDefinition[], maximumSteps?: number) {
  const steps = maximumSteps === undefined ? {} : { maximumSteps };
  const { trace } = priceFully(buildBasket(lines), benefits, { trace: true, ...steps });
  const applied = trace!.benefits.filter((benefit) => benefit.applied).map(({ benefitId }) => benefitId);
  return { applied, steps: trace!.steps };
}

describe('of benefits that save too little', () => {
  // On x 3.00 off is more than 30 %, and on y it is less. Alone either of them saves 6.00.
  const lines = [line('x', 1, 900), line('y', 1, 1_100)];
  const asking = (a: number, b: number): BenefitDefinition[] => [
    percent('a', 30, a),
    { benefitId: 'b', kind: 'line_amount', amount: 300, per: 'unit', minimumSaving: b },
  ];

  it.each([
    ['the one that lacks most', 440, 400, 'b'],
    ['the one that lacks most', 430, 410, 'a'],
    ['of equals the one with the lower benefitId', 430, 400, 'b'],
  ])('%s is left out first, and the other may then save enough', (_about, a, b, applied) => {
    expect(tell(lines, asking(a, b))).toMatchObject({ applied: [applied] });
  });

  it('all are left out at once after four choices, also those that would then save enough', () => {
    const low = [50, 49, 48, 47].map((value) => percent(`low-${value}`, value, 5_000, on('x', 'y')));
    const benefits = [
      ...low,
      ...asking(440, 400),
      percent('y', 10, 100, on('y')),
      percent('w', 90, undefined, on('w')),
    ];
    const more = [...lines, line('w', 1, 1_000)];
    expect(tell(more, benefits)).toMatchObject({ applied: ['w', 'y'] });
    expect(tell(more, benefits.slice(1))).toMatchObject({ applied: ['b', 'w'] });
  });
});

describe('where one after the other saves too little', () => {
  const lines = [line('x', 1, 1_000), line('y', 1, 1_000)];
  /** Of each choice the next one is left out. */
  const low = (count: number) =>
    Array.from({ length: count }, (_, at) => percent(`low-${at}`, 90 - at, 5_000, on('x')));
  const enough = percent('enough', 20, 100, on('x'));
  const reached = percent('reached', 20, 200, on('y'));
  const plain = percent('plain', 10);

  it('those with a minimum stay that reach it, however many choices that takes', () => {
    const benefits = [enough, reached, plain];
    expect(tell(lines, [...low(11), ...benefits]).applied).toEqual(['enough', 'reached']);
    expect(tell(lines, [...low(12), ...benefits]).applied).toEqual(['enough', 'reached']);
  });

  it('all are left out that save too little', () => {
    const onBoth = ['x', 'y'].flatMap((product) =>
      low(12).map((own): BenefitDefinition => ({ ...own, benefitId: `${product}-${own.benefitId}`, ...on(product) })),
    );
    const told = tell(lines, [...onBoth, plain]);
    expect(told.applied).toEqual(['plain']);
    expect(told.steps).toBeLessThan(1_000);
  });

  it('and there are no steps left for another choice the same holds', () => {
    expect(tell(lines.slice(0, 1), [percent('a', 50, 5_000), enough, plain], 0).applied).toEqual(['plain']);
  });
});
