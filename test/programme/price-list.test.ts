/** Member prices are edited as a table, and nothing else of the file changes. */
import { describe, expect, test } from 'vitest';
import { hasNote, withNote } from '../../src/programme/note.ts';
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

describe('the note of a file', () => {
  test.each([
    ['is put before the first name', '# a file\nvenues: []\n', '# a file\nnote: "Spring"\nvenues: []\n'],
    ['takes the place of the one before', 'note: Winter # old\nvenues: []\n', 'note: "Spring" # old\nvenues: []\n'],
    ['of several lines too', 'note: |\n  Winter\n  and snow\nvenues: []\n', 'note: "Spring"\nvenues: []\n'],
    ['in JSON', '{"venues": []}', '{"note": "Spring", "venues": []}'],
  ])('%s', (_, text, expected) => {
    expect(withNote(text, 'Spring')).toBe(expected);
    expect([hasNote(text), hasNote(expected)]).toEqual([text.includes('note'), true]);
  });
});

function facts(benefitId: string) {
  return { benefitId, productIds: [benefitId], unitPrice: 100 };
}

function price(benefitId: string) {
  return { benefitId, kind: 'unit_price', unitPrice: 100, appliesTo: { productIds: [benefitId] } };
}
