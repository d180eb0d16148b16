/** Which choices of the benefits of groups are looked at, with how many steps, and what is known of those that were not. */
import { describe, expect, it } from 'vitest';
import { localTime } from '../../src/compile/calendar.ts';
import { chooseRestricted, isUnmet } from '../../src/decide/benefit-groups.ts';
import type { Outcome } from '../../src/decide/outcome.ts';
import type { BenefitDefinition } from '../../src/definition.ts';
import { readLines } from '../../src/lines/lines.ts';
import { findOffers } from '../../src/offers/offers.ts';
import { Work } from '../../src/work.ts';
import { buildBasket } from '../support/basket.ts';
import { line } from '../support/choices.ts';
import { buildMember, buildVenue } from '../support/programme.ts';

const basket = buildBasket([line('x', 1, 1_000)]);

/** What each benefit takes off a basket of 1,000, how much less it may cost, and how many limited uses that spends. */
interface Found {
  readonly saved: Readonly<Record<string, number>>;
  readonly missed?: number;
  readonly uses?: number;
}

interface Asked {
  /** The group of each benefit; of group `one` at most one applies, of group `two` two. */
  readonly groups: Readonly<Record<string, 'one' | 'two' | undefined>>;
  /** What is found with these benefits, or that it costs more than what is known. */
  readonly find: (open: string, work: Work) => Found | undefined;
  readonly bestCost?: number;
}

/** The choice, and with which benefits one was looked for with how many steps, in that order. */
function choose({ groups, find, bestCost = Number.POSITIVE_INFINITY }: Asked) {
  const benefits = Object.entries(groups).map(
    ([benefitId, group]) =>
      ({ benefitId, kind: 'line_percent', percent: 10, ...(group && { group }) }) as BenefitDefinition,
  );
  const venue = buildVenue(benefits, { groups: { one: { atMost: 1 }, two: { atMost: 2 } } });
  const lines = readLines(basket.lines, venue.programme.existingLineDiscounts, undefined);
  const time = localTime(basket.requestedAt, venue.timeZone);
  const situation = { basket, member: buildMember(), venue, time, isClockOff: false };
  const selection = findOffers(situation, new Map(), new Work(1_000));
  const work = new Work(1_000);
  const looked: string[] = [];
  const steps: number[] = [];
  const round = { standing: { lines, withLoyaltyOrderDiscounts: true }, lines, selection, gifts: [] };
  const chosen = chooseRestricted(round, { basket, lines, venue, work }, bestCost, (own) => {
    const open = own.selection.map(({ benefit }) => benefit.benefitId).join('');
    looked.push(open);
    steps.push(Math.round(work.left / 10));
    const found = find(open, work);
    if (!found) return undefined;
    const parts = Object.entries(found.saved).map(([benefitId, effect]) => ({
      ...{ effect, offer: selection.find(({ benefit }) => benefit.benefitId === benefitId) },
    }));
    const total = parts.reduce((rest, { effect }) => rest - effect, 1_000);
    const uses = found.uses ? [{ units: found.uses, counts: 'items' }] : [];
    const search = { steps: 0, mostMissed: found.missed ?? 0 };
    return { total, parts, uses, orders: [], gifts: [], search } as unknown as Outcome;
  });
  const told = { looked, steps, taken: work.spent };
  if (!chosen || isUnmet(chosen)) return { ...told, chosen };
  const { total, search } = chosen.outcome;
  const open = chosen.selection.map(({ benefit }) => benefit.benefitId).join('');
  return { ...told, chosen: { total, mostMissed: search.mostMissed, open } };
}

/** Every open benefit saves so much, whichever others there are. */
const saving =
  (amounts: Readonly<Record<string, number>>) =>
  (open: string): Found => ({ saved: Object.fromEntries([...open].map((own) => [own, amounts[own]!])) });

describe('of the benefits of a group', () => {
  const three = { a: 'one', b: 'one', c: 'one' } as const;

  it('those that save most are the first choice, and the one that saves least is closed first, or applies alone', () => {
    const { looked, chosen } = choose({ groups: three, find: saving({ a: 30, b: 20, c: 10 }) });
    expect(looked.slice(0, 4)).toEqual(['abc', 'a', 'ab', 'c']);
    expect(chosen).toEqual({ total: 970, mostMissed: 0, open: 'a' });
  });

  it('no choice is made where no more apply than may', () => {
    expect(choose({ groups: three, find: () => ({ saved: { a: 10 } }) }).looked).toEqual(['abc']);
    // Nothing applies, and that is proven.
    expect(choose({ groups: three, find: () => ({ saved: {} }) }).looked).toEqual(['abc']);
  });

  it('others stay open beside those that apply, as many as may apply', () => {
    const groups = { a: 'two', b: 'two', c: 'two', d: undefined } as const;
    expect(choose({ groups, find: () => ({ saved: { a: 10 } }) }).chosen).toMatchObject({ open: 'abd' });
    expect(choose({ groups, find: () => ({ saved: { c: 10 } }) }).chosen).toMatchObject({ open: 'acd' });
  });

  it('that one applies takes no new look where others may apply beside it', () => {
    const groups = { a: 'two', b: 'two', c: 'two' } as const;
    const { looked } = choose({ groups, find: saving({ a: 30, b: 20, c: 10 }) });
    expect(looked).toEqual(['abc', 'ab', 'ab', 'ac', 'bc']);
  });

  it('none is looked at below a choice that costs no less than the best one', () => {
    const told = choose({ groups: three, find: (open) => ({ saved: open === 'abc' ? { a: 10, b: 10 } : { a: 30 } }) });
    expect(told).toMatchObject({ looked: ['abc', 'a'], chosen: { total: 970, mostMissed: 0 } });
  });

  it('of choices that cost the same the one with fewer limited uses is taken', () => {
    const find = (open: string): Found => ({
      saved: open === 'abc' ? { a: 20, b: 20, c: 20 } : { [open[0]!]: 20 },
      uses: open.includes('a') ? 1 : 0,
    });
    expect(choose({ groups: three, find }).chosen).toMatchObject({ total: 980, open: 'c' });
  });

  it('nothing is chosen where another round costs less than all of them', () => {
    expect(choose({ groups: three, find: () => undefined, bestCost: 500 })).toMatchObject({ looked: ['abc'] });
    expect(choose({ groups: three, find: () => undefined, bestCost: 500 }).chosen).toBeUndefined();
  });
});

describe('the steps for the benefits of a group', () => {
  const groups = { a: 'one', b: 'one', c: 'one', d: undefined } as const;
  const useUp = (work: Work): boolean => work.spend(work.left + 1);

  it('are half of all for the choice without regard to groups, half of the rest for the first one, and then all', () => {
    const amounts = saving({ a: 30, b: 20, c: 10, d: 5 });
    const { steps } = choose({
      groups,
      find: (open, work) => {
        if (open !== 'abd') useUp(work);
        return amounts(open);
      },
    });
    expect(steps.slice(0, 4)).toEqual([50, 25, 25, 25]);
  });

  it('end the choices where none are left', () => {
    const told = choose({
      groups,
      find: (open, work) => {
        if (open === 'ad') work.count(1_000);
        return { ...saving({ a: 30, b: 20, c: 10, d: 5 })(open), missed: open === 'abcd' ? 20 : 0 };
      },
    });
    // All together cost 935, and may cost 915.
    expect(told).toMatchObject({ looked: ['abcd', 'ad'], chosen: { total: 965, mostMissed: 50 } });
  });

  it('are few for the comparison of choices', () => {
    expect(choose({ groups, find: saving({ a: 30, b: 20, c: 10, d: 5 }) }).taken).toBeLessThan(5);
  });

  it('may end before anything is met: then there is the first choice, and nothing to divide', () => {
    const find = (open: string): Found => (open === 'abcd' ? { saved: {}, missed: 200 } : { saved: { a: 30 } });
    expect(choose({ groups, find })).toMatchObject({
      looked: ['abcd', 'ad'],
      chosen: { total: 970, mostMissed: 170, open: 'ad' },
    });
  });
});

describe('what a choice may miss', () => {
  const groups = { a: 'one', b: 'one', d: undefined } as const;
  const both = { a: 50, b: 50 };

  it('is what may be below a choice that was not divided', () => {
    // Both together cost 900 and may cost 600; the first choice costs 880.
    const find = (open: string): Found => (open === 'abd' ? { saved: both, missed: 300 } : { saved: { a: 120 } });
    expect(choose({ groups, find }).chosen).toMatchObject({ total: 880, mostMissed: 280 });
  });

  it('is known too where only benefits without a group are given', () => {
    const find = (open: string, work: Work): Found | undefined => {
      if (open === 'abd') return { saved: both, missed: 300 };
      if (open === 'd') return { saved: { d: 5 } };
      work.count(1_000);
      return undefined;
    };
    const { looked, chosen } = choose({ groups, find });
    expect(looked).toEqual(['abd', 'ad', 'd']);
    expect(chosen).toEqual({ total: 995, mostMissed: 395, open: 'd' });
  });

  it('is told where no choice was met, unless another round costs less', () => {
    const find = (open: string, work: Work): Found | undefined => {
      if (open === 'abd') return { saved: both, missed: 300 };
      work.count(1_000);
      return undefined;
    };
    const [less, same, more] = [599, 600, 601].map((bestCost) => choose({ groups, find, bestCost }).chosen);
    expect([less, same, more]).toEqual([undefined, { least: 600 }, { least: 600 }]);
  });
});
