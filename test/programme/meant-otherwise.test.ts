/** Words of a benefit that were probably meant otherwise, and benefits that nobody can get. */
import { describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';
import { type Around, anna, coffee, malmo, oslo, ten, warn } from './warned.ts';

describe('words that were probably meant otherwise', () => {
  it('a percentage below one', () => {
    expect(warn({ kind: 'line_percent', percent: 0.99 })).toEqual([
      '[0].percent: 0.99 is 0.99 %, less than one per cent: 99 % is written 99',
    ]);
    const set = { kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 } };
    expect([warn(set), warn({ ...set, get: { quantity: 1, percent: 1 } })]).toEqual([[], []]);
  });

  it('a year of which two digits changed places, in any of its windows; not one of the year after next', () => {
    expect(warn({ ...ten, when: { from: '2062-01-31' } })).toEqual([
      '[0].when.from: it begins in 36 years, on 2062-01-31; is the year meant?',
    ]);
    expect(warn({ ...ten, when: [{ weekdays: ['mon'] }, { from: '2029-01-01' }] })).toEqual([
      '[0].when[1].from: it begins in 3 years, on 2029-01-01; is the year meant?',
    ]);
    expect(warn({ ...ten, when: { from: '2028-12-31' } })).toEqual([]);
  });

  it('a limit of one basket that counts baskets', () => {
    const limit = { quantity: 2, period: 'basket', counts: 'baskets' };
    expect(warn({ ...ten, limit })).toEqual([
      '[0].limit: has no effect: one basket always counts as one; use counts: items',
    ]);
    expect(warn({ ...ten, limit: { ...limit, counts: 'items' } })).toEqual([]);
  });

  it('nothing of a benefit that is switched off', () => {
    const odd = { kind: 'order_amount', amount: 50, when: { to: '2020-01-01' }, audience: 'granted' };
    expect(warn(odd)).not.toEqual([]);
    expect(warn({ ...odd, enabled: false })).toEqual([]);
  });

  it('hours over more than half a day', () => {
    const open = (...hours: string[]) => warn({ ...ten, when: hours.map((each) => ({ hours: each })) });
    expect(open('12:00-00:00', '08:00-23:00', '20:00-08:00')).toEqual([]);
    expect(open('12:00-14:00', '11:59-00:00')).toEqual([
      '[0].when[1].hours: these hours run backwards: it is open from 11:59 past midnight until 00:00 of the next day, 12 hours; did you mean 00:00-11:59?',
    ]);
    expect(open('10:00-08:30')[0]).toContain('of the next day, 23 hours;');
  });

  it('an amount that leaves out a currency, told once with the first venue that has it', () => {
    const both = { ...malmo, currencies: ['NOK', 'SEK'] };
    const voucher = { kind: 'order_amount', amount: { NOK: 500 } };
    expect(warn(voucher, { venues: [both] })).toEqual([
      '[0].amount: it has no amount in SEK, which venue malmo sells in: no basket in SEK gets the benefit',
    ]);
    expect(warn(voucher, { venues: [oslo, both, { ...malmo, venueId: 'ystad', terminalSetups: ['3'] }] })).toEqual([
      '[0].amount: it has no amount in SEK, which venue malmo sells in: no basket in SEK gets the benefit',
    ]);
    expect(warn({ ...voucher, amount: { SEK: 500, EUR: 50 } })).not.toContainEqual(
      expect.stringContaining('it has no amount in'),
    );
  });

  it('a price of a unit without products', () => {
    const price = (appliesTo: object) => warn({ kind: 'unit_price', unitPrice: 3_000, appliesTo });
    const words = 'every product gets this price: select the products with appliesTo';
    expect(price({})).toEqual([`[0].appliesTo: ${words}`]);
    expect(price({ excludeProductIds: ['4711'] })).toEqual([`[0].appliesTo: ${words}`]);
    expect(price({ productGroupIds: ['coffee'] })).toEqual([]);
  });

  it('grants of what everybody has', () => {
    const card = { benefitId: 'b0', grantId: 'card-7' };
    const members = [
      { ...anna, grants: ['b0'] },
      { ...anna, loyaltyId: 'berit', grants: [card] },
      { ...anna, loyaltyId: 'carl' },
    ];
    const words =
      '2 members have grants of it, and everybody has it without one: with audience: granted only holders of a grant get it';
    expect(warn({ ...ten, audience: 'everyone' }, { members })).toEqual([`[0].audience: ${words}`]);
    expect(warn(ten, { members })).toEqual([`[0]: ${words}`]);
    expect(warn({ ...ten, audience: 'granted' }, { members })).toEqual([]);
    expect(warn(ten, { members: [members[2]!] })).toEqual([]);
  });

  it('grants of a campaign that has ended', () => {
    const members = [{ ...anna, grants: [] }];
    const held = (...benefitIds: string[]) => ({
      members,
      known: [
        { programmeId: 'club', grants: benefitIds },
        { programmeId: 'club', grants: ['summer'] },
        { programmeId: 'club' },
      ],
    });
    const told = (who: string, name: string, meant = '') =>
      `: ${who} a grant of ${name}, which the programme does not have: its campaign has ended, and the grant is kept without effect${meant}`;
    expect(warn(ten, held('summer', 'summer'))).toEqual([told('2 members hold', 'summer')]);
    const meant = warn({ ...ten, benefitId: 'sumer', audience: 'granted' }, held('sumer'));
    expect(meant).toEqual([told('1 member holds', 'summer', '; if it is misspelt, sumer may be meant')]);
  });
});

describe('a benefit that nobody can get', () => {
  it('because every window is over', () => {
    const until = (...days: (string | undefined)[]) =>
      warn({ ...ten, when: days.map((to) => ({ from: '2026-01-01', to })) });
    expect(until('2026-11-20', '2026-10-01')).toEqual(['[0].when: nobody can get it: it ended on 2026-11-20']);
    expect([until('2026-11-20', '2026-11-21'), until('2026-11-20', undefined)]).toEqual([[], []]);
  });

  it('because it takes more units at once than it may', () => {
    const get = (quantity: number, complete: boolean) =>
      warn({ kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity, complete }, maximumUnits: 2 });
    expect([get(2, true), get(3, false)]).toEqual([[], []]);
    expect(get(3, true)).toEqual(['[0].maximumUnits: nobody can get it: it takes 3 units at once, and 2 in a basket']);
    const limit = (quantity: number, counts = 'items') => [{ quantity, period: 'day', counts }];
    const pair = { kind: 'bundle_price', items: [{ quantity: 1 }, { quantity: 2 }], percent: 10 };
    expect([warn({ ...pair, limit: limit(3) }), warn({ ...pair, limit: limit(2, 'baskets') })]).toEqual([[], []]);
    expect(warn({ ...pair, limit: limit(2) })).toEqual([
      '[0].limit[0].quantity: nobody can get it: it takes 3 units at once, and its limit has 2',
    ]);
  });

  it('because it never saves as much as it has to', () => {
    const told = (most: number) =>
      `[0].minimumSaving: nobody can get it in NOK: it saves at most ${most}, and 6000 at least are asked for`;
    const asks = { minimumSaving: 6_000 };
    const order = { kind: 'order_amount', amount: 5_999, minimumSpend: 20_000, ...asks };
    expect(warn(order)).toEqual([told(5_999)]);
    expect([warn({ ...order, amount: 6_000 }), warn({ ...order, perSpend: 10_000 })]).toEqual([[], []]);
    const five = { kind: 'order_percent', percent: 5, ...asks };
    expect(warn({ ...five, maximumDiscount: 4_000 })).toEqual([told(4_000)]);
    expect([warn(five), warn({ ...five, maximumDiscount: { NOK: 6_000 } })]).toEqual([[], []]);
    const month = { quantity: 5_000, period: 'month' };
    expect(warn({ ...five, limit: { ...month, counts: 'money' } })).toEqual([told(5_000)]);
    expect(warn({ ...five, limit: { ...month, quantity: 5, counts: 'baskets' } })).toEqual([]);
    expect(warn({ ...ten, maximumUnits: 1 })).toEqual([]);
    // An amount off each unit is no most.
    expect(warn({ kind: 'line_amount', amount: 500, per: 'unit', ...asks })).toEqual([]);
  });

  it('because no venue has its place or its currency', () => {
    const venues = [oslo, { ...malmo, programmeId: 'other' }];
    const programme = { programmeId: 'club' };
    const inspect = (benefit: object) => {
      const programmes = [{ ...programme, benefits: [{ benefitId: 'b0', ...benefit }] }, { programmeId: 'other' }];
      const text = JSON.stringify({ environment: 'staging', venues, programmes });
      return inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21').warnings.map((warning) => warning.text);
    };
    const words = 'nobody can get it: none of its venueIds runs this programme';
    expect(inspect({ ...ten, when: [{ venueIds: ['malmo'] }, { venueIds: ['malmo'] }] })).toEqual([words]);
    expect(inspect({ ...ten, when: { venueIds: ['malmo', 'oslo'] } })).toEqual([]);
    expect(inspect({ ...ten, when: [{ venueIds: ['malmo'] }, {}] })).not.toContain(words);
    expect(inspect({ ...ten, when: [{ venueIds: [] }] })).not.toContain(words);
    expect(inspect({ kind: 'order_amount', amount: { SEK: 500 }, minimumSpend: { NOK: 5_000 } })).toEqual([
      'nobody can get it: no currency of a venue, NOK, has all its amounts',
      'no venue of the programme has this currency, SEK',
    ]);
  });

  it('because of its tier, unless it has other windows or tiers', () => {
    const members = [{ ...anna, tier: 'gold' }];
    const words = 'no member and no other benefit has the tier pearl';
    const tiers = (...windows: string[][]) =>
      warn({ ...ten, when: windows.map((names) => ({ tiers: names })) }, { members });
    expect(tiers(['pearl'])).toEqual([`[0].when[0].tiers[0]: nobody can get it: ${words}`]);
    expect(tiers(['gold', 'pearl'])).toEqual([`[0].when[0].tiers[1]: ${words}`]);
    expect(tiers(['gold'], ['pearl'])).toEqual([`[0].when[1].tiers[0]: ${words}`]);
    expect(
      warn(
        [
          { ...ten, when: { tiers: ['pearl'] } },
          { ...ten, when: { tiers: ['pearl'] } },
        ],
        { members },
      ),
    ).toEqual([]);
    expect(warn({ ...ten, when: { tiers: ['pearl'] } })).toEqual([]);
  });

  it('because no known member has a grant that is still good', () => {
    const granted = { ...ten, audience: 'granted' };
    const to = (day: string) => ({ members: [{ ...anna, grants: [{ benefitId: 'b0', grantId: 'card-7', to: day }] }] });
    const words = '[0].audience: nobody can get it: no known member has a grant of it';
    expect([warn(granted, to('2026-11-21')), warn(granted, to('2026-11-20'))]).toEqual([[], [words]]);
    expect(warn(granted, { members: [{ ...anna, grants: [{ benefitId: 'b0', grantId: 'card-7' }] }] })).toEqual([]);
    expect(warn([granted, granted], { members: [{ ...anna, grants: ['b1', 'b0'] }] })).toEqual([]);
    expect(warn([granted, ten], { members: [{ ...anna, grants: [{ benefitId: 'b1', grantId: 'b0' }] }] })).toContain(
      words,
    );
    expect([
      warn(granted),
      warn({ ...granted, kind: 'free_product', productId: '4711', percent: undefined }, { members: [anna] }),
    ]).toEqual([[], []]);
  });

  it('because its products are sold nowhere, or are left out', () => {
    const words = (name: string) => `no product of a venue and no other benefit has this name, ${name}`;
    const named = (appliesTo: object, around?: Around) => warn({ ...ten, appliesTo }, around);
    expect(named({ productGroupIds: ['tea', 'soup'] })).toEqual([
      `[0].appliesTo.productGroupIds[0]: nobody can get it: ${words('tea')}`,
      `[0].appliesTo.productGroupIds[1]: nobody can get it: ${words('soup')}`,
    ]);
    // Numbers of neighbours differ by one digit.
    expect(named({ productIds: ['4711', '4713', '471x', 'x711'] })).toEqual([]);
    expect(warn(ten, { programme: { exclude: { productIds: ['471x', 'x711'] } } })).toEqual([]);
    expect(named({ productGroupIds: ['coffee'], eans: ['7'] })).toEqual([]);
    const exclude = { exclude: { productGroupIds: ['coffee'] } };
    const hidden =
      '[0].appliesTo: nobody can get it: `exclude` of the programme leaves out every product that qualifies';
    expect(named({ productGroupIds: ['coffee'] }, { programme: exclude })).toEqual([hidden]);
    expect(named({ productGroupIds: ['coffee', 'pastry'] }, { programme: exclude })).toEqual([]);
    expect(warn(ten, { programme: { exclude: { productGroupIds: ['coffee', 'pastri', '4711x', 'tea'] } } })).toEqual([
      'programmes[0].exclude.productGroupIds[1]: it leaves out nothing: no product of a venue has this name, pastri; did you mean pastry?',
    ]);
    expect(
      warn(ten, { programme: { exclude: { productGroupIds: ['pastri'] } }, venues: [{ ...oslo, products: [] }] }),
    ).toEqual([]);
  });

  it('is told by its names only where every entry is right that could have them', () => {
    const benefits = [
      { benefitId: 'b0', ...ten, when: { tiers: ['pearl'] }, appliesTo: { productGroupIds: ['cofee'] }, group: 'one' },
      { benefitId: 'b1', ...ten, percnt: 1, when: { tiers: ['pearl'] }, group: 'one' },
    ];
    const many = Array.from({ length: 9 }, (_, at) => ({ benefitId: `many${at}`, ...ten, group: 'many' }));
    const selectors = {
      ...{ exclude: { productGroupIds: ['cofee'] }, groups: { one: { atMost: 1 }, many: { atMost: 1 } } },
    };
    const programmes = [{ programmeId: 'club', ...selectors, benefits: [...benefits, ...many] }];
    const file = {
      environment: 'staging',
      venues: [oslo],
      programmes,
      members: [{ ...anna, tier: 'gold', grants: [] }],
    };
    const known = [{ programmeId: 'club', grants: ['winter'] }];
    const { faults, warnings } = inspectEnvironment(sourceOf(JSON.stringify(file), 'x.yaml'), '2026-11-21', known);
    expect([faults.length, warnings]).toEqual([1, []]);
  });

  it('is not told by a name that a member or a venue with an error may have', () => {
    const told = (venues: object[], members: object[]) => {
      const benefits = [
        { benefitId: 'b0', ...ten, when: { tiers: ['pearl'] } },
        { benefitId: 'b1', ...ten, appliesTo: { productGroupIds: ['tea'] } },
      ];
      const file = { environment: 'staging', venues, programmes: [{ programmeId: 'club', benefits }], members };
      const { faults, warnings } = inspectEnvironment(sourceOf(JSON.stringify(file), 'x.yaml'), '2026-11-21');
      return [faults.length, warnings.length];
    };
    const gold = { ...anna, tier: 'gold' };
    const pearl = { ...anna, loyaltyId: 'berit', tier: 'pearl' };
    const tea = { ...malmo, products: [{ ...coffee, productGroupId: 'tea' }] };
    expect(told([oslo], [gold])).toEqual([0, 2]);
    expect(told([oslo], [gold, { ...pearl, status: 'actve' }])).toEqual([1, 0]);
    expect(told([oslo, { ...tea, terminalSetups: [] }], [gold])).toEqual([1, 0]);
    expect(told([oslo, tea], [gold, pearl])).toEqual([0, 0]);
  });

  it('because no venue runs its programme, and then nothing is said of its places and amounts', () => {
    const unused = ['programmes[0].programmeId: nobody can get its benefits: no venue runs this programme'];
    expect(warn({ kind: 'order_amount', amount: { NOK: 500 } }, { venues: [] })).toEqual(unused);
    const programmes = [
      { programmeId: 'club', benefits: [{ benefitId: 'b0', ...ten, when: { venueIds: ['malmo'] } }] },
      { programmeId: 'other' },
    ];
    const file = { environment: 'staging', venues: [{ ...malmo, programmeId: 'other' }], programmes };
    const { warnings } = inspectEnvironment(sourceOf(JSON.stringify(file), 'x.yaml'), '2026-11-21');
    expect(warnings.map(({ path }) => path)).toEqual(['programmes[0].programmeId']);
    expect([warn(ten, { venues: [] }), warn([], { venues: [] })]).toEqual([
      ['programmes[0].programmeId: nobody can get its benefits: no venue runs this programme'],
      [],
    ]);
  });
});
