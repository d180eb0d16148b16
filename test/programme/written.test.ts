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

const inspect = (...texts: string[]) => {
  const files = texts.map((text, at) => ({ name: `${at}.yaml`, text }));
  return inspectEnvironment(
    texts.length === 1 ? sourceOf(texts[0]!, '0.yaml') : { path: 'folder', files },
    '2026-11-21',
  );
};
/** The end of each path, what was found there, and the last piece of advice. */
const told = (written: Written) =>
  inspect(file(written)).faults.map(
    ({ path, found, allowed }) => `${path.split('].').at(-1)}: ${found} → ${allowed.split('; ').at(-1)}`,
  );

const price = (amount: string) => ({ benefit: `kind: unit_price, unitPrice: ${amount}` });
const cup = (unitPrice: string) => ({ product: `productId: "1", unitPrice: ${unitPrice}` });
const line = (words: string) => ({ benefit: `kind: line_percent, percent: 5, ${words}` });
const of = (names: string) => line(`appliesTo: { ${names} }`);
const member = (fields: string) => ({ rest: `members: [{ programmeId: club, status: active, ${fields} }]\n` });

describe('an amount with a point is refused, with advice by the decimals of its currency', () => {
  it.each<[fault: string, written: Written]>([
    ['unitPrice: 25.00 → write 25.00 as 2500', price('25.00')],
    ['unitPrice: 25. → write 25.00 as 2500', price('25.')],
    ['unitPrice: 2.5e1 → write 25.00 as 2500', price('2.5e1')],
    ['unitPrice: 25.00 → write 25.00 as 2500', price('*cup')],
    ['unitPrice.SEK: 25.00 → write 25.00 as 2500', { ...price('{ NOK: 2500, SEK: 25.00 }'), currencies: 'NOK, SEK' }],
    ['unitPrice.KWD: 1.5 → write 1.500 as 1500', { ...price('{ KWD: 1.5 }'), currencies: 'NOK, KWD' }],
    ['unitPrice: 250.00 → write 250', { ...price('250.00'), currencies: 'JPY' }],
    ['quantity: 500.00 → write 500.00 as 50000', line('limit: [{ quantity: 500.00, period: day, counts: money }]')],
    ['unitPrice: 25.9 → write 25.90 as 2590', cup('25.90')],
    ['unitPrice: 2.000 → write 2.000 as 2000', { ...cup('2.000'), currencies: 'KWD' }],
  ])('%s', (fault, written) => {
    expect(told(written)).toEqual([fault.replace('→ ', '→ a point in an amount: ')]);
  });

  it('without a warning beside it, and the start stops', () => {
    const text = file({ ...price('25.00'), ...cup('3900') });
    expect(inspect(text).warnings.filter(({ path }) => path.includes('benefits[0]'))).toEqual([]);
    expect(() => loadEnvironment(text, 'x.yaml')).toThrow(/unitPrice: found 25\.00, allowed: .*as 2500$/);
  });

  it('in the file of a folder that has it', () => {
    const other =
      'programmes:\n  - programmeId: bar\n    benefits: [{ benefitId: b, kind: unit_price, unitPrice: 2.00 }]\n';
    expect(inspect(file({}), other).faults).toMatchObject([
      { file: '1.yaml', line: 3, path: 'programmes[0].benefits[0].unitPrice', found: '2.00' },
    ]);
  });

  it('but not a percentage, a duration, or a piece that no amount uses', () => {
    const benefit = 'kind: line_percent, percent: 10.0, limit: { quantity: 2, period: day, counts: baskets }';
    expect(told({ benefit, rest: 'calculation: { holdMinutes: 30.0 }\n' })).toEqual([]);
  });
});

describe('a text without quotes that YAML reads as something else', () => {
  it.each<[fault: string, written: Written]>([
    ['productIds[1]: 0042', of('productIds: ["1", 0042]')],
    ['eans[0]: 05701234567890', of('eans: [05701234567890]')],
    ['terminalSetups[0]: 0500123', { venue: 'terminalSetups: [0500123]' }],
    ['loyaltyId: 0x1F', member('loyaltyId: 0x1F')],
    ['text: 2026', line('text: 2026')],
  ])('%s', (fault, written) => {
    const source = fault.split(': ')[1]!;
    const [first] = inspect(file(written)).faults;
    expect(first!.path.endsWith(fault.split(': ')[0]!)).toBe(true);
    expect(first!.found).toBe(`${source}, which YAML reads as a number`);
    expect(first!.allowed).toMatch(new RegExp(`; write "${source}" with its quotes$`));
  });

  it('may be true, and is shown as it is written in a file of a folder', () => {
    const found = 'True, which YAML reads as true or false';
    expect(inspect(file(of('productGroupIds: [True]'))).faults).toMatchObject([{ found }]);
    const faults = inspect(file(member('loyaltyId: anna')), member('loyaltyId: 0042').rest).faults;
    expect(faults).toMatchObject([{ file: '1.yaml', path: 'members[0].loyaltyId' }]);
    expect(faults[0]!.found).toContain('0042');
  });

  it('is none where quotes would not help', () => {
    const allowed = (words: string) => inspect(file(line(words))).faults[0]!.allowed;
    expect(allowed('when: { from: 2026 }')).toBe('a date such as 2026-01-31, or with a time 2026-01-31T06:00');
    expect(allowed('when: { weekdays: [1] }')).not.toContain('quotes');
    expect(allowed('priority: "5"')).not.toContain('quotes');
  });
});
