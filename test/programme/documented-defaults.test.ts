/** The tables of docs/benefits.md say which fields a benefit and a limit must have. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';
import { oslo } from './case-file.ts';

const page = readFileSync('docs/benefits.md', 'utf8');

/** The fields of the table below a heading, each with whether it is required. */
function fieldsBelow(heading: string): [field: string, isRequired: boolean][] {
  const section = page.split(`# ${heading}\n`)[1]!.split(/\n#+ /)[0]!;
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => {
    const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return [...cells[1]!.matchAll(/`(\w+)`/g)].map(([, field]): [string, boolean] => [field!, cells[3] === 'required']);
  });
}

function isValid(benefit: object): boolean {
  const programmes = [{ programmeId: 'club', groups: { one: { atMost: 1 } }, benefits: [benefit] }];
  const text = JSON.stringify({ environment: 'staging', venues: [oslo], programmes });
  return inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21').faults.length === 0;
}

const limit = { quantity: 3, period: 'day', counts: 'baskets', of: 'member', limitId: 'treats' };
const benefit = {
  benefitId: 'b',
  kind: 'line_percent',
  enabled: true,
  text: 'Ten',
  appliesTo: { productIds: ['4711'] },
  when: { weekdays: ['mon'] },
  minimumSpend: 1,
  minimumQuantity: 1,
  requires: { quantity: 2 },
  minimumSaving: 1,
  maximumDiscount: 900,
  minimumSpendOn: 'basket',
  minimumQuantityOn: 'eligible',
  limit,
  maximumUnits: 3,
  audience: 'granted',
  group: 'one',
  exclusive: false,
  priority: 1,
  fundedBy: 'Roasters',
  percent: 10,
  pick: 'best',
};
const without = (mapping: object, name: string) =>
  Object.fromEntries(Object.entries(mapping).filter(([field]) => field !== name));

it.each(fieldsBelow('Fields of every benefit'))('of a benefit: %s is required: %j', (field, isRequired) => {
  expect(benefit).toHaveProperty(field);
  expect([isValid(benefit), isValid(without(benefit, field))]).toEqual([true, !isRequired]);
});

it.each(fieldsBelow('Limits'))('of a limit: %s is required: %j', (field, isRequired) => {
  expect(limit).toHaveProperty(field);
  expect(isValid({ ...benefit, limit: without(limit, field) })).toBe(!isRequired);
});
