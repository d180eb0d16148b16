/** With net minimums: which combinations are looked for, with how many steps, which lines keep their price, and what is then known. */

import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { localTime } from '../../src/compile/calendar.ts';
import { solveWithNetMinimums } from '../../src/decide/net-minimums.ts';
import type { Outcome } from '../../src/decide/outcome.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import { readLines } from '../../src/lines/lines.ts';
import { findOffers, isAt } from '../../src/offers/offers.ts';
import { Work } from '../../src/work.ts';
import { buildBasket } from '../support/basket.ts';
import { allocated, line, staff } from '../support/choices.ts';
import { buildMember, buildVenue } from '../support/programme.ts';

const STEPS = 1_000;
const net = (benefitId: string, minimumSpend: number, more: object = {}): BenefitDefinition =>
  ({
    benefitId,
    kind: 'order_amount',
    amount: 50,
    minimumSpend,
    minimumSpendBasis: 'net',
    ...more,
  }) as BenefitDefinition;
const on = (...productIds: string[]) => ({ appliesTo: { productIds } });
const plain: BenefitDefinition = { benefitId: 'p', kind: 'order_amount', amount: 10 };
const lines = (count: number): BasketLine[] => Array.from({ length: count }, (_, at) => line(`l${at}`, 1, 1_000));

/** What was looked for: the benefits, whether with the minimums as they are, and the lines that keep their price. */
interface Look {
  readonly open: string;
  readonly closed: string;
  readonly isHeeded: boolean;
}

/** What each line saves, and how much less the basket may cost. */
interface Found {
  readonly saved: readonly number[];
  readonly missed?: number;
}

interface Asked {
  readonly policies?: Partial<ProgrammeDefinition>;
  readonly withLoyaltyOrderDiscounts?: boolean;
  readonly bestCost?: number;
  readonly find?: (look: Look, work: Work, bestCost: number) => Found | undefined;
}

const tenths: Found = { saved: Array.from({ length: 20 }, () => 100) };

function solve(basket: BasketRequest, vouchers: BenefitDefinition[], asked: Asked = {}) {
  const {
    policies,
    withLoyaltyOrderDiscounts = true,
    bestCost = Number.POSITIVE_INFINITY,
    find = () => tenths,
  } = asked;
  const venue = buildVenue(vouchers, policies);
  const facts = readLines(basket.lines, venue.programme.existingLineDiscounts, undefined);
  const time = localTime(basket.requestedAt, venue.timeZone);
  const situation = { basket, member: buildMember(), venue, time, isClockOff: false };
  const selection = findOffers(situation, new Map(), new Work(STEPS));
  const work = new Work(STEPS);
  const looks: string[] = [];
  const steps: number[] = [];
  const round = { standing: { lines: facts, withLoyaltyOrderDiscounts }, lines: facts, selection, gifts: [] };
  const outcome = solveWithNetMinimums(
    round,
    { basket, lines: facts, venue, work },
    bestCost,
    (own, _input, most, minimums) => {
      const open = own.selection.map(({ benefit }) => benefit.benefitId).join('');
      const closed = own.lines.flatMap(({ isOpen, isOpenToLineBenefits, index }) =>
        isOpen || isOpenToLineBenefits || !facts[index]!.isOpen ? [] : index,
      );
      const look = { open, closed: closed.join(), isHeeded: minimums === 'heeded' };
      looks.push(`${open}${look.isHeeded ? ' heeded' : ''}${closed.length > 0 ? ` but ${look.closed}` : ''}`);
      steps.push(work.left);
      const found = find(look, work, most);
      if (!found) return undefined;
      const parts = facts.map((own, at) => {
        const saving = closed.includes(at) ? 0 : found.saved[at]!;
        return { ...own, line: own, items: 1, effect: saving, rest: own.incoming - saving };
      });
      const orders = own.selection.flatMap((offer) =>
        isAt(offer, 'order') && !look.isHeeded ? [{ offer, amount: 50, shares: [] }] : [],
      );
      const total = parts.reduce((sum, { rest }) => sum + rest, 0) - 50 * orders.length;
      const search = { steps: 0, mostMissed: found.missed ?? 0 };
      return { total, parts, orders, gifts: [], uses: [], search } as unknown as Outcome;
    },
  );
  return { looks, steps, total: outcome?.total, mostMissed: outcome?.search.mostMissed };
}

describe('a discount on the order', () => {
  it('whose lines cost enough takes one look', () => {
    expect(solve(buildBasket(lines(2)), [net('v', 1_800)])).toMatchObject({ looks: ['v'], total: 1_750 });
    // Without such a minimum, or where none on the order is given, the search takes it as it is.
    expect(solve(buildBasket(lines(2)), [plain]).looks).toEqual(['p heeded']);
    const asked = { withLoyaltyOrderDiscounts: false };
    expect(solve(buildBasket(lines(2)), [net('v', 5_000)], asked).looks).toEqual(['v heeded']);
  });

  it('is not looked at where another round costs less', () => {
    const find = (_look: Look, _work: Work, bestCost: number) => (bestCost === 700 ? undefined : tenths);
    const told = solve(buildBasket(lines(2)), [net('v', 1_801)], { find, bestCost: 700 });
    expect(told).toMatchObject({ looks: ['v'], total: undefined });
  });

  it.each<[string, BasketLine, object, Partial<ProgrammeDefinition>, number]>([
    ['as it came', line('x', 1, 1_000), {}, {}, 1_000],
    ['without what the staff took off the order', line('x', 1, 1_000, allocated(200)), {}, {}, 800],
    ['with a discount of the staff that may give way', line('x', 1, 1_000, staff(100)), {}, {}, 1_000],
    [
      'without a discount of the staff that stays',
      line('x', 1, 1_000, staff(100)),
      {},
      { existingLineDiscounts: 'stack' },
      900,
    ],
    [
      'with goods that take no discount, where the basket counts',
      line('x', 1, 1_000),
      { minimumSpendOn: 'basket' },
      {},
      1_300,
    ],
  ])('is looked at only where its lines can cost enough: %s', (_about, own, more, policies, most) => {
    const basket = buildBasket([own, line('paper', 1, 300, { noDiscount: true })]);
    const looksFor = (minimum: number) => solve(basket, [net('v', minimum, more), plain], { policies }).looks[0];
    expect([most, most + 1].map(looksFor)).toEqual(['pv', 'p heeded']);
  });
});

describe('where lines cost too little', () => {
  const one = net('v', 1_801);

  it('few are decided at once, and no more is looked for where nothing can cost less', () => {
    const find = ({ isHeeded }: Look) => (isHeeded ? { saved: [100, 99] } : tenths);
    expect(solve(buildBasket(lines(2)), [one], { find })).toMatchObject({
      looks: ['v', 'v heeded'],
      total: 1_801,
      mostMissed: 0,
    });
    const more = ({ isHeeded }: Look) => (isHeeded ? { saved: [100, 99], missed: 20 } : tenths);
    expect(solve(buildBasket(lines(2)), [one], { find: more }).looks.length).toBeGreaterThan(2);
    expect(solve(buildBasket(lines(12)), [net('v', 10_801)]).looks[1]).toBe('v heeded');
    expect(solve(buildBasket(lines(13)), [net('v', 11_701)]).looks[1]).toBe('');
  });

  it('up to three benefits are left out in every way, of more all and those that are not met', () => {
    const many = lines(13);
    const looksFor = (minimums: number[]) =>
      solve(
        buildBasket(many),
        minimums.map((minimum, at) => net('abcd'[at]!, minimum)),
      ).looks;
    expect(looksFor([11_701, 11_702]).slice(1, 4)).toEqual(['', 'a', 'b']);
    expect(looksFor([11_701, 11_702, 11_703]).slice(1, 8)).toEqual(['', 'a', 'b', 'ab', 'c', 'ac', 'bc']);
    expect(looksFor([11_000, 11_701, 11_702, 11_703]).slice(1, 4)).toEqual(['', 'a', 'abcd but 0']);
  });

  it('the same lines without the discount are kept where nothing else costs less', () => {
    const find = ({ open, closed }: Look) =>
      open === 'v' && closed === '' ? tenths : { saved: tenths.saved.map(() => 50) };
    expect(solve(buildBasket(lines(13)), [net('v', 11_701)], { find })).toMatchObject({ total: 11_700 });
  });

  it('a combination without the benefit is taken where it costs less', () => {
    const find = ({ open }: Look) => (open === '' ? { saved: tenths.saved.map(() => 110) } : tenths);
    expect(solve(buildBasket(lines(13)), [net('v', 11_701)], { find })).toMatchObject({ total: 11_570 });
  });

  it('beside a benefit that is left out those are given that are met', () => {
    const find = ({ open, closed }: Look) => ({
      saved: tenths.saved.map(() => (closed ? 10 : open === 'a' ? 90 : 100)),
    });
    // Thirteen lines at 9.10, less 5.00.
    const vouchers = [net('a', 11_701, { amount: 500 }), net('b', 12_900)];
    expect(solve(buildBasket(lines(13)), vouchers, { find })).toMatchObject({ total: 11_330 });
  });

  it('what may be missed of the best one is told', () => {
    const two = [net('v', 11_701), net('w', 11_702)];
    const missed = (look: Look) => ({ ...tenths, missed: look.open === 'vw' && look.closed === '' ? 30 : 0 });
    expect(solve(buildBasket(lines(13)), two, { find: missed })).toMatchObject({ total: 11_700, mostMissed: 130 });
  });
});

describe('the steps where lines cost too little', () => {
  it('are half of all with the minimum met, three quarters for few lines, and then parts of what is left', () => {
    const few = solve(buildBasket(lines(2)), [net('v', 1_801)], { find: () => ({ ...tenths, missed: 1 }) });
    expect(few.looks).toEqual(['v', 'v heeded', '', 'v but 0']);
    expect(few.steps.map((own) => Math.round(own / 10))).toEqual([50, 75, 50, 100]);
    const vouchers = ['a', 'b', 'c'].map((name, at) => net(name, 11_701 + at));
    const many = solve(buildBasket(lines(13)), vouchers);
    expect(many.steps.slice(1, 8).map((own) => Math.round(STEPS / own))).toEqual([8, 7, 6, 5, 4, 3, 2]);
  });

  it('end what is looked for, and what was found is taken', () => {
    const find = (_look: Look, work: Work) => {
      work.count(STEPS);
      return tenths;
    };
    expect(solve(buildBasket(lines(13)), [net('v', 11_701)], { find })).toMatchObject({ looks: ['v'], total: 11_700 });
  });
});

describe('of the lines that may keep their price', () => {
  const closedOf = (saved: readonly number[], short: number, more: Partial<Asked> = {}, count = saved.length) => {
    const rest = Array.from({ length: 13 - count }, (_, at) => line(`r${at}`, 1, 1_000, { productId: 'rest' }));
    const own = saved.map((_, at) => line(`l${at}`, 1, 1_000, { productId: 'own' }));
    const sum = saved.reduce((all, each) => all + each, 0);
    const all = [...saved, ...rest.map(() => 10)];
    const told = solve(buildBasket([...own, ...rest]), [net('v', 1_000 * count - sum + short, on('own'))], {
      find: () => ({ saved: all }),
      ...more,
    });
    return told.looks.filter((look) => look.includes('but')).map((look) => look.split('but ')[1]);
  };

  it('those that save as little more as may be do, one line rather than two, and none that does not count', () => {
    expect(closedOf([100, 100, 200], 150)).toEqual(['2']);
    expect(closedOf([300, 200, 100], 250)).toEqual(['0']);
    expect(closedOf([300, 200, 100], 350)).toEqual(['0,2']);
    expect(closedOf([300, 200, 100], 600)).toEqual(['0,1,2']);
    expect(closedOf([300, 200, 0], 500)).toEqual(['0,1']);
  });

  it('what the staff took off the order is no part of what a line saves', () => {
    const basket = buildBasket([line('x', 1, 1_000, allocated(50)), ...lines(12)]);
    const find = () => ({ saved: [100, 120, ...tenths.saved.slice(0, 11).map(() => 130)] });
    const sum = 13_000 - 50 - 220 - 11 * 130;
    expect(solve(basket, [net('v', sum + 100)], { find }).looks).toContain('v but 0');
  });

  it('none does where all of them together are too little', () => {
    const basket = buildBasket([line('x', 1, 1_000, staff(100)), ...lines(12)]);
    expect(solve(basket, [net('v', 1_000, on('x'))]).looks).toEqual(['v', '']);
  });

  it('those that are not needed are found one by one where few steps are left', () => {
    const few = (saved: number[], short: number, left = 2) => {
      const find = ({ open }: Look, work: Work) => {
        if (open === '') work.count(STEPS - work.spent - left);
        return { saved: [...saved, ...Array.from({ length: 10 }, () => 10)] };
      };
      return closedOf(saved, short, { find });
    };
    expect(few([300, 200, 100], 150)).toEqual(['1']);
    expect(few([300, 200, 100], 100)).toEqual(['2']);
    expect(few([300, 200, 100], 600)).toEqual(['0,1,2']);
    expect(few([300, 200, 100], 250)).toEqual(['1,2']);
    expect(few([300, 200, 100, 0, 0, 0, 0, 0], 250, 5)).toEqual(['0']);
  });

  it('more do up to three times where others then save more', () => {
    const find = ({ closed }: Look) => ({
      saved: tenths.saved.map((own) => own + 20 * closed.split(',').filter(Boolean).length),
    });
    const closed = solve(buildBasket(lines(13)), [net('v', 11_701)], { find }).looks.filter((look) =>
      look.includes('but'),
    );
    expect(closed).toHaveLength(3);
  });
});
