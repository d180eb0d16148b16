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
