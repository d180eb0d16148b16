import type { Judgement } from '../mutant.ts';
import { FAST_PATH, judge } from './judge.ts';

export const CONFORMANCE: readonly Judgement[] = [
  ...judge('packages/conformance/src/kit/judge/applied.ts', FAST_PATH, [['!known.has(exchange)', 'true']]),
  ...judge('packages/conformance/src/kit/judge/decimal.ts', FAST_PATH, [
    ['Number.isSafeInteger(quantity)', 'false'],
    ['parts.length === 1', 'false'],
  ]),
  ...judge('packages/conformance/src/kit/judge/fields.ts', 'No field has such a name.', [
    ['[]', '["Stryker was here"]'],
  ]),
  ...judge(
    'packages/conformance/src/kit/judge/promised-lines.ts',
    'Only the compiler needs it: no price is below or above `undefined`.',
    [['overrideUnitPrice !== undefined', 'true']],
  ),
];
