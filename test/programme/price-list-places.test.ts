/** What a table of prices changes stands in one place of the file, however the file is written. */
import { describe, expect, test } from 'vitest';
import { editPrices, type PriceRow } from '../../src/programme/price-list.ts';

const rowOf = (benefitId: string, unitPrice: number, more: object = {}) =>
  ({ programmeId: 'club', benefitId, unitPrice, productIds: [], ...more }) as PriceRow;
const benefits = (...lines: string[]) => `programmes:
  - programmeId: club
    benefits:
${lines.map((line) => `      ${line}\n`).join('')}`;
const edited = (text: string, ...rows: PriceRow[]) => {
  const answer = editPrices({ text, rows });
  return answer.kind === 'listed' ? answer.text : answer.reason;
};
const why = 'because it uses what a row changes: change it in the text.';
const ofA = (price: string) => `- { benefitId: a, kind: unit_price, unitPrice: ${price} }`;

describe('a price that another place uses is not changed', () => {
  const changed = rowOf('a', 3_100);

  test.each<[what: string, own: string, other: string, part: string]>([
    ['its amount', ofA('&p 2900'), '- { benefitId: b, kind: unit_price, unitPrice: *p }', 'club/b'],
    ['an amount by currency', ofA('{ NOK: &p 2900 }'), '- { benefitId: b, kind: unit_price, unitPrice: *p }', 'club/b'],
    ['all of it', ofA('2900').replace('{', '&a {'), '- { <<: *a, benefitId: b }', 'club/b'],
  ])('%s', (_, own, other, part) => {
    const text = benefits(own, other);
    // An alias that has lost its anchor cannot be read.
    const isLost = own.includes('NOK');
    const reason = isLost
      ? `Another place of the file could not be read any more, ${why}`
      : `${part} would change too, ${why}`;
    expect(edited(text, changed)).toBe(reason);
    const removed = rowOf('a', 0, { remove: true });
    expect(edited(text, removed)).toBe(`Another place of the file could not be read any more, ${why}`);
    // The row alone, or another one, may be changed.
    expect(edited(text, rowOf('a', 2_900, own.includes('NOK') ? { unitPrice: { NOK: 2_900 } } : {}))).toBe(text);
    expect(edited(text.replace(/&\w /, ''), rowOf('c', 1, { productIds: ['c'] }))).toContain('"c"');
  });

  test('by another programme, or beside the programmes', () => {
    const list = benefits(ofA('2900')).replace('benefits:', 'benefits: &all');
    const other = `${list}  - { programmeId: bistro, benefits: *all }\n`;
    expect(edited(other, changed)).toBe(`bistro/a would change too, ${why}`);
    expect(edited(other, rowOf('c', 1, { productIds: ['c'] }))).toBe(`bistro/c would change too, ${why}`);
    const beside = `${benefits(ofA('&p 2900'))}venues: [{ products: [{ unitPrice: *p }] }]\n`;
    expect(edited(beside, changed)).toBe(`Another place of the file would change too, ${why}`);
  });

  test('but it is where the others have a value of their own, or nobody uses it', () => {
    const own = benefits(ofA('2900').replace('{', '&a {'), '- { <<: *a, benefitId: b, unitPrice: 5 }');
    expect(edited(own, changed)).toBe(own.replace('2900', '3100'));
    const unused = benefits(ofA('&p 2900'));
    expect(edited(unused, changed)).toBe(unused.replace('2900', '3100'));
  });
});

describe('a benefit whose dash stands on a line of its own', () => {
  const lines = (...first: string[]) => [...first, '    benefitId: a', '    kind: unit_price', '    unitPrice: 5'];
  const ten = '- { benefitId: ten, kind: line_percent, percent: 10 }';

  test.each<[what: string, first: string[]]>([
    ['alone', ['-']],
    ['before a comment', ['- # the first one', '    # - of all']],
    ['with blank lines', ['-   ', '']],
    ['before an anchor', ['- &a']],
  ])('%s is taken out with its dash', (_, first) => {
    const row = rowOf('a', 5, { remove: true });
    expect(edited(benefits(...lines(...first), ten), row)).toBe(benefits(ten));
    expect(edited(benefits(ten, ...lines(...first)), row)).toBe(benefits(ten));
    expect(edited(benefits(ten, ...lines(...first), ten), row)).toBe(benefits(ten, ten));
  });
});
