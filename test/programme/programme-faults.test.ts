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

describe('the lines that a programme leaves out', () => {
  it('have to be named: an empty selector would be every line', () => {
    const allowed =
      'one or more of productIds, productMasterIds, productGroupIds, eans: without them every line would be left out';
    expect(inspect('exclude: {}').faults).toEqual([`1:14 programmes[0].exclude: found {}, allowed: ${allowed}`]);
    expect(inspect('exclude: { includeModifiers: true }').faults).toHaveLength(1);
    expect(inspect('exclude: { excludeProductIds: ["1"] }').faults).toEqual([]);
    expect(inspect('exclude: { productIds: ["1"], excludeProductIds: ["1"] }').faults).toHaveLength(1);
  });

  it('are a selector, and its faults are those of one', () => {
    const wrong = inspect('exclude: { productGroupId: [tobacco] }');
    expect(wrong.faults).toHaveLength(1);
    expect(wrong.faults[0]).toContain('1:16 programmes[0].exclude: found the unknown name "productGroupId"');
    expect(wrong.nearest).toEqual(['productGroupIds']);
    expect(inspect('exclude: { productGroupIds: tobacco }').faults).toHaveLength(1);
    expect(inspect('exclude: no').faults).toHaveLength(1);
  });

  it('are warned about where nothing has their name, or nothing is left of a benefit', () => {
    expect(inspect('exclude: { productGroupIds: [tobaco] }').warnings).toEqual([
      '1:34 programmes[0].exclude.productGroupIds[0]: it leaves out nothing: no product of a venue has this name, tobaco; did you mean tobacco?',
    ]);
    const snus = '- { benefitId: snus, kind: line_percent, percent: 95, appliesTo: { productGroupIds: [tobacco] } }';
    expect(inspect(`exclude: { productGroupIds: [tobacco] }\nbenefits:\n  ${snus}`).warnings).toEqual([
      '3:72 programmes[0].benefits[0].appliesTo: nobody can get it: `exclude` of the programme leaves out every product that it is for',
    ]);
  });
});
