import type { Judgement } from '../mutant.ts';
import { judge } from './judge.ts';

export const PROGRAMME: readonly Judgement[] = [
  ...judge('src/programme/benefit-relations.ts', 'Only the compiler needs it: no other kind has the field.', [
    ["benefit.kind !== 'buy_x_get_y'", 'false'],
  ]),
  ...judge('src/programme/limit-faults.ts', 'Only the compiler needs it: amounts by currency are not below a number.', [
    ["typeof quantity === 'number'", 'true'],
  ]),
  ...judge('src/programme/member-check.ts', 'Only the compiler needs it: what is missing is before nothing.', [
    ['from !== undefined && to !== undefined', 'true'],
    ['from !== undefined && to !== undefined', 'from !== undefined || to !== undefined'],
    ['from !== undefined', 'true'],
    ['to !== undefined', 'true'],
  ]),
  ...judge('src/programme/price-list.ts', 'A text has no benefits.', [['[]', '["Stryker was here"]']]),
  ...judge('src/programme/price-list.ts', 'A line with a benefit does not begin with its end.', [
    ['lineEnd < 0', 'lineEnd <= 0'],
  ]),
  ...judge('src/programme/shared-limits.ts', 'Only the compiler needs it: no other kind has the field.', [
    ["benefit.kind === 'free_product'", 'true'],
  ]),
  ...judge('src/programme/relations.ts', 'No result is no time zone either.', [['{ return false; }', '{}']]),
];
