/** `check` warns of what is allowed and was probably meant otherwise, in sentences for whoever wrote the file. */
import { describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';

const flags = { noDiscount: false, noPercentageDiscount: false };
const products = [
  { productId: '4711', productGroupId: 'coffee', name: 'Coffee', unitPrice: 3_900, ...flags },
  { productId: '4712', productGroupId: 'pastry', name: 'Bun', unitPrice: 4_500, ...flags },
];
const oslo = {
  ...{ venueId: 'oslo', terminalSetups: ['1'], currencies: ['NOK'] },
  ...{ timeZone: 'Europe/Oslo', programmeId: 'club', products },
};
const malmo = { ...oslo, venueId: 'malmo', terminalSetups: ['2'], currencies: ['SEK'], timeZone: 'Europe/Stockholm' };
const ten = { kind: 'line_percent', percent: 10 };
const coffee = { appliesTo: { productIds: ['4711'] } };

interface Around {
  readonly venues?: readonly object[];
  readonly members?: readonly object[];
}

/** The warnings of a programme with these benefits, as `path: text`; the path from the programme on. */
function warningsOf(benefits: readonly object[], { venues = [oslo], members = [] }: Around = {}): string[] {
  const named = benefits.map((benefit, at) => ({ benefitId: `b${at}`, ...benefit }));
  const programmes = [{ programmeId: 'club', benefits: named }];
  const text = JSON.stringify({ environment: 'staging', venues, programmes, members });
  const { faults, warnings } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');
  expect(faults).toEqual([]);
  return warnings.map(({ path, text: words }) => `${path.replace('programmes[0].benefits', '')}: ${words}`);
}

describe('one benefit', () => {
  it.each<[string, object, string, Around?]>([
    [
      'a percentage as a spreadsheet writes it',
      { kind: 'line_percent', percent: 0.2 },
      '[0].percent: 0.2 is 0.2 %, less than one per cent: 20 % is written 20',
    ],
    [
      'a percentage of the second unit',
      { kind: 'buy_x_get_y', buy: { quantity: 1, ...coffee }, get: { quantity: 1, percent: 0.5, ...coffee } },
      '[0].get.percent: 0.5 is 0.5 %, less than one per cent: 50 % is written 50',
    ],
    [
      'a price that is not lower',
      { kind: 'unit_price', unitPrice: 3_900, ...coffee },
      '[0].unitPrice: it makes nothing cheaper: no listed product that qualifies costs more than this price',
    ],
    [
      'a year of which two digits changed places',
      { ...ten, when: { from: '2062-01-31' } },
      '[0].when.from: it begins in 36 years, on 2062-01-31; is the year meant?',
    ],
    [
      'the same in one of several times',
      { ...ten, when: [{ weekdays: ['mon'] }, { from: '2029-01-01' }] },
      '[0].when[1].from: it begins in 3 years, on 2029-01-01; is the year meant?',
    ],
    [
      'hours that run backwards',
      { ...ten, when: { hours: '16:00-14:00' } },
      '[0].when.hours: these hours run backwards: it is open from 16:00 past midnight until 14:00 of the next day, 22 hours; did you mean 14:00-16:00?',
    ],
    [
      'an amount without the currency of a venue',
      { kind: 'order_amount', amount: { NOK: 500 }, minimumSpend: { NOK: 5_000, SEK: 5_500 } },
      '[0].amount: it has no amount in SEK, which venue malmo sells in: no basket in SEK gets the benefit',
      { venues: [oslo, malmo] },
    ],
    [
      'a price of a unit for whatever is sold',
      { kind: 'unit_price', unitPrice: 3_000 },
      '[0].unitPrice: every product gets this price: select the products with appliesTo',
    ],
    [
      'a grant of what everybody has',
      ten,
      '[0]: one member has a grant of it, and everybody has it without one: with audience: granted only holders of a grant get it',
      { members: [{ programmeId: 'club', loyaltyId: 'anna', status: 'active', grants: ['b0'] }] },
    ],
    [
      'a number of guests as a limit of each member',
      { ...ten, limit: { quantity: 1_000, period: 'lifetime', counts: 'baskets' } },
      '[0].limit.quantity: it counts for each member alone: every member may have 1000 baskets in all; is it meant for all members together?',
    ],
    [
      'a number of guests that the text names',
      { ...ten, text: 'The first 50 guests', limit: { quantity: 50, period: 'lifetime', counts: 'baskets' } },
      '[0].limit.quantity: it counts for each member alone: every member may have 50 baskets in all; is it meant for all members together?',
    ],
    [
      'a budget of a campaign as a limit of each member',
      { ...ten, limit: { quantity: 5_000_000, period: 'month', counts: 'money' } },
      '[0].limit.quantity: it counts for each member alone: every member may have 5000000 minor units a month; is it meant for all members together?',
    ],
  ])('%s', (_, benefit, warning, around) => {
    expect(warningsOf([benefit], around)).toEqual([warning]);
  });

  it.each<[string, object, Around?]>([
    ['a percentage of one', { kind: 'line_percent', percent: 1 }],
    ['a price that is lower by one', { kind: 'unit_price', unitPrice: 3_899, ...coffee }],
    [
      'a price that is lower for one of two products',
      { kind: 'unit_price', unitPrice: 4_000, appliesTo: { productIds: ['4711', '4712'] } },
    ],
    [
      'a price that is lower at one of two venues',
      { kind: 'unit_price', unitPrice: { NOK: 3_900, SEK: 3_800 }, ...coffee },
      { venues: [oslo, malmo] },
    ],
    ['a campaign of the year after next', { ...ten, when: { from: '2028-12-31' } }],
    ['a night', { ...ten, when: { hours: '22:00-02:00' } }],
    [
      'an amount of the only venue where it may apply',
      { kind: 'order_amount', amount: { NOK: 500 }, when: { venueIds: ['oslo'] } },
      { venues: [oslo, malmo] },
    ],
    ['ten coffees a member', { ...ten, limit: { quantity: 10, period: 'lifetime', counts: 'baskets' } }],
    ['a coffee a day', { ...ten, limit: { quantity: 1, period: 'day', counts: 'baskets' } }],
    [
      'the tenth coffee of a stamp card, which is free and which nobody has yet',
      { kind: 'line_percent', percent: 100, maximumUnits: 1, audience: 'granted', ...coffee },
      { members: [{ programmeId: 'club', loyaltyId: 'anna', status: 'active' }] },
    ],
  ])('not %s', (_, benefit, around) => {
    expect(warningsOf([benefit], around)).toEqual([]);
  });
});

describe('two prices for one product', () => {
  const price = (unitPrice: number, more: object = {}) => ({ kind: 'unit_price', unitPrice, ...coffee, ...more });
  const words =
    '[1].appliesTo.productIds[0]: 4711 has two prices for the same members at the same time, 3000 of b0 and here 2500: the lower one is given';

  it('are told once, of the second', () => {
    expect(warningsOf([price(3_000), price(2_500)])).toEqual([words]);
    const december = { when: { from: '2026-12-01', to: '2026-12-31' } };
    const advent = { when: { from: '2026-11-29', to: '2026-12-24' } };
    expect(warningsOf([price(3_000, december), price(2_500, advent)])).toEqual([words]);
  });

  it('and a higher price within the days of a lower one, which never counts', () => {
    const december = { when: { from: '2026-12-01', to: '2026-12-31' } };
    expect(warningsOf([price(3_000), price(3_500, december)])).toHaveLength(1);
  });

  it('not a campaign, another tier, other days, the same price and what is switched off', () => {
    const december = { when: { from: '2026-12-01', to: '2026-12-31' } };
    const january = { when: { from: '2027-01-01', to: '2027-01-31' } };
    expect(warningsOf([price(3_000), price(2_500, december)])).toEqual([]);
    expect(warningsOf([price(3_000), price(2_500, { when: { tiers: ['gold'] } })])).toEqual([]);
    expect(warningsOf([price(3_000, december), price(2_500, january)])).toEqual([]);
    expect(warningsOf([price(3_000), price(3_000)])).toEqual([]);
    expect(warningsOf([price(3_000), price(2_500, { enabled: false })])).toEqual([]);
  });
});

describe('the writing of the file', () => {
  const file = (benefit: string) => `environment: staging
venues: []
programmes:
  - programmeId: club
    benefits:
${benefit}`;
  const inspect = (text: string) => inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');

  it('a # that cut a text', () => {
    const text = file('      - { benefitId: a, kind: line_percent, percent: 5 }\n      - benefitId: b\n').concat(
      '        kind: line_percent\n        percent: 5\n        text: Deal #1\n        when: { tiers: [gold] }\n',
    );
    const { warnings } = inspect(
      text.replace('programmeId: club\n', 'programmeId: club\n    memberLabel: Club # of all\n'),
    );
    expect(warnings.filter(({ text: words }) => words.includes('comment'))).toEqual([
      {
        ...{ file: 'x.yaml', line: 5, column: 18, path: 'programmes[0].memberLabel' },
        text: 'the text ends before "# of all", which is a comment: write "Club # of all" with its quotes, or two blanks before # of a comment',
      },
      {
        ...{ file: 'x.yaml', line: 11, column: 15, path: 'programmes[0].benefits[1].text' },
        text: 'the text ends before "#1", which is a comment: write "Deal #1" with its quotes, or two blanks before # of a comment',
      },
    ]);
  });

  it('not a comment', () => {
    const text = file(`      - benefitId: a # the first
        kind: line_percent # a comment
        percent: 5 #5
        text: Happy hour   # printed
        when: { to: 2027-01-01 } # a year
`);
    expect(inspect(text).warnings.filter(({ text: words }) => words.includes('comment'))).toEqual([]);
  });

  it.each<[string, string]>([
    ['kind: order_amount, amount: { NOK: 12,90 }', 'a comma in a number ends it here: write 12.90 as 1290'],
    ['kind: order_amount, amount: 12,90', 'a comma in a number ends it here: write 12.90 as 1290'],
    ['kind: line_percent, percent: 12,5', 'a comma in a number ends it here: write 12.5 with a point'],
    [
      'kind: buy_x_get_y, buy: { quantity: 1 }, get: { quantity: 1, percent: 12,5 }',
      'a comma in a number ends it here: write 12.5 with a point',
    ],
    [
      'kind: line_percent, percent: 12,5, minimumSpend: 5000',
      'a comma in a number ends it here: write 12.5 with a point, or an amount of 12.90 as 1290',
    ],
    ['kind: free_product, productId: "1", maximumUnits: 1,5', 'a comma in a number ends it here'],
    ['kind: unit_price, unitPrice: "12,90"', 'a comma in a number: write 12.90 as 1290'],
    ['kind: unit_price, unitPrice: "kr 1 012,9"', 'a comma in a number: write 1012.90 as 101290'],
    ['kind: unit_price, unitPrice: 12.9', 'a point in an amount: write 12.90 as 1290'],
    ['kind: line_percent, percent: "12,5"', 'a comma in a number: write 12.5'],
    ['kind: line_percent, percent: 20 %', 'a text in the place of a number: write 20'],
  ])('a number as people write it: %s', (fields, words) => {
    const { faults } = inspect(file(`      - { benefitId: a, ${fields} }\n`));
    expect(faults[0]!.allowed.endsWith(`; ${words}`)).toBe(true);
  });

  it.each<[string, number, string]>([
    ['\t- benefitId: a\n', 6, 'a tab at the beginning of the line'],
    ['      - text: Happy: hour\n', 6, 'a second colon with a blank after it on one line'],
    ['      - text: %20\n', 6, 'a text that begins with %'],
    ['      - text: @home\n', 6, 'a text that begins with @'],
    ['      - text: "Happy\n        percent: 5\n', 6, 'a quote " that is never closed'],
    ["      - text: 'it's'\n", 6, 'more after the end of a value'],
    ['      - text: *new* coffee\n', 6, 'a text that begins with *'],
    ['      - text: *new\n', 6, '*new, a reference to nothing'],
    ['      - percent: 5\n        percent: 6\n', 7, 'the name percent a second time in one mapping'],
    ['      - benefitId: a\n       kind: b\n', 7, 'a line that begins in another column than the lines around it'],
    ['      - benefitId: [a, b\n        kind: b\n', 7, 'a [ that is never closed'],
    ['      - benefitId:a\n        kind: b\n', 6, 'a line without a name'],
    ['      - benefitId: a\n---\nb: 1\n', 7, 'a line --- after which a second document begins'],
  ])('a fault of YAML in words: %j', (benefit, line, found) => {
    const { faults } = inspect(file(benefit));
    expect(faults[0]).toMatchObject({ line, found });
    expect(faults[0]!.allowed).not.toContain('YAML 1.2');
  });
});
