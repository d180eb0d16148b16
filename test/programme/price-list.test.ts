/** Member prices are edited as a table, and nothing else of the file changes. */
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

function edit(text: string, ...rows: WantedPrice[]): string {
  const answer = editPrices({ text, rows });
  if (answer.kind === 'unusable') throw new Error(answer.reason);
  return answer.text;
}

describe('a table of prices', () => {
  test('has the prices that the file writes out', () => {
    expect(editPrices({ text: FILE })).toEqual({ kind: 'listed', prices: [COFFEE, TEA], text: FILE });
  });

  test('without a change changes no character', () => {
    expect(edit(FILE, COFFEE, TEA)).toBe(FILE);
  });

  test('changes amounts and products where they stand', () => {
    const changed = edit(FILE, { ...COFFEE, unitPrice: 3100 }, { ...TEA, productIds: ['t1', 't2'], unitPrice: 2000 });
    expect(changed).toBe(
      FILE.replace('2900', '3100').replace('{ NOK: 2500, SEK: 2400 }', '2000').replace('- t1', '["t1", "t2"]'),
    );
    expect(editPrices({ text: changed })).toMatchObject({
      prices: [{ unitPrice: 3100 }, { unitPrice: 2000, productIds: ['t1', 't2'] }],
    });
  });

  test('adds prices behind the last benefit, in their order', () => {
    const [soup, cake] = ['soup', 'cake'].map((benefitId) => ({ ...COFFEE, benefitId, productIds: [benefitId] }));
    const added = edit(FILE, soup!, cake!);
    expect(added.startsWith(FILE.trimEnd())).toBe(true);
    expect(added).toContain(
      '      - { benefitId: "soup", kind: unit_price, unitPrice: 2900, appliesTo: { productIds: ["soup"] } }',
    );
    expect(editPrices({ text: added })).toMatchObject({ prices: [COFFEE, TEA, soup, cake] });
  });

  test('takes prices out with their line, and leaves what stands around them', () => {
    const lines = FILE.split('\n');
    expect(edit(FILE, { ...COFFEE, remove: true })).toBe(lines.toSpliced(5, 1).join('\n'));
    expect(edit(FILE, { ...TEA, remove: true })).toBe(lines.toSpliced(6, 6).join('\n'));
  });

  test('is written into JSON too', () => {
    const json = JSON.stringify({
      programmes: [{ programmeId: 'club', benefits: [price('a'), price('b'), price('c')] }],
    });
    const wanted = [
      { programmeId: 'club', ...facts('a'), remove: true },
      { programmeId: 'club', ...facts('c'), remove: true },
      { programmeId: 'club', ...facts('d') },
    ];
    const text = edit(json, ...wanted);
    expect(JSON.parse(text).programmes[0].benefits).toEqual([price('b'), price('d')]);
  });

  test.each([
    ['two rows of one name', [COFFEE, COFFEE], 'club/coffee stands in two rows.'],
    ['an unknown programme', [{ ...COFFEE, programmeId: 'other' }], 'this file has no programme other'],
    ['a new price without products', [{ ...COFFEE, benefitId: 'new', productIds: [] }], 'needs its products'],
  ])('with %s is refused by name', (_, rows, message) => {
    expect(editPrices({ text: FILE, rows })).toMatchObject({
      kind: 'unusable',
      reason: expect.stringContaining(message),
    });
  });

  test('never empties a programme', () => {
    const only = FILE.replace(/ {6}- \{ benefitId: ten.*\n/, '');
    const rows = [COFFEE, TEA].map((row) => ({ ...row, remove: true }));
    expect(editPrices({ text: only, rows })).toMatchObject({ kind: 'unusable' });
  });
});

describe('the prices of a file', () => {
  const listOf = (text: string) => {
    const answer = editPrices({ text });
    return answer.kind === 'listed' ? answer.prices : answer.reason;
  };
  const benefits = (...lines: string[]) =>
    `programmes:\n  - programmeId: club\n    benefits:\n${lines.map((line) => `      - ${line}\n`).join('')}`;

  test('are none where the file cannot be read, or has none', () => {
    const texts = [`${FILE}x: ]`, '', '7', 'programmes: 7', 'programmes: [7, { programmeId: club }]'];
    const others = [
      'programmes: [{ benefits: [{ benefitId: a, kind: unit_price, unitPrice: 5 }] }]',
      benefits('7', 'a'),
    ];
    expect([...texts, ...others].map(listOf)).toEqual(Array(7).fill([]));
  });

  test('are those that it writes out: of no other kind, and from nowhere else', () => {
    const text = `x-price: &price { kind: unit_price, unitPrice: 100 }
x-amount: &amount 100
${benefits(
  '{ benefitId: merged, <<: *price, <<: *price }',
  '{ benefitId: alias, kind: unit_price, unitPrice: *amount }',
  '{ benefitId: text, kind: unit_price, unitPrice: "100" }',
  '{ benefitId: empty, kind: unit_price, unitPrice: null }',
  '{ benefitId: mixed, kind: unit_price, unitPrice: { NOK: 100, SEK: x } }',
  '{ benefitId: other, kind: line_amount, unitPrice: 100 }',
  '{ benefitId: 7, kind: unit_price, unitPrice: 100 }',
  '{ benefitId: all, kind: unit_price, unitPrice: 100 }',
  '{ benefitId: some, kind: unit_price, unitPrice: { NOK: 100 }, appliesTo: { productIds: [4711, b] } }',
)}`;
    expect(listOf(text)).toEqual([
      { programmeId: 'club', benefitId: 'all', productIds: [], unitPrice: 100 },
      { programmeId: 'club', benefitId: 'some', productIds: ['4711', 'b'], unitPrice: { NOK: 100 } },
    ]);
  });

  test('are changed where a benefit names its products in another way, but its products are not', () => {
    const text = benefits(
      '{ benefitId: cakes, kind: unit_price, unitPrice: 100, appliesTo: { productGroupIds: [cake] } }',
    );
    const cakes = { programmeId: 'club', benefitId: 'cakes', productIds: [], unitPrice: { NOK: 90, SEK: 95 } };
    expect(edit(text, cakes)).toBe(text.replace('100', '{ "NOK": 90, "SEK": 95 }'));
    expect(editPrices({ text, rows: [{ ...cakes, productIds: ['a'] }] })).toEqual({
      kind: 'unusable',
      reason: 'club/cakes names its products in another way: change it in the text.',
    });
  });

  test('of a file without programmes are refused with the row', () => {
    for (const text of ['programmes: [', 'programmes: [{ programmeId: club, benefits: [] }]']) {
      expect(editPrices({ text, rows: [COFFEE] })).toEqual({
        kind: 'unusable',
        reason: 'club/coffee: this file has no programme club with benefits.',
      });
    }
    expect(editPrices({ text: FILE, rows: [{ ...COFFEE, benefitId: 'new', productIds: [] }] })).toEqual({
      kind: 'unusable',
      reason: 'club/new: a new price needs its products.',
    });
  });

  test('are added at the end of their own list, in a file without a last line break too', () => {
    const two = `${benefits('{ benefitId: ten, kind: line_percent, percent: 10 }')}  - programmeId: bistro\n    benefits:\n      - benefitId: soup\n        kind: unit_price\n        unitPrice: 80 # cheap`;
    const wanted = [
      { ...COFFEE, benefitId: 'a "b"', productIds: ['c"1', 'c2'], unitPrice: { NOK: 5 } },
      { ...COFFEE, programmeId: 'bistro', benefitId: 'stew' },
    ];
    const lines = two.split('\n');
    expect(edit(two, ...wanted)).toBe(
      [
        ...lines.slice(0, 4),
        '      - { benefitId: "a \\"b\\"", kind: unit_price, unitPrice: { "NOK": 5 }, appliesTo: { productIds: ["c\\"1", "c2"] } }',
        ...lines.slice(4),
        '      - { benefitId: "stew", kind: unit_price, unitPrice: 2900, appliesTo: { productIds: ["c1", "c2"] } }',
      ].join('\n'),
    );
  });

  test('are added in the column of the list, before whatever comes behind it', () => {
    const wanted = { ...COFFEE, benefitId: 'stew' };
    const words = '- { benefitId: "stew", kind: unit_price, unitPrice: 2900, appliesTo: { productIds: ["c1", "c2"] } }';
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
    expect(edit(lines.join('\n'), wanted)).toBe(lines.toSpliced(6, 0, `   ${words}`).join('\n'));
    expect(editPrices({ text: edit(lines.join('\n'), wanted) })).toMatchObject({ prices: [wanted] });
  });

  test('are taken out with the comma beside them, and with their line', () => {
    const flow = (...names: string[]) => ({ programmes: [{ programmeId: 'club', benefits: names.map(price) }] });
    const take = (...names: string[]) =>
      JSON.parse(
        edit(
          JSON.stringify(flow('a', 'b', 'c', 'd')),
          ...names.map((name) => ({ programmeId: 'club', ...facts(name), remove: true })),
        ),
      );
    expect(take('a')).toEqual(flow('b', 'c', 'd'));
    expect(take('b')).toEqual(flow('a', 'c', 'd'));
    expect(take('d')).toEqual(flow('a', 'b', 'c'));
    expect(take('c', 'd')).toEqual(flow('a', 'b'));
    expect(take('a', 'b', 'd')).toEqual(flow('c'));
    expect(take('unknown')).toEqual(flow('a', 'b', 'c', 'd'));
    const block = benefits(
      '{ benefitId: a, kind: unit_price, unitPrice: 5 }',
      '{ benefitId: b, kind: unit_price, unitPrice: 6 }',
    );
    const rowOf = (benefitId: string) => ({
      programmeId: 'club',
      benefitId,
      productIds: [],
      unitPrice: 5,
      remove: true,
    });
    const lines = block.split('\n');
    expect(edit(block.trimEnd(), rowOf('b'))).toBe(`${lines.slice(0, 4).join('\n')}\n`);
    expect(edit(block, rowOf('a'))).toBe(lines.toSpliced(3, 1).join('\n'));
    const [soup, bun] = ['soup', 'bun'].map((name) => ({ programmeId: 'club', ...facts(name) }));
    const words = '{ benefitId: "soup", kind: unit_price, unitPrice: 100, appliesTo: { productIds: ["soup"] } }';
    expect(edit(block, soup!, rowOf('b'))).toBe(lines.toSpliced(4, 1, `      - ${words}`).join('\n'));
    const rows = [soup!, { ...rowOf('d'), ...facts('d') }, bun!, { ...rowOf('c'), ...facts('c') }];
    expect(JSON.parse(edit(JSON.stringify(flow('a', 'b', 'c', 'd')), ...rows))).toEqual(flow('a', 'b', 'soup', 'bun'));
    expect(editPrices({ text: block, rows: [rowOf('a'), rowOf('b')] })).toEqual({
      kind: 'unusable',
      reason: 'club/a: a programme keeps at least one benefit; take the last out in the text.',
    });
  });

  test('of a row that is changed stay when another one goes', () => {
    const json = JSON.stringify({ programmes: [{ programmeId: 'club', benefits: [price('a'), price('b')] }] });
    const [a, b] = ['a', 'b'].map((name) => ({ programmeId: 'club', ...facts(name) }));
    expect(JSON.parse(edit(json, { ...a!, remove: true }, { ...b!, unitPrice: 90 }))).toEqual({
      programmes: [{ programmeId: 'club', benefits: [{ ...price('b'), unitPrice: 90 }] }],
    });
  });

  test('are not answered with a reason when the rows are no rows, which is a bug', () => {
    expect(() => editPrices({ text: FILE, rows: [undefined as never] })).toThrow(TypeError);
  });

  test('of two programmes are each counted and named by itself', () => {
    const json = JSON.stringify({
      programmes: ['club', 'bistro'].map((programmeId) => ({ programmeId, benefits: [price('a'), price('b')] })),
    });
    const rows = ['club', 'bistro'].map((programmeId) => ({ programmeId, ...facts('a'), remove: true }));
    expect(JSON.parse(edit(json, ...rows))).toEqual({
      programmes: ['club', 'bistro'].map((programmeId) => ({ programmeId, benefits: [price('b')] })),
    });
  });
});

function facts(benefitId: string) {
  return { benefitId, productIds: [benefitId], unitPrice: 100 };
}

function price(benefitId: string) {
  return { benefitId, kind: 'unit_price', unitPrice: 100, appliesTo: { productIds: [benefitId] } };
}
