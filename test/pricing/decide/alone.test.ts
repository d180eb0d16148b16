/** After a search that ran out of steps: which benefits are tried alone, in which order, and how often. */
import { describe, expect, it } from 'vitest';
import { localTime } from '../../../src/pricing/compile/calendar.ts';
import { withBestAlone } from '../../../src/pricing/decide/alone.ts';
import type { Outcome } from '../../../src/pricing/decide/outcome.ts';
import type { BenefitDefinition } from '../../../src/pricing/definition.ts';
import { readLines } from '../../../src/pricing/lines/lines.ts';
import { findOffers } from '../../../src/pricing/offers/offers.ts';
import { Work } from '../../../src/pricing/work.ts';
import { buildBasket } from '../support/basket.ts';
import { line } from '../support/choices.ts';
import { buildMember, buildVenue } from '../support/programme.ts';

const basket = buildBasket([line('x', 1, 1_000)]);
const off = (benefitId: string, amount: number): BenefitDefinition =>
  ({ benefitId, kind: 'line_amount', amount, per: 'unit' }) as BenefitDefinition;

function outcomeOf(total: number, mostMissed: number): Outcome {
  return { total, parts: [], orders: [], gifts: [], uses: [], search: { steps: 5, mostMissed } } as unknown as Outcome;
}

/** Which were tried after a basket of 950 was found that may cost 300 less, and what came of it. */
function tryAlone(amounts: Readonly<Record<string, number>>, missed: number, { undecided = false, found = 300 } = {}) {
  const venue = buildVenue(Object.entries(amounts).map(([benefitId, amount]) => off(benefitId, amount)));
  const lines = readLines(basket.lines, venue.programme.existingLineDiscounts, undefined);
  const time = localTime(basket.requestedAt, venue.timeZone);
  const work = new Work(10_000);
  const offers = findOffers({ basket, member: buildMember(), venue, time, isClockOff: false }, new Map(), work);
  const tried: string[] = [];
  const best = withBestAlone(outcomeOf(950, found), offers, { basket, lines, venue, work }, ([offer]) => {
    const { benefitId } = offer!.benefit;
    tried.push(benefitId);
    return outcomeOf(1_000 - amounts[benefitId]! + missed, undecided ? missed : 0);
  });
  return { tried, total: best.total, mostMissed: best.search.mostMissed };
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
});
