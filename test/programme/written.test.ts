/** Values whose writing is what is wrong: amounts with a point, and IDs without quotes. */
import { describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { sourceOf } from '../../src/programme/source.ts';

interface Written {
  readonly benefit?: string;
  readonly product?: string;
  readonly currencies?: string;
  readonly venue?: string;
  readonly rest?: string;
}

/** A file with one benefit, the words of which are written as they are here. */
function file({ benefit, product, currencies = 'NOK', venue = 'terminalSetups: ["1"]', rest = '' }: Written): string {
  const flags = 'name: Cup, noDiscount: false, noPercentageDiscount: false';
  return `environment: staging
x-prices: { cup: &cup 25.00 }
venues:
  - { venueId: oslo, ${venue}, currencies: [${currencies}], timeZone: Europe/Oslo, programmeId: club, products: [${product ? `{ ${flags}, ${product} }` : ''}] }
programmes:
  - programmeId: club
    benefits: [${benefit ? `{ benefitId: a, ${benefit} }` : ''}]
${rest}`;
}

const inspect = (written: Written) => inspectEnvironment(sourceOf(file(written), 'x.yaml'), '2026-11-21');
const told = (written: Written) =>
  inspect(written).faults.map(({ path, found, allowed }) => `${path}: ${found} → ${allowed.split('; ').at(-1)}`);

describe('an amount with a point', () => {
  const A = 'programmes[0].benefits[0]';
  const price = 'kind: unit_price, unitPrice:';

  it.each<[string, Written, string]>([
    ['whole', { benefit: `${price} 25.00` }, `${A}.unitPrice: 25.00 → a point in an amount: write 25.00 as 2500`],
    ['of nothing', { benefit: `${price} 0.00` }, `${A}.unitPrice: 0.00 → a point in an amount: write 0.00 as 0`],
    [
      'with a point alone',
      { benefit: `${price} 25.` },
      `${A}.unitPrice: 25. → a point in an amount: write 25.00 as 2500`,
    ],
    [
      'with an exponent',
      { benefit: `${price} 2.5e1` },
      `${A}.unitPrice: 2.5e1 → a point in an amount: write 25.00 as 2500`,
    ],
    [
      'by currency',
      { benefit: `${price} { NOK: 2500, SEK: 25.00 }`, currencies: 'NOK, SEK' },
      `${A}.unitPrice.SEK: 25.00 → a point in an amount: write 25.00 as 2500`,
    ],
    ['by an alias', { benefit: `${price} *cup` }, `${A}.unitPrice: 25.00 → a point in an amount: write 25.00 as 2500`],
    [
      'of a limit in money',
      { benefit: 'kind: line_percent, percent: 5, limit: [{ quantity: 500.00, period: day, counts: money }]' },
      `${A}.limit[0].quantity: 500.00 → a point in an amount: write 500.00 as 50000`,
    ],
    [
      'of a product',
      { product: 'productId: "1", unitPrice: 25.00' },
      'venues[0].products[0].unitPrice: 25.00 → a point in an amount: write 25.00 as 2500',
    ],
    [
      'of a product, not whole',
      { product: 'productId: "1", unitPrice: 25.90' },
      'venues[0].products[0].unitPrice: 25.9 → a point in an amount: write 25.90 as 2590',
    ],
  ])('%s is refused', (_, written, fault) => {
    expect(told(written)).toEqual([fault]);
  });

  it('is advised by the decimals of its currency', () => {
    const advice = (amount: string, currencies: string) =>
      inspect({ benefit: `${price} ${amount}`, currencies })
        .faults[0]!.allowed.split('; ')
        .at(-1);
    expect([advice('250.00', 'JPY'), advice('1.500', 'KWD'), advice('2.000', 'KWD')]).toEqual([
      'a point in an amount: write 250',
      'a point in an amount: write 1.500 as 1500',
      'a point in an amount: write 2.000 as 2000',
    ]);
    expect([advice('"1,500"', 'KWD'), advice('"1,500"', 'NOK'), advice('¥250', 'JPY')]).toEqual([
      'a comma in a number: write 1.500 as 1500',
      expect.not.stringContaining('write'),
      'a text in the place of a number: write 250',
    ]);
    expect([advice('{ JPY: 250.00, NOK: 2 }', 'NOK, JPY'), advice('{ KWD: 1.5 }', 'NOK, KWD')]).toEqual([
      'a point in an amount: write 250',
      'a point in an amount: write 1.500 as 1500',
    ]);
    const product = { product: 'productId: "1", unitPrice: 2.000', currencies: 'KWD' };
    expect(told(product)).toEqual([expect.stringContaining('write 2.000 as 2000')]);
  });

  it('has no warning beside its error, and stops the start', () => {
    const written = { benefit: `${price} 25.00`, product: 'productId: "1", unitPrice: 3900' };
    expect(inspect(written).warnings.filter(({ path }) => path.startsWith(A))).toEqual([]);
    expect(() => loadEnvironment(file(written), 'x.yaml')).toThrow(/unitPrice: found 25\.00, allowed: .*as 2500$/);
  });

  it('is none in a percentage, a duration or a piece that no amount uses', () => {
    const benefit = 'kind: line_percent, percent: 10.0, limit: { quantity: 2, period: day, counts: baskets }';
    expect(told({ benefit, rest: 'calculation: { holdMinutes: 30.0 }\n' })).toEqual([]);
    expect(told({ benefit: `${price} 2500` })).toEqual([]);
  });

  it('is found in the file of a folder that has it', () => {
    const [text, ...others] = [
      file({}),
      `programmes:\n  - programmeId: bar\n    benefits: [{ benefitId: b, ${price} 2.00 }]\n`,
    ];
    const files = [text, ...others].map((each, at) => ({ name: `${at}.yaml`, text: each! }));
    const { faults } = inspectEnvironment({ path: 'folder', files }, '2026-11-21');
    expect(faults).toEqual([
      expect.objectContaining({ file: '1.yaml', line: 3, path: 'programmes[0].benefits[0].unitPrice', found: '2.00' }),
    ]);
  });
});

describe('a text without quotes that YAML reads as something else', () => {
  const of = (names: string) => `kind: line_percent, percent: 5, appliesTo: { ${names} }`;
  const member = (fields: string) => `members: [{ programmeId: club, status: active, ${fields} }]\n`;

  it.each<[string, Written, string, string]>([
    ['product ID', { benefit: of('productIds: ["1", 0042]') }, '.productIds[1]', '0042'],
    ['EAN', { benefit: of('eans: [05701234567890]') }, '.eans[0]', '05701234567890'],
    ['product ID with an exponent', { benefit: of('excludeProductIds: [1e3]') }, '.excludeProductIds[0]', '1e3'],
    ['product of a venue', { product: 'productId: 1.10, unitPrice: 1' }, '.productId', '1.10'],
    ['EAN of a product', { product: 'productId: "1", ean: 007, unitPrice: 1' }, '.ean', '007'],
    ['terminal setup', { venue: 'terminalSetups: [0500123]' }, '.terminalSetups[0]', '0500123'],
    ['loyalty ID', { rest: member('loyaltyId: 0x1F') }, '.loyaltyId', '0x1F'],
    ['tier', { rest: member('loyaltyId: anna, tier: 01') }, '.tier', '01'],
    ['text that guests read', { benefit: 'kind: line_percent, percent: 5, text: 2026' }, '.text', '2026'],
  ])('%s', (_, written, path, source) => {
    const faults = inspect(written).faults.filter((fault) => fault.path.endsWith(path));
    expect(faults).toEqual([expect.objectContaining({ found: `${source}, which YAML reads as a number` })]);
    expect(faults[0]!.allowed).toMatch(new RegExp(`; write "${source}" with its quotes$`));
  });

  it('may be true, and is shown as it is written in a file of a folder', () => {
    const { faults } = inspect({ benefit: of('productGroupIds: [True]') });
    expect(faults).toEqual([expect.objectContaining({ found: 'True, which YAML reads as true or false' })]);
    const files = [
      { name: 'a.yaml', text: file({ rest: member('loyaltyId: anna') }) },
      { name: 'b.yaml', text: member('loyaltyId: 0042') },
    ];
    expect(inspectEnvironment({ path: 'folder', files }, '2026-11-21').faults).toEqual([
      expect.objectContaining({ file: 'b.yaml', path: 'members[0].loyaltyId', found: expect.stringContaining('0042') }),
    ]);
  });

  it('is none where quotes would not help', () => {
    const allowed = (benefit: string) =>
      inspect({ benefit: `kind: line_percent, percent: 5, ${benefit}` }).faults[0]!.allowed;
    expect(allowed('when: { from: 2026 }')).toBe('a date such as 2026-01-31, or with a time 2026-01-31T06:00');
    expect(allowed('when: { weekdays: [1] }')).not.toContain('quotes');
    expect(allowed('priority: "5"')).not.toContain('quotes');
  });
});
