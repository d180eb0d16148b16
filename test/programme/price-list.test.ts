/** Member prices are edited as a table, and nothing else of the file changes, however it is written. */
import { describe, expect, test } from 'vitest';
import { editPrices, type WantedPrice } from '../../src/programme/price-list.ts';

const FILE = `# Prices of the club
programmes:
  - programmeId: club
    benefits:
      # the coffees
      - { benefitId: coffee, kind: unit_price, unitPrice: 2900, appliesTo: { productIds: [c1, "c2"] } } # since May
      - benefitId: tea
        kind: unit_price
        unitPrice: { NOK: 2500, SEK: 2400 }
        appliesTo:
          productIds:
            - t1
      - { benefitId: ten, kind: line_percent, percent: 10 }
`;
const COFFEE = { programmeId: 'club', benefitId: 'coffee', productIds: ['c1', 'c2'], unitPrice: 2900 };
const TEA = { programmeId: 'club', benefitId: 'tea', productIds: ['t1'], unitPrice: { NOK: 2500, SEK: 2400 } };
const TEN = '{ benefitId: ten, kind: line_percent, percent: 10 }';

const rowOf = (benefitId: string, more: object = {}): WantedPrice => {
  return { programmeId: 'club', benefitId, productIds: [], unitPrice: 100, ...more };
};
const newRow = (benefitId: string) => rowOf(benefitId, { productIds: [benefitId] });
const end = (benefitId: string) => rowOf(benefitId, { remove: true });
const benefits = (...lines: string[]) =>
  `programmes:\n  - programmeId: club\n    benefits:\n${lines.map((line) => `      ${line}\n`).join('')}`;

/** The text of the file with these rows, or why they cannot be written. */
function edited(text: string, ...rows: WantedPrice[]): string {
  const answer = editPrices({ text, rows });
  return answer.kind === 'listed' ? answer.text : answer.reason;
}

function listed(text: string) {
  const answer = editPrices({ text });
  return answer.kind === 'listed' ? answer.prices : answer.reason;
}

describe('the table', () => {
  test('has the prices that the file writes out, and changes no character without a change', () => {
    expect(editPrices({ text: FILE })).toEqual({ kind: 'listed', prices: [COFFEE, TEA], text: FILE });
    expect(edited(FILE, COFFEE, TEA)).toBe(FILE);
  });

  test('has none where the file cannot be read, or has none', () => {
    const texts = [
      `${FILE}x: ]`,
      '',
      'programmes: 7',
      'programmes: [7, { programmeId: club }]',
      'programmes: [{ benefits: [{ benefitId: a, kind: unit_price, unitPrice: 5 }] }]',
      benefits('- 7', '- a'),
    ];
    for (const text of texts) expect(listed(text), text).toEqual([]);
  });

  test('has none of another kind, and none whose price stands elsewhere', () => {
    const text = `x-price: &price { kind: unit_price, unitPrice: 100 }\nx-amount: &amount 100\n${benefits(
      '- { benefitId: merged, <<: *price, <<: *price }',
      '- { benefitId: alias, kind: unit_price, unitPrice: *amount }',
      '- { benefitId: text, kind: unit_price, unitPrice: "100" }',
      '- { benefitId: mixed, kind: unit_price, unitPrice: { NOK: 100, SEK: x } }',
      '- { benefitId: other, kind: line_amount, unitPrice: 100 }',
      '- { benefitId: 7, kind: unit_price, unitPrice: 100 }',
      '- { benefitId: some, kind: unit_price, unitPrice: { NOK: 100 }, appliesTo: { productIds: [4711, b] } }',
    )}`;
    expect(listed(text)).toEqual([rowOf('some', { productIds: ['4711', 'b'], unitPrice: { NOK: 100 } })]);
  });
});

test('amounts and products are changed where they stand', () => {
  const changed = edited(FILE, { ...COFFEE, unitPrice: 3100 }, { ...TEA, productIds: ['t1', 't2'], unitPrice: 2000 });
  expect(changed).toBe(
    FILE.replace('2900', '3100').replace('{ NOK: 2500, SEK: 2400 }', '2000').replace('- t1', '["t1", "t2"]'),
  );
});

test('products that the benefit names in another way are not changed, but its price is', () => {
  const text = benefits(
    '- { benefitId: cakes, kind: unit_price, unitPrice: 100, appliesTo: { productGroupIds: [cake] } }',
  );
  const cakes = rowOf('cakes', { unitPrice: { NOK: 90, SEK: 95 } });
  expect(edited(text, cakes)).toBe(text.replace('100', '{ "NOK": 90, "SEK": 95 }'));
  expect(edited(text, { ...cakes, productIds: ['a'] })).toBe(
    'club/cakes names its products in another way: change it in the text.',
  );
});

test.each([
  ['two rows of one name', [COFFEE, COFFEE], 'club/coffee stands in two rows.'],
  ['an unknown programme', [{ ...COFFEE, programmeId: 'other' }], 'this file has no programme other'],
  ['a new price without products', [rowOf('new')], 'needs its products'],
])('%s is refused by name', (_, rows, message) => {
  expect(edited(FILE, ...rows)).toContain(message);
});

describe('a price that is added', () => {
  test('stands at the end of its own list, before whatever comes behind it, in the order of the rows', () => {
    const two = `${benefits(`- ${TEN}`)}  - programmeId: bistro\n    benefits:\n      - benefitId: soup\n        kind: unit_price\n        unitPrice: 80 # cheap`;
    const odd = rowOf('a "b"', { productIds: ['c"1', 'c2'], unitPrice: { NOK: 5 } });
    const lines = two.split('\n');
    expect(edited(two, odd, newRow('cake'), { ...newRow('stew'), programmeId: 'bistro' })).toBe(
      [
        ...lines.slice(0, 4),
        '      - { benefitId: "a \\"b\\"", kind: unit_price, unitPrice: { "NOK": 5 }, appliesTo: { productIds: ["c\\"1", "c2"] } }',
        '      - { benefitId: "cake", kind: unit_price, unitPrice: 100, appliesTo: { productIds: ["cake"] } }',
        ...lines.slice(4),
        '      - { benefitId: "stew", kind: unit_price, unitPrice: 100, appliesTo: { productIds: ["stew"] } }',
      ].join('\n'),
    );
  });

  test('stands in the column of the list', () => {
    const lines = [
      'programmes:',
      '- benefits:',
      '   -',
      '     benefitId: a',
      '     text: |',
      '       Soup',
      '  programmeId: club',
      '',
    ];
    const words = '   - { benefitId: "stew", kind: unit_price, unitPrice: 100, appliesTo: { productIds: ["stew"] } }';
    expect(edited(lines.join('\n'), newRow('stew'))).toBe(lines.toSpliced(6, 0, words).join('\n'));
  });
});

describe('a price that ends', () => {
  test('is taken out with its line, and a programme is never emptied', () => {
    const lines = FILE.split('\n');
    expect(edited(FILE, end('coffee'))).toBe(lines.toSpliced(5, 1).join('\n'));
    expect(edited(FILE, end('tea'))).toBe(lines.toSpliced(6, 6).join('\n'));
    expect(edited(FILE.trimEnd().replace(/\n.*ten.*/, ''), end('tea'))).toBe(`${lines.slice(0, 6).join('\n')}\n`);
    expect(edited(FILE.replace(/ {6}- \{ benefitId: ten.*\n/, ''), end('coffee'), end('tea'))).toBe(
      'club/coffee: a programme keeps at least one benefit; take the last out in the text.',
    );
  });

  test('is taken out of JSON with the comma beside it', () => {
    const price = (benefitId: string) => {
      return { benefitId, kind: 'unit_price', unitPrice: 100, appliesTo: { productIds: [benefitId] } };
    };
    const flow = (...names: string[]) => ({ programmes: [{ programmeId: 'club', benefits: names.map(price) }] });
    const put = (...rows: WantedPrice[]) => JSON.parse(edited(JSON.stringify(flow('a', 'b', 'c', 'd')), ...rows));
    expect(put(end('a'))).toEqual(flow('b', 'c', 'd'));
    expect(put(end('b'))).toEqual(flow('a', 'c', 'd'));
    expect(put(end('c'), end('d'))).toEqual(flow('a', 'b'));
    expect(put(end('a'), end('b'), end('d'))).toEqual(flow('c'));
    expect(put(end('unknown'))).toEqual(flow('a', 'b', 'c', 'd'));
    expect(put(newRow('soup'), end('d'), newRow('bun'), end('c'))).toEqual(flow('a', 'b', 'soup', 'bun'));
  });

  const multiline = (...first: string[]) => [...first, '    benefitId: a', '    kind: unit_price', '    unitPrice: 5'];

  test.each<[what: string, first: string[]]>([
    ['alone', ['-']],
    ['before a comment', ['- # the first one', '    # - of all']],
    ['with blank lines', ['-   ', '']],
    ['before an anchor', ['- &a']],
  ])('is taken out with a dash on a line of its own: %s', (_, first) => {
    const ten = `- ${TEN}`;
    expect(edited(benefits(...multiline(...first), ten), end('a'))).toBe(benefits(ten));
    expect(edited(benefits(ten, ...multiline(...first), ten), end('a'))).toBe(benefits(ten, ten));
  });
});

describe('a price that another place uses', () => {
  const why = 'because it uses what a row changes: change it in the text.';
  const lost = `Another place of the file could not be read any more, ${why}`;
  const ofA = (price: string) => `- { benefitId: a, kind: unit_price, unitPrice: ${price} }`;
  const ofB = '- { benefitId: b, kind: unit_price, unitPrice: *p }';
  const changed = rowOf('a', { unitPrice: 3_100 });

  test.each<[what: string, own: string, other: string, reason: string]>([
    ['its amount', ofA('&p 2900'), ofB, `club/b would change too, ${why}`],
    // An alias that has lost its anchor cannot be read.
    ['an amount by currency', ofA('{ NOK: &p 2900 }'), ofB, lost],
    ['all of it', ofA('2900').replace('{', '&a {'), '- { <<: *a, benefitId: b }', `club/b would change too, ${why}`],
  ])('is not changed: %s', (_, own, other, reason) => {
    expect(edited(benefits(own, other), changed)).toBe(reason);
    expect(edited(benefits(own, other), end('a'))).toBe(lost);
  });

  test('is not changed: by another programme, or beside the programmes', () => {
    const list = benefits(ofA('2900')).replace('benefits:', 'benefits: &all');
    const other = `${list}  - { programmeId: bistro, benefits: *all }\n`;
    expect(edited(other, changed)).toBe(`bistro/a would change too, ${why}`);
    expect(edited(other, newRow('c'))).toBe(`bistro/c would change too, ${why}`);
    const beside = `${benefits(ofA('&p 2900'))}venues: [{ products: [{ unitPrice: *p }] }]\n`;
    expect(edited(beside, changed)).toBe(`Another place of the file would change too, ${why}`);
  });

  test('is changed where the others have a value of their own', () => {
    const own = benefits(ofA('2900').replace('{', '&a {'), '- { <<: *a, benefitId: b, unitPrice: 5 }');
    expect(edited(own, changed)).toBe(own.replace('2900', '3100'));
  });
});
