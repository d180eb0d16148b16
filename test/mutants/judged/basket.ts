import type { Judgement } from '../mutant.ts';
import { FAST_PATH, judge } from './judge.ts';

export const BASKET: readonly Judgement[] = [
  ...judge('src/basket/references.ts', 'Only the compiler needs it: an array has nothing at `undefined`.', [
    ['passed !== undefined', 'true'],
  ]),
  ...judge('src/basket/basket-request.ts', 'The other reading of the same bytes refuses them in the same words.', [
    ['!parsed.ok', 'false'],
    ['!texts.ok', 'false'],
  ]),
  ...judge('src/basket/flawless-request.ts', 'Only the compiler needs it: nothing else is a percentage or an ID.', [
    ["typeof value === 'number'", 'true'],
    ["typeof value === 'string'", 'true'],
  ]),
  ...judge('src/basket/flawless-request.ts', 'There is no fourth character, and NaN is outside of no range.', [
    ['at < 3', 'at <= 3'],
  ]),
  ...judge('src/basket/parse-json.ts', FAST_PATH, [
    ['!bytes.includes(BACKSLASH) || !bytes.includes(UNICODE_ESCAPE)', 'false'],
    [
      '!bytes.includes(BACKSLASH) || !bytes.includes(UNICODE_ESCAPE)',
      '!bytes.includes(BACKSLASH) && !bytes.includes(UNICODE_ESCAPE)',
    ],
  ]),
  ...judge('src/basket/parse-json.ts', 'Both name every character.', [
    ['/\\\\(?:u([0-9a-f]{4})|[\\s\\S])/gi', '/\\\\(?:u([0-9a-f]{4})|[\\S\\S])/gi'],
  ]),
  ...judge('src/basket/schema.ts', 'An answer meets the schema of its own status, which is the only constant.', [
    ["case 'const': return String(allowed);", "case 'const':"],
  ]),
  ...judge(
    'src/basket/schema.ts',
    'Only lines have a largest number, and more of them are refused before, with a code of their own.',
    [["keyword === 'minItems'", 'true']],
  ),
];
