/** Faults and warnings of a programme as a whole, with line, column and the nearest name. */
import { describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';

/** Inspects a programme of one venue that sells coffee and snus; `words` are lines of the programme. */
function inspect(words: string, venue = '') {
  const text = `environment: staging
venues:
  - venueId: oslo
    terminalSetups: ["1"]
    currencies: [NOK]
    timeZone: Europe/Oslo
    programmeId: club
    products:
      - { productId: "1", productGroupId: coffee, name: Coffee, unitPrice: 3900, noDiscount: false, noPercentageDiscount: false }
      - { productId: "2", productGroupId: tobacco, name: Snus, unitPrice: 9900, noDiscount: false, noPercentageDiscount: false }
${venue}programmes:
  - programmeId: club
${words.replaceAll(/^/gm, '    ')}
`;
  const { faults, warnings } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');
  const place = ({ line, column }: { line?: number; column?: number }) => `${line! - 12}:${column}`;
  return {
    faults: faults.map((fault) => `${place(fault)} ${fault.path}: found ${fault.found}, allowed: ${fault.allowed}`),
    nearest: faults.flatMap(({ nearest }) => nearest ?? []),
    warnings: warnings.map((warning) => `${place(warning)} ${warning.path}: ${warning.text}`),
  };
}

describe('existingDiscountScope', () => {
  it('of the basket is the one or the other, so nothing is stacked', () => {
    const [fault] = inspect('existingLineDiscounts: stack\nexistingDiscountScope: basket').faults;
    expect(fault).toContain('programmes[0].existingLineDiscounts: found "stack", allowed: keep or replace_if_larger');
    expect(inspect('existingLineDiscounts: keep\nexistingDiscountScope: basket').faults).toEqual([]);
    expect(inspect('existingDiscountScope: order').faults).toHaveLength(1);
  });
});

describe('maximumSteps', () => {
  it('is a whole number from a thousand to a million', () => {
    expect(inspect('maximumSteps: 50000').faults).toEqual([]);
    expect(inspect('maximumSteps: 10').faults[0]).toContain('programmes[0].maximumSteps: found 10, allowed:');
    expect(inspect('maximumSteps: 2000000').faults).toHaveLength(1);
  });
});

describe('the lines that a programme leaves out', () => {
  it('have to be named: an empty selector would be every line', () => {
    const allowed =
      'one or more of productIds, productMasterIds, productGroupIds, eans: without them every line would be left out';
    expect(inspect('exclude: {}').faults).toEqual([`1:14 programmes[0].exclude: found {}, allowed: ${allowed}`]);
    const former = 'found the former field "includeModifiers", allowed: modifiers: together of the programme';
    expect(inspect('exclude: { includeModifiers: true }').faults[0]).toContain(former);
    expect(inspect('exclude: { excludeProductIds: ["1"] }').faults).toEqual([]);
    const none = 'productIds: ["1"], excludeProductIds: ["1"]';
    expect(inspect(`exclude: { ${none} }`).faults).toHaveLength(1);
    expect(inspect(`exclude: { ${none}, productGroupIds: [coffee] }`).faults).toEqual([]);
  });

  it('are a selector, and its faults are those of one', () => {
    const wrong = inspect('exclude: { productGroupId: [tobacco] }');
    expect(wrong.faults).toHaveLength(1);
    expect(wrong.faults[0]).toContain('1:16 programmes[0].exclude: found the unknown field "productGroupId"');
    expect(wrong.nearest).toEqual(['productGroupIds']);
    expect(inspect('exclude: { productGroupIds: tobacco }').faults).toHaveLength(1);
    expect(inspect('exclude: no').faults).toHaveLength(1);
    expect(inspect('exclude:').faults).toHaveLength(1);
  });

  it('are warned about where nothing has their name, or nothing is left of a benefit', () => {
    expect(inspect('exclude: { productGroupIds: [tobaco] }').warnings).toEqual([
      '1:34 programmes[0].exclude.productGroupIds[0]: it leaves out nothing: no product of a venue has this name, tobaco; did you mean tobacco?',
    ]);
    const snus = '- { benefitId: snus, kind: line_percent, percent: 95, appliesTo: { productGroupIds: [tobacco] } }';
    expect(inspect(`exclude: { productGroupIds: [tobacco] }\nbenefits:\n  ${snus}`).warnings).toEqual([
      '3:72 programmes[0].benefits[0].appliesTo: nobody can get it: `exclude` of the programme leaves out every product that qualifies',
    ]);
  });
});

describe('the lines that are weighed', () => {
  it('have to be named, and are warned about where nothing has their name', () => {
    expect(inspect('weighed: {}').faults).toEqual([
      '1:14 programmes[0].weighed: found {}, allowed: one or more of productIds, productMasterIds, productGroupIds, eans: without them every line would be weighed',
    ]);
    expect(inspect('weighed: { productGroupIds: [coffee] }')).toMatchObject({ faults: [], warnings: [] });
    expect(inspect('weighed: { productGroupIds: [cofee] }').warnings).toEqual([
      '1:34 programmes[0].weighed.productGroupIds[0]: it means no line: no product of a venue has this name, cofee; did you mean coffee?',
    ]);
  });
});

describe('amounts where the venues of a programme have several currencies', () => {
  const swedish = `  - venueId: malmo
    terminalSetups: ["2"]
    currencies: [SEK]
    timeZone: Europe/Stockholm
    programmeId: club
`;
  const voucher = (amount: string) => `benefits:\n  - { benefitId: voucher, kind: order_amount, amount: ${amount} }`;
  const atFive = ({ faults }: ReturnType<typeof inspect>) =>
    faults.map((fault) => fault.replace(/^(\d+)/, (line) => `${Number(line) - 5}`));

  it('have to name them', () => {
    expect(atFive(inspect(voucher('5000'), swedish))).toEqual([
      '2:59 programmes[0].benefits[0].amount: found 5000, allowed: amounts by currency, { NOK: …, SEK: … }, because the venues of the programme have NOK and SEK',
    ]);
    expect(inspect(voucher('5000')).faults).toEqual([]);
    expect(inspect(voucher('{ NOK: 5000, SEK: 5500 }'), swedish).faults).toEqual([]);
    expect(inspect(`${voucher('{ SEK: 5500 }').slice(0, -2)}, maximumDiscount: 100 }`, swedish).faults).toHaveLength(1);
    const limited = (limit: string) =>
      inspect(`${voucher('{ NOK: 1, SEK: 1 }').slice(0, -2)}, limit: ${limit} }`, swedish).faults;
    expect(limited('{ quantity: 5000, period: day, counts: money }').join()).toContain(
      '.limit.quantity: found 5000, allowed: amounts by currency',
    );
    expect(limited('{ quantity: { NOK: 1, SEK: 1 }, period: day, counts: money }')).toEqual([]);
    expect(limited('{ quantity: 5000, period: day, counts: baskets }')).toEqual([]);
    // Nothing is nothing in every currency.
    expect(inspect(`${voucher('{ SEK: 5500 }').slice(0, -2)}, minimumSpend: 0 }`, swedish).faults).toEqual([]);
  });

  it('are warned about where no venue has the currency, and where they look like major units', () => {
    expect(inspect(voucher('{ NKO: 5000 }')).warnings).toEqual([
      '2:9 programmes[0].benefits[0]: nobody can get it: no currency of a venue, NOK, has all its amounts',
      '2:66 programmes[0].benefits[0].amount.NKO: no venue of the programme has this currency, NKO; did you mean NOK?',
    ]);
    const { warnings } = inspect(voucher('{ NOK: 900, SEK: 50 }'), swedish);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(
      'benefits[0].amount.SEK: 50 looks like major units: it means 0.50 SEK; 50.00 is 5000',
    );
  });
});

describe('a field of the programme with an error', () => {
  const mistyped =
    'benefits:\n  - { benefitId: b, kind: line_percent, percent: 0.5, appliesTo: { productGroupIds: [cofee] } }';
  const tiny = '3:54 programmes[0].benefits[0].percent: 0.5 is 0.5 %, less than one per cent: 50 % is written 50';

  it.each([
    ['memberLabel: 365', 'found 365'],
    ['memberLabel:', 'found null'],
    ['memberLabel: { nb: 1 }', 'nb: found 1'],
    ['discountCode: 7', 'found 7'],
    ['exclude: [coffee]', 'found ["coffee"]'],
    ['weighed: 7', 'found 7'],
    ['groups: { a: }', 'groups.a: found null'],
    ['groups:', 'found null'],
    ['modifiers: 7', 'found 7'],
    ['maximumSteps: 50_000', 'found "50_000"'],
    ['maximumSteps: 1000000000', 'found 1000000000'],
  ])('%s is told with its place, and the warnings of its benefits too', (field, found) => {
    const { faults, warnings } = inspect(`${field}\n${mistyped}`);
    expect(faults).toEqual([expect.stringContaining(found)]);
    expect(faults[0]).toMatch(/^1:\d+ programmes\[0\]\.\w+/);
    // What names compare with may be missing.
    expect(warnings).toEqual([tiny]);
  });

  it('prices no made-up baskets, as a number of steps that is a text would for ever', () => {
    const set = 'kind: buy_x_get_y, buy: { quantity: 1 }, get: { quantity: 1, percent: 50 }';
    const sets = [1, 2, 3].map((at) => `  - { benefitId: s${at}, ${set} }`);
    const { faults, warnings } = inspect(`maximumSteps: 1\nbenefits:\n${sets.join('\n')}`);
    expect([faults.length, warnings]).toEqual([1, []]);
  });

  it.each(['benefits:', 'benefits: 7', 'benefits: { b: 7 }', 'benefits: []\nprogrammeId: [club]'])('%s', (words) => {
    expect(inspect(words).faults.length).toBeGreaterThan(0);
  });
});

describe('the groups of a programme', () => {
  const one = 'groups: { welcome: { atMost: 1 } }';
  const benefit = (group: string) => `benefits:\n  - { benefitId: b, kind: line_percent, percent: 5, group: ${group} }`;

  it('have names like benefits, and say how many apply', () => {
    expect(inspect('groups: { "my group": { atMost: 1 } }').faults).toEqual([
      '1:15 programmes[0].groups: found the unknown field "my group", allowed: names of 1 to 64 of A-Z a-z 0-9 . _ -, each with { atMost: 1 } or more',
    ]);
    expect(inspect('groups: { welcome: {} }').faults[0]).toContain(
      'groups.welcome.atMost: found nothing, allowed: a whole',
    );
    expect(inspect('groups: { welcome: { atMost: 0 } }').faults[0]).toContain(
      'groups.welcome.atMost: found 0, allowed: a',
    );
    expect(inspect('groups: { welcome: { atmost: 1 } }').nearest).toEqual(['atMost']);
    expect(inspect('groups: [welcome]').faults).toHaveLength(1);
  });

  it('are those that benefits name', () => {
    expect(inspect(`${one}\n${benefit('welcome')}`).faults).toEqual([]);
    const mistyped = inspect(`${one}\n${benefit('welcom')}`);
    expect(mistyped.faults).toEqual([
      '3:64 programmes[0].benefits[0].group: found "welcom", allowed: one of welcome, from `groups` of the programme',
    ]);
    expect(mistyped.nearest).toEqual(['welcome']);
    expect(inspect(benefit('welcome')).faults[0]).toContain(
      'found "welcome", allowed: a group of the programme, which has none yet',
    );
    expect(inspect(`${one}\n${benefit('"my group"')}`).faults[0]).toContain('allowed: 1 to 64 of A-Z a-z 0-9 . _ -');
  });

  it('are warned about where they restrict nothing', () => {
    expect(inspect(`${one}\n${benefit('welcome')}`).warnings).toEqual([
      '1:24 programmes[0].groups.welcome: never reached: it has 1 benefit, and 1 may apply',
    ]);
  });
});
