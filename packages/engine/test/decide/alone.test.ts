/** After a search that ran out of steps: which benefits are tried alone, in which order, how often, and with how many steps. */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { localTime } from '../../src/compile/calendar.ts';
import { withBestAlone } from '../../src/decide/alone.ts';
import type { Outcome } from '../../src/decide/outcome.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import { readLines } from '../../src/lines/lines.ts';
import { findOffers } from '../../src/offers/offers.ts';
import { Work } from '../../src/work.ts';
import { buildBasket } from '../support/basket.ts';
import { allocated, line } from '../support/choices.ts';
import { buildMember, buildVenue } from '../support/programme.ts';

const STEPS = 10_000;
const benefit = (benefitId: string, more: object): BenefitDefinition => ({ benefitId, ...more }) as BenefitDefinition;
const off = (benefitId: string, amount: number): BenefitDefinition =>
  benefit(benefitId, { kind: 'line_amount', amount, per: 'unit' });
const voucher = (benefitId: string, amount: number) => benefit(benefitId, { kind: 'order_amount', amount });
const cake = { productId: 'cake', name: 'Cake', unitPrice: 300, noDiscount: false, noPercentageDiscount: false };

function outcomeOf(total: number, mostMissed: number): Outcome {
  return { total, parts: [], orders: [], gifts: [], uses: [], search: { steps: 5, mostMissed } } as unknown as Outcome;
}

interface Asked {
  readonly basket?: BasketRequest;
  readonly policies?: Partial<ProgrammeDefinition>;
  /** What the basket costs that was found, and how much less it may cost. */
  readonly total?: number;
  readonly found?: number;
  /** Steps that the search took, and that each try takes. */
  readonly before?: number;
  readonly each?: number;
  /** What a basket costs with a benefit alone, and whether it may cost less. */
  readonly costs: (benefitId: string) => number;
  readonly missed?: number;
}

/** Which benefits were tried after a basket was found that may cost less, with how many steps, and what came of it. */
function tryEach(benefits: BenefitDefinition[], { costs, total = 950, found = 300, ...more }: Asked) {
  const { basket = buildBasket([line('x', 1, 1_000)]), policies, before = 0, each = 0, missed = 0 } = more;
  const venue = buildVenue(benefits, policies, [cake]);
  const lines = readLines(basket.lines, venue.programme.existingLineDiscounts, undefined);
  const time = localTime(basket.requestedAt, venue.timeZone);
  const situation = { basket, member: buildMember(), venue, time, isClockOff: false };
  const offers = findOffers(situation, new Map(), new Work(STEPS));
  const work = new Work(STEPS);
  work.count(before);
  const tried: string[] = [];
  const steps: number[] = [];
  const best = withBestAlone(outcomeOf(total, found), offers, { basket, lines, venue, work }, ([offer]) => {
    const { benefitId } = offer!.benefit;
    tried.push(benefitId);
    steps.push(work.left);
    work.spend(each);
    return outcomeOf(costs(benefitId), missed);
  });
  return { tried, steps, total: best.total, mostMissed: best.search.mostMissed, taken: best.search.steps };
}

/** The same with benefits that take so much off a basket of 1,000, less `missed`. */
function tryAlone(amounts: Readonly<Record<string, number>>, missed: number, { undecided = false, found = 300 } = {}) {
  const { tried, total, mostMissed } = tryEach(
    Object.entries(amounts).map(([benefitId, amount]) => off(benefitId, amount)),
    {
      ...{ found, missed: undecided ? missed : 0 },
      costs: (benefitId) => 1_000 - amounts[benefitId]! + missed,
    },
  );
  return { tried, total, mostMissed };
}

describe('of benefits that may save more alone than the answer of a search without steps', () => {
  it('the dearest is tried first, and no more where it saves what no other can', () => {
    expect(tryAlone({ a: 100, b: 300, c: 200 }, 0)).toEqual({ tried: ['b'], total: 700, mostMissed: 50 });
  });

  it('all that may save more are tried, and of the same savings the lower benefitId first', () => {
    expect(tryAlone({ b: 300, a: 300, c: 20 }, 40)).toEqual({ tried: ['a', 'b'], total: 740, mostMissed: 90 });
  });

  it('those that are not decided are tried three times', () => {
    const told = tryAlone({ a: 300, b: 200 }, 60, { undecided: true });
    expect(told.tried).toEqual(['a', 'a', 'a']);
    expect(told).toMatchObject({ total: 760, mostMissed: 110 });
  });

  it('none is tried where the search has proven its answer, or with one benefit only', () => {
    expect(tryAlone({ a: 300, b: 200 }, 0, { found: 0 }).tried).toEqual([]);
    expect(tryAlone({ a: 300 }, 0).tried).toEqual([]);
  });

  it('none is tried that may save as much and no more', () => {
    // An amount of 49 is known to save less than 50 and a unit.
    expect(tryAlone({ a: 49, b: 20 }, 0).tried).toEqual([]);
    expect(tryAlone({ a: 50, b: 20 }, 0).tried).toEqual(['a']);
  });

  it('a product that is given counts with its price', () => {
    const gift = benefit('gift', { kind: 'free_product', productId: 'cake' });
    expect(tryEach([gift, off('ten', 10)], { costs: () => 700 })).toMatchObject({ tried: ['gift'], total: 700 });
  });

  it('one counts beside what the staff gave, also where a benefit on the order might stand in its place', () => {
    const basket = buildBasket([line('x', 1, 1_000, allocated(100))], {
      orderDiscounts: [{ orderDiscountId: 'staff-0', type: 'amount', amount: 100 }],
    });
    const policies = { existingOrderDiscounts: 'replace_if_larger' } as const;
    // It costs 900 beside the discount of the staff, and 600 with the benefit.
    const asked = { basket, policies, total: 650, costs: () => 600 };
    expect(tryEach([off('line', 300), voucher('order', 10)], asked)).toMatchObject({ tried: ['line'], total: 600 });
  });
});

describe('the steps of benefits that are tried alone', () => {
  const eight = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((benefitId) => off(benefitId, 300));
  const dear = { costs: () => 1_000 };

  it('are those of a search, or what is left of 1.3 times as many', () => {
    expect(Math.round(tryEach(eight, dear).steps.at(-1)! / 100)).toBe(100);
    expect(Math.round(tryEach(eight, { ...dear, before: 5_000 }).steps.at(-1)! / 100)).toBe(80);
    expect(Math.round(tryEach(eight, { ...dear, before: 10_000 }).steps.at(-1)! / 100)).toBe(30);
  });

  it('are a sixth of what is left, or as large a part as there are benefits left', () => {
    const { tried, steps } = tryEach(eight, dear);
    expect(tried).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    expect(steps.map((own) => Math.round(STEPS / own))).toEqual([6, 6, 6, 5, 4, 3, 2, 1]);
  });

  it('end the tries where none are left', () => {
    const told = tryEach(eight.slice(0, 3), { ...dear, missed: 400, each: STEPS });
    expect(told.tried).toEqual(['a', 'b', 'c']);
  });

  it('are counted with those of the search, and so is a look at each benefit', () => {
    expect(tryEach(eight, { ...dear, each: 100 }).taken).toBe(5 + 8 * 100 + 2);
  });

  it('grow with a look at each line, for each way in which the discounts of the staff may stand', () => {
    const lines = Array.from({ length: 200 }, (_, at) => line(`x${at}`, 1, 1_000, at === 0 ? allocated(5) : {}));
    const basket = buildBasket(lines, { orderDiscounts: [{ orderDiscountId: 'staff-0', type: 'amount', amount: 5 }] });
    const vouchers = Array.from({ length: 10 }, (_, at) => voucher(`v${at}`, 10));
    const taken = (policies: Partial<ProgrammeDefinition>, total = 200_000): number =>
      tryEach(vouchers, { ...dear, basket, policies, total }).taken;
    // Ten benefits on 200 lines, and 0.13 steps for each.
    expect(taken({ existingOrderDiscounts: 'keep' })).toBeGreaterThanOrEqual(260);
    expect(taken({ existingOrderDiscounts: 'replace_if_larger' })).toBeGreaterThanOrEqual(520);
    // Where 10 off 200,000 cannot be enough, or just would, no line is looked at closely.
    expect(taken({ existingOrderDiscounts: 'keep' }, 199_985)).toBeLessThan(26);
    expect(taken({ existingOrderDiscounts: 'keep' }, 199_986)).toBeGreaterThanOrEqual(260);
  });

  it('and only one of these ways has to let a benefit save enough', () => {
    const lines = [line('x', 1, 1_000, allocated(5))];
    const basket = buildBasket(lines, { orderDiscounts: [{ orderDiscountId: 'staff-0', type: 'amount', amount: 5 }] });
    const asked = { basket, policies: { existingOrderDiscounts: 'replace_if_larger' }, costs: () => 986 } as const;
    const vouchers = [voucher('v0', 10), voucher('v1', 10)];
    expect(tryEach(vouchers, { ...asked, total: 988 }).tried).toEqual(['v0', 'v1']);
    expect(tryEach(vouchers, { ...asked, total: 985 }).tried).toEqual([]);
  });
});
