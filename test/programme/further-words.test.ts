/** Conditions and choices of benefits: what of them is refused, and what `check` warns of. */
import { describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';
import { ofCoffee, oslo, ten, warn } from './warned.ts';

/** The errors of a programme with this benefit, as `path: found …, allowed: …`; the path from the benefit on. */
function errorsOf(benefit: object, programme: object = {}): string[] {
  const programmes = [{ programmeId: 'club', ...programme, benefits: [{ benefitId: 'b', ...ten, ...benefit }] }];
  const text = JSON.stringify({ environment: 'staging', venues: [oslo], programmes });
  const { faults } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');
  return faults.map(
    ({ path, found, allowed }) => `${path.replace('programmes[0].benefits[0]', '')}: ${found}, ${allowed}`,
  );
}

const coffee = ofCoffee.appliesTo;

describe('requires', () => {
  it.each<[string, unknown, string]>([
    ['nothing', {}, '.requires: {}, one or more of appliesTo, quantity and spend'],
    ['an empty list', [], '.requires: [], a list of 1 to 4 requirements'],
    [
      'too many',
      Array(5).fill({ quantity: 2 }),
      '.requires: [{"quantity":2},{"quantity":2},{"quantity":2},{"quantity":2},{"quantity":2}], a list of 1 to 4 requirements',
    ],
    ['no units', { quantity: 0 }, '.requires.quantity: 0, a whole number from 1 to 1000'],
    [
      'goods that it leaves out again',
      [{ appliesTo: { productIds: ['1'], excludeProductIds: ['1'] } }],
      '.requires[0].appliesTo.excludeProductIds: ["1"], a list that leaves one of productIds',
    ],
  ])('is refused with %s', (_, requires, error) => {
    expect(errorsOf({ requires })).toEqual([error]);
  });

  it('names its amount by currency where the venues have several', () => {
    const two = { ...oslo, currencies: ['NOK', 'SEK'] };
    const programmes = [{ programmeId: 'club', benefits: [{ benefitId: 'b', ...ten, requires: [{ spend: 5 }] }] }];
    const text = JSON.stringify({ environment: 'staging', venues: [two], programmes });
    const { faults } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');
    expect(faults.map(({ path }) => path)).toEqual(['programmes[0].benefits[0].requires[0].spend']);
  });

  it.each<[string, object, string[]]>([
    [
      'what every basket has',
      { requires: { quantity: 1 } },
      ['[0].requires: has no effect: every basket has one unit'],
    ],
    [
      'what it discounts',
      { ...ofCoffee, requires: [ofCoffee] },
      ['[0].requires[0]: has no effect: it has no effect without one of these products anyway'],
    ],
    ['more of what it discounts', { ...ofCoffee, requires: { ...ofCoffee, quantity: 2 } }, []],
    [
      'a product that nobody sells',
      { requires: { appliesTo: { productGroupIds: ['cofee'] } } },
      [
        '[0].requires.appliesTo.productGroupIds[0]: nobody can get it: no product of a venue and no other benefit has this name, cofee; did you mean coffee?',
      ],
    ],
  ])('warns of %s', (_, benefit, warnings) => {
    expect(warn({ ...ten, ...benefit })).toEqual(warnings);
  });

  it('warns of goods that the programme leaves out', () => {
    const programme = { exclude: { ...coffee } };
    expect(warn({ ...ten, appliesTo: { productGroupIds: ['pastry'] }, requires: ofCoffee }, { programme })).toEqual([
      '[0].requires.appliesTo: nobody can get it: `exclude` of the programme leaves out every product that qualifies',
    ]);
  });
});

it('minimumQuantityOn is refused without a minimum', () => {
  expect(errorsOf({ minimumQuantityOn: 'basket' })).toEqual([
    '.minimumQuantityOn: "basket", basket together with minimumQuantity',
  ]);
});

describe('excludeDiscounted', () => {
  const fullPrice = { excludeDiscounted: true };
  const set = (buy: object, get: object) => ({
    ...{ kind: 'buy_x_get_y', percent: undefined },
    ...{ buy: { quantity: 1, appliesTo: buy }, get: { quantity: 1, appliesTo: get } },
  });

  it('is in any selector, and not alone where a programme leaves lines out', () => {
    expect(errorsOf({ appliesTo: fullPrice }, { exclude: { productGroupIds: ['coffee'], ...fullPrice } })).toEqual([]);
    expect(errorsOf({}, { exclude: fullPrice })).toEqual([
      'programmes[0].exclude: {"excludeDiscounted":true}, one or more of productIds, productMasterIds, productGroupIds, eans: without them every line would be left out',
    ]);
    expect(errorsOf({ appliesTo: { excludeDiscounted: 1 } })).toEqual([
      '.appliesTo.excludeDiscounted: 1, true or false',
    ]);
  });

  it('is refused in one half of a set that names goods besides', () => {
    expect(errorsOf(set(coffee, { ...coffee, ...fullPrice }))).toEqual([]);
    expect(errorsOf(set({ ...coffee, ...fullPrice }, { ...coffee, productIds: ['1'] }))).toEqual([]);
    const wider = { productGroupIds: ['coffee', 'tea'], ...fullPrice };
    expect(errorsOf(set(wider, coffee))).toEqual([
      '.get.appliesTo: {"productGroupIds":["coffee"]}, the goods of buy.appliesTo, other goods, or one of the two within the other',
    ]);
  });

  it('warns where such lines are kept anyway', () => {
    const programme = { existingLineDiscounts: 'keep' };
    const warning =
      '[0].appliesTo.excludeDiscounted: has no effect: existingLineDiscounts: keep leaves these lines as they are';
    expect(warn({ ...ten, appliesTo: fullPrice }, { programme })).toEqual([warning]);
    expect(warn({ ...ten, appliesTo: fullPrice, minimumSpend: 50_000 }, { programme })).toEqual([]);
    expect(warn({ ...ten, kind: 'order_percent', appliesTo: fullPrice }, { programme })).toEqual([]);
    expect(warn({ ...ten, appliesTo: fullPrice })).toEqual([]);
  });
});

describe('priorities', () => {
  const idle = (at: number) =>
    `[${at}].priority: decides nothing but ties: the benefits that save most are chosen; to make it win, put it and those that it is to beat into a group with take: priority`;
  const order = { kind: 'order_percent', percent: 10 };
  const five = { ...ten, percent: 5 };
  const set = (pick: string) => ({
    kind: 'buy_x_get_y',
    buy: { quantity: 1 },
    get: { quantity: 1, percent: 50 },
    pick,
  });
  const group = { group: 'one' };
  const taking = (take: string) => ({ programme: { groups: { one: { atMost: 1, take } } } });

  it.each<[string, object[], number[], object?]>([
    ['of lines', [{ ...ten, priority: 1 }, five], [0]],
    [
      'that are equal',
      [
        { ...ten, priority: 1 },
        { ...five, priority: 1 },
      ],
      [],
    ],
    ['of one benefit alone', [{ ...ten, priority: 1 }], []],
    [
      'that break a tie',
      [
        { ...ten, priority: 1 },
        { ...ten, ...ofCoffee },
      ],
      [],
    ],
    [
      'of the order before another',
      [
        { ...order, priority: 1 },
        { ...order, percent: 5 },
      ],
      [],
    ],
    ['of the order beside lines', [{ ...order, priority: 1 }, ten], [0]],
    [
      'of the cheapest',
      [
        { ...set('cheapest'), priority: 1 },
        { ...set('cheapest'), get: { quantity: 2 } },
      ],
      [],
    ],
    ['of sets', [{ ...set('per_set'), priority: -1 }, ten], [0]],
    [
      'of a benefit that is off beside',
      [
        { ...ten, priority: 1 },
        { ...five, enabled: false },
      ],
      [],
    ],
    [
      'in a group that takes by saving',
      [
        { ...ten, ...group, priority: 1 },
        { ...five, ...group },
      ],
      [0],
      taking('saving'),
    ],
    [
      'in a group that takes by priority',
      [
        { ...ten, ...group, priority: 1 },
        { ...five, ...group },
      ],
      [],
      taking('priority'),
    ],
  ])('%s are warned of where they decide nothing', (_, benefits, warned, around = {}) => {
    expect(warn(benefits, around)).toEqual(warned.map(idle));
  });

  it('of a group that has an error are not judged', () => {
    const benefits = [
      { ...ten, ...group, priority: 1, benefitId: 'b' },
      { ...five, ...group, benefitId: 'c' },
    ];
    const programmes = [{ programmeId: 'club', groups: { one: { take: 'priority' } }, benefits }];
    const text = JSON.stringify({ environment: 'staging', venues: [oslo], programmes });
    const { faults, warnings } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');
    expect(faults.map(({ path }) => path)).toEqual(['programmes[0].groups.one.atMost']);
    expect(warnings).toEqual([]);
  });

  it('that are one and the same in a group that takes by priority are warned of', () => {
    expect(
      warn(
        [
          { ...ten, ...group },
          { ...five, ...group },
        ],
        taking('priority'),
      ),
    ).toEqual(['programmes[0].groups.one.take: has no effect: all its benefits have the priority 0']);
  });
});

it('a group takes by saving or by priority', () => {
  expect(errorsOf({}, { groups: { one: { atMost: 1, take: 'first' } } })).toEqual([
    'programmes[0].groups.one.take: "first", one of saving, priority',
  ]);
});

describe('fundedBy', () => {
  it('has 1 to 64 characters', () => {
    expect(errorsOf({ fundedBy: 'Nordic Roasters AS, Oslo' })).toEqual([]);
    const allowed = 'a text of 1 to 64 characters';
    expect(errorsOf({ fundedBy: '' })).toEqual([`.fundedBy: "", ${allowed}`]);
    expect(errorsOf({ fundedBy: 'x'.repeat(65) })[0]).toContain(allowed);
  });

  it('warns of a name that nearly is that of others', () => {
    const funded = (fundedBy: string) => ({ ...ten, fundedBy });
    expect(warn([funded('Roasters'), funded('Roasters'), funded('Roaster')])).toEqual([
      '[2].fundedBy: no other benefit is funded by Roaster; did you mean Roasters?',
    ]);
    expect(warn([funded('Roasters'), funded('Dairy')])).toEqual([]);
  });
});

it('pick: cheapest of lines is refused without a number of units', () => {
  const error = '.pick: "cheapest", cheapest together with maximumUnits, or with a limit that counts items';
  expect(errorsOf({ pick: 'cheapest' })).toEqual([error]);
  const limit = { quantity: 1, period: 'day', counts: 'baskets' };
  expect(errorsOf({ pick: 'cheapest', limit })).toEqual([error]);
  expect(errorsOf({ pick: 'cheapest', limit: { ...limit, counts: 'items' } })).toEqual([]);
  expect(errorsOf({ pick: 'cheapest', maximumUnits: 1 })).toEqual([]);
  expect(errorsOf({ pick: 'best' })).toEqual([]);
});

describe('pick: cheapest of lines', () => {
  const cheapest = { ...ten, pick: 'cheapest' };
  const limit = (quantity: number, counts = 'items') => ({ quantity, period: 'day', counts });
  const idle = (units: number) => [
    `[0].pick: has no effect: ${units} units are all that a basket has; \`maximumUnits: 1\` makes the cheapest one cheaper`,
  ];
  const picks = (benefit: object) => warn({ ...cheapest, ...benefit }).filter((text) => text.includes('.pick'));

  it('warns where it may take more units than a basket has', () => {
    expect(picks({ maximumUnits: 200 })).toEqual(idle(200));
    expect(picks({ maximumUnits: 300, limit: [limit(250), limit(1, 'baskets')] })).toEqual(idle(250));
  });

  it('and not where it takes some of them, or where all may be taken', () => {
    expect(picks({ maximumUnits: 199 })).toEqual([]);
    expect(picks({ maximumUnits: 500, limit: limit(3) })).toEqual([]);
    expect(picks({ pick: 'best', maximumUnits: 500 })).toEqual([]);
    const set = { kind: 'buy_x_get_y', percent: undefined, buy: { quantity: 1 }, get: { quantity: 1, percent: 50 } };
    expect(picks({ ...set, maximumUnits: 500 })).toEqual([]);
  });
});

it('get.complete is refused where a set gives one unit', () => {
  const set = (get: object) => ({ kind: 'buy_x_get_y', percent: undefined, buy: { quantity: 1 }, get });
  expect(errorsOf(set({ quantity: 2, complete: true }))).toEqual([]);
  expect(errorsOf(set({ quantity: 1, complete: false }))).toEqual([]);
  expect(errorsOf(set({ quantity: 1, complete: true }))).toEqual([
    '.get.complete: true, true where get.quantity is 2 or more: a set that gives one unit is always complete',
  ]);
});
