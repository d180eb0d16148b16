/** What pricing asks a programme for, precomputed when it is loaded. */
import { describe, expect, it } from 'vitest';
import { compileProgramme } from '../src/compile/compile.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import { DEFAULT_MAXIMUM_STEPS } from '../src/work.ts';

const tenth = (benefitId: string, more: object = {}) =>
  ({ benefitId, kind: 'line_percent', percent: 10, ...more }) as BenefitDefinition;

const compiled = (benefits: BenefitDefinition[], more: Partial<ProgrammeDefinition> = {}, language?: string) =>
  compileProgramme({ programmeId: 'club', benefits, ...more }, language);

const only = (more: object, own: Partial<ProgrammeDefinition> = {}) => compiled([tenth('b', more)], own).benefits[0]!;

const daily = { quantity: 2, period: 'day', counts: 'baskets' } as const;

describe('a programme', () => {
  it('has its defaults where it names nothing', () => {
    const programme = compileProgramme({ programmeId: 'club' } as ProgrammeDefinition);
    expect(programme).toMatchObject({
      ...{
        programmeId: 'club',
        discountCode: 'loyalty',
        maximumSteps: DEFAULT_MAXIMUM_STEPS,
        benefits: [],
        disabled: [],
      },
      ...{ existingLineDiscounts: 'replace_if_larger', existingOrderDiscounts: 'keep', existingDiscountScope: 'line' },
      ...{ isRestricted: false, limited: [], hasCommonLimits: false, unselective: [] },
    });
    expect(programme).not.toHaveProperty('memberLabel');
    const named: Partial<ProgrammeDefinition> = {
      discountCode: 'club',
      maximumSteps: 9,
      memberLabel: { nb: 'Medlem', en: 'Member' },
      existingLineDiscounts: 'stack',
      existingOrderDiscounts: 'replace_if_larger',
      existingDiscountScope: 'basket',
    };
    expect(compiled([], named, 'en')).toMatchObject({ ...named, memberLabel: 'Member' });
  });

  it('has its benefits in the order of their benefitId, and those that are off apart', () => {
    const benefits = ['d', 'a', 'c', 'b'].map((id) => tenth(id, id > 'b' ? { enabled: id === 'c' } : {}));
    const { benefits: own, disabled } = compiled([...benefits, tenth('0', { enabled: false })]);
    expect(own.map(({ benefitId, ordinal }) => [benefitId, ordinal])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ]);
    expect(disabled).toEqual([{ benefitId: '0' }, { benefitId: 'd' }]);
  });

  it('knows which benefits name every line, each once', () => {
    const menu = {
      kind: 'bundle_price',
      bundlePrice: 5,
      items: [{ quantity: 1 }, { quantity: 2, appliesTo: { eans: ['7'] } }],
    };
    const programme = compiled([tenth('a', menu), tenth('b', { appliesTo: { eans: ['7'] } }), tenth('c')]);
    expect(programme.selectorIndex.selectors.map(({ ordinal }) => ordinal)).toEqual([0, 0, 1, 2]);
    expect(programme.unselective).toEqual([0, 2]);
    const set = { kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 } };
    expect(compiled([tenth('a', set)]).unselective).toEqual([0]);
  });

  it.each<[string, object, object]>([
    ['a group', { group: 'lunch' }, { isRestricted: true }],
    ['a minimum saving', { minimumSaving: 1 }, { isRestricted: true }],
    [
      'a shared limit by baskets',
      { limit: { ...daily, limitId: 'l' } },
      { isRestricted: true, hasCommonLimits: false },
    ],
    ['one of one basket', { limit: { ...daily, period: 'basket', limitId: 'l' } }, { isRestricted: true }],
    ['a shared limit by items', { limit: { ...daily, counts: 'items', limitId: 'l' } }, { isRestricted: false }],
    ['a limit of its own', { limit: daily }, { isRestricted: false, hasCommonLimits: false }],
    [
      'a limit for all members',
      { limit: { ...daily, of: 'programme' } },
      { isRestricted: false, hasCommonLimits: true },
    ],
    ['a net minimum', { minimumSpend: 1, minimumSpendBasis: 'net' }, { isRestricted: false }],
  ])('knows that any of its benefits has %s', (_what, more, flags) => {
    const groups = { lunch: { atMost: 2 } };
    expect(compiled([tenth('a'), tenth('b', more)], { groups })).toMatchObject(flags);
    expect(compiled([tenth('a')], { groups })).toMatchObject({ isRestricted: false });
  });

  it('has its benefits in each currency that any of them names', () => {
    const amount = (of: unknown) => ({ kind: 'line_amount', per: 'unit', amount: of });
    const programme = compiled([tenth('a', amount({ NOK: 5, SEK: 6 })), tenth('b', amount(7)), tenth('c')]);
    expect([...programme.inCurrency.keys()]).toEqual(['NOK', 'SEK']);
    const shown = (own: typeof programme) =>
      own.benefits.map(({ isPriced, namesMoney, currencies }) => [isPriced, namesMoney, currencies?.join()]);
    const others = [
      [true, true, undefined],
      [true, false, undefined],
    ];
    expect(shown(programme)).toEqual([[false, false, 'NOK,SEK'], ...others]);
    expect(shown(programme.inCurrency.get('SEK')!)).toEqual([[true, false, 'NOK,SEK'], ...others]);
    expect(compiled([tenth('c')]).inCurrency.size).toBe(0);
    const apart = compiled([tenth('a', amount({ NOK: 5 })), tenth('b', amount({ SEK: 6 }))]).inCurrency;
    const priced = ['NOK', 'SEK'].map((currency) => apart.get(currency)!.benefits.map(({ isPriced }) => isPriced));
    expect(priced).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('knows which of its benefits have a limit over baskets', () => {
    const ofBasket = { limit: { ...daily, period: 'basket' } };
    const { limited } = compiled([tenth('a'), tenth('b', { limit: daily }), tenth('c', ofBasket)]);
    expect(limited.map(({ benefitId }) => benefitId)).toEqual(['b']);
  });
});

describe('a benefit', () => {
  it('has its defaults where it names nothing', () => {
    expect(only({})).toMatchObject({
      ...{ minimumSpend: 0, netMinimum: 0, minimumSpendOn: 'eligible', minimumQuantity: 0, minimumSaving: 0 },
      ...{
        maximumDiscount: Number.POSITIVE_INFINITY,
        maximumUnits: Number.POSITIVE_INFINITY,
        limits: [],
        openings: [],
      },
      ...{ sharedInBasket: [], audience: 'everyone', group: undefined, exclusive: false, priority: 0, scaleNumber: 0 },
      ...{ minimumQuantityOn: 'eligible', requires: [], fundedBy: undefined },
      ...{ text: undefined, rungUp: undefined, namesMoney: false, isPriced: true, level: 'line' },
    });
    const named = {
      ...{ minimumSpend: 5, minimumSpendOn: 'basket', minimumQuantity: 6, minimumSaving: 7, maximumDiscount: 8 },
      ...{ maximumUnits: 9, audience: 'granted', exclusive: true, priority: 3, fundedBy: 'Roasters' },
    };
    expect(only(named)).toMatchObject({ ...named, netMinimum: 0, namesMoney: true });
    const net = { minimumSpend: 5, minimumSpendBasis: 'net' };
    expect(only(net)).toMatchObject({ minimumSpend: 0, netMinimum: 5 });
    expect(only({ group: 'lunch' }, { groups: { lunch: { atMost: 2 } } }).group).toEqual({
      name: 'lunch',
      atMost: 2,
      takesPriority: false,
    });
  });

  it('is bounded in one basket by the smallest of its limits', () => {
    const ofBasket = (counts: string, quantity: number, more = {}) => ({ period: 'basket', counts, quantity, ...more });
    const bounds = (more: object) => {
      const { maximumUnits, maximumDiscount, limits, sharedInBasket } = only(more);
      return [maximumUnits, maximumDiscount, limits.length, sharedInBasket.map(({ of }) => of)];
    };
    const both = [ofBasket('items', 4), ofBasket('money', 500), daily];
    expect(bounds({ limit: both })).toEqual([4, 500, 1, []]);
    expect(bounds({ limit: both, maximumUnits: 3, maximumDiscount: 400 })).toEqual([3, 400, 1, []]);
    expect(bounds({ limit: both, maximumUnits: 5, maximumDiscount: 600 })).toEqual([4, 500, 1, []]);
    const shared = ofBasket('items', 4, { limitId: 'l' });
    expect(bounds({ limit: [shared, { ...daily, limitId: 'm' }] })).toEqual([
      4,
      Number.POSITIVE_INFINITY,
      1,
      ['member'],
    ]);
    expect(only({ limit: [daily, { ...daily, of: 'venue' }] }).limits.map(({ of }) => of)).toEqual(['member', 'venue']);
  });

  it('takes its price from the list of the venue, or is compared with others of its scale', () => {
    const gift = { kind: 'free_product', productId: 'cake' };
    expect(only(gift)).toMatchObject({ namesMoney: true, scaleNumber: -1, level: 'gift' });
    const amount = { kind: 'line_amount', per: 'unit', amount: 5 };
    const { benefits } = compiled([tenth('a'), tenth('b', amount), tenth('c', gift), tenth('d'), tenth('e', amount)]);
    expect(benefits.map(({ scaleNumber }) => scaleNumber)).toEqual([0, 1, -1, 0, 1]);
    expect(benefits.map(({ selectors }) => selectors[0]!.isOfUnits)).toEqual([true, true, false, true, true]);
  });

  it('knows the lines that have what it gives already', () => {
    const gift = { kind: 'free_product', productId: 'cake' };
    expect(only(gift).rungUp).toBeUndefined();
    const { rungUp } = only({ ...gift, inBasketFirst: true });
    expect(rungUp!.included.map(({ field, names }) => [field, [...names]])).toEqual([['productId', ['cake']]]);
  });
});
