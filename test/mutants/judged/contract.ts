import type { Judgement } from '../mutant.ts';
import { FAST_PATH, judge } from './judge.ts';

const HOLDS = 'The relation holds by more than that; the assertion speaks to whoever changes a limit.';

export const CONTRACT: readonly Judgement[] = [
  ...judge('packages/contract/src/date-time.ts', FAST_PATH, [
    [
      '{ if (text.length !== USUAL_LENGTH) return undefined; const sign = text.charCodeAt(19); if ( text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN || text.charCodeAt(10) !== LETTER_T || text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON || (sign !== PLUS && sign !== HYPHEN) || text.charCodeAt(22) !== COLON ) { return undefined; } const year = twoDigits(text, 0) * 100 + twoDigits(text, 2); const month = twoDigits(text, 5); const day = twoDigits(text, 8); const hour = twoDigits(text, 11); const minute = twoDigits(text, 14); const second = twoDigits(text, 17); const offsetHour = twoDigits(text, 20); const offsetMinute = twoDigits(text, 23); // NaN, which stands for anything but digits, is in none of these ranges. if (!(year >= FIRST_USUAL_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) { return undefined; } if (!(hour <= 23 && minute <= 59 && second <= 59 && offsetHour <= 23 && offsetMinute <= 59)) return undefined; const offsetMs = (offsetHour * 60 + offsetMinute) * MS_PER_MINUTE; const localMs = Date.UTC(year, month - 1, day, hour, minute, second); return sign === PLUS ? localMs - offsetMs : localMs + offsetMs; }',
      '{}',
    ],
    ['text.length !== USUAL_LENGTH', 'true'],
    [
      'text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN || text.charCodeAt(10) !== LETTER_T || text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON || (sign !== PLUS && sign !== HYPHEN) || text.charCodeAt(22) !== COLON',
      'true',
    ],
    ['sign !== PLUS && sign !== HYPHEN', 'sign !== PLUS || sign !== HYPHEN'],
    ['sign !== PLUS', 'true'],
    ['sign !== HYPHEN', 'true'],
    ['twoDigits(text, 0) * 100', 'twoDigits(text, 0) / 100'],
    ['!(year >= FIRST_USUAL_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))', 'true'],
    ['year >= FIRST_USUAL_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)', 'false'],
    ['year >= FIRST_USUAL_YEAR', 'year > FIRST_USUAL_YEAR'],
    ['month >= 1', 'month > 1'],
    ['month <= 12', 'month < 12'],
    ['day >= 1', 'day > 1'],
    ['day <= daysInMonth(year, month)', 'day < daysInMonth(year, month)'],
    ['!(hour <= 23 && minute <= 59 && second <= 59 && offsetHour <= 23 && offsetMinute <= 59)', 'true'],
    ['hour <= 23 && minute <= 59 && second <= 59 && offsetHour <= 23 && offsetMinute <= 59', 'false'],
    ['hour <= 23', 'hour < 23'],
    ['minute <= 59', 'minute < 59'],
    ['second <= 59', 'second < 59'],
    ['offsetHour <= 23', 'offsetHour < 23'],
    ['offsetMinute <= 59', 'offsetMinute < 59'],
    [
      '{ const tens = text.charCodeAt(at) - ZERO; const ones = text.charCodeAt(at + 1) - ZERO; return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN; }',
      '{}',
    ],
    ['text.charCodeAt(at) - ZERO', 'text.charCodeAt(at) + ZERO'],
    ['text.charCodeAt(at + 1) - ZERO', 'text.charCodeAt(at + 1) + ZERO'],
    ['at + 1', 'at - 1'],
    ['tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9', 'false'],
    ['tens >= 0', 'tens > 0'],
    ['tens >= 0', 'tens < 0'],
    ['tens <= 9', 'tens < 9'],
    ['tens <= 9', 'tens > 9'],
    ['ones >= 0', 'ones < 0'],
    ['ones >= 0', 'ones > 0'],
    ['ones <= 9', 'ones < 9'],
    ['ones <= 9', 'ones > 9'],
    ['tens * 10', 'tens / 10'],
    ['[0x2b, 0x2d, 0x3a, 0x54, 0x30]', '[]'],
  ]),
  ...judge('packages/contract/src/error-anchor.ts', 'No family has such a name.', [
    ['[]', '["Stryker was here"]'],
    ['family !== undefined', 'true'],
  ]),
  ...judge('packages/contract/src/limits.ts', HOLDS, [
    ['throw new Error(`assertion failed: ${relation}`);', ';'],
    [
      'MAX_CHARACTER_BYTES * (8 * MAX_IDENTIFIER_CHARACTERS + MAX_EAN_CHARACTERS + MAX_NAME_CHARACTERS + 3 * MAX_TEXT_CHARACTERS) + 1024',
      'MAX_CHARACTER_BYTES * (8 * MAX_IDENTIFIER_CHARACTERS + MAX_EAN_CHARACTERS + MAX_NAME_CHARACTERS + 3 * MAX_TEXT_CHARACTERS) - 1024',
    ],
    [
      'MAX_CHARACTER_BYTES * (8 * MAX_IDENTIFIER_CHARACTERS + MAX_EAN_CHARACTERS + MAX_NAME_CHARACTERS + 3 * MAX_TEXT_CHARACTERS)',
      'MAX_CHARACTER_BYTES / (8 * MAX_IDENTIFIER_CHARACTERS + MAX_EAN_CHARACTERS + MAX_NAME_CHARACTERS + 3 * MAX_TEXT_CHARACTERS)',
    ],
    [
      '8 * MAX_IDENTIFIER_CHARACTERS + MAX_EAN_CHARACTERS + MAX_NAME_CHARACTERS + 3 * MAX_TEXT_CHARACTERS',
      '8 * MAX_IDENTIFIER_CHARACTERS + MAX_EAN_CHARACTERS + MAX_NAME_CHARACTERS - 3 * MAX_TEXT_CHARACTERS',
    ],
    [
      '8 * MAX_IDENTIFIER_CHARACTERS + MAX_EAN_CHARACTERS + MAX_NAME_CHARACTERS',
      '8 * MAX_IDENTIFIER_CHARACTERS + MAX_EAN_CHARACTERS - MAX_NAME_CHARACTERS',
    ],
    ['8 * MAX_IDENTIFIER_CHARACTERS + MAX_EAN_CHARACTERS', '8 * MAX_IDENTIFIER_CHARACTERS - MAX_EAN_CHARACTERS'],
    ['8 * MAX_IDENTIFIER_CHARACTERS', '8 / MAX_IDENTIFIER_CHARACTERS'],
    ['3 * MAX_TEXT_CHARACTERS', '3 / MAX_TEXT_CHARACTERS'],
    ['{ if (!isSo) throw new Error(`assertion failed: ${relation}`); }', '{}'],
    ['!isSo', 'false'],
    ['MAX_ANSWER_BYTES >= 2 * MAX_BODY_BYTES + MIN_CUTS_ANSWERED * MAX_LINE_BYTES', 'true'],
    [
      'MAX_ANSWER_BYTES >= 2 * MAX_BODY_BYTES + MIN_CUTS_ANSWERED * MAX_LINE_BYTES',
      'MAX_ANSWER_BYTES > 2 * MAX_BODY_BYTES + MIN_CUTS_ANSWERED * MAX_LINE_BYTES',
    ],
    [
      '2 * MAX_BODY_BYTES + MIN_CUTS_ANSWERED * MAX_LINE_BYTES',
      '2 * MAX_BODY_BYTES - MIN_CUTS_ANSWERED * MAX_LINE_BYTES',
    ],
    ['2 * MAX_BODY_BYTES', '2 / MAX_BODY_BYTES'],
    ['MIN_CUTS_ANSWERED * MAX_LINE_BYTES', 'MIN_CUTS_ANSWERED / MAX_LINE_BYTES'],
    ['MAX_SIGNATURE_HEADER_CHARACTERS >= 32 + MAX_SIGNATURES_PER_HEADER * 72', 'true'],
    [
      'MAX_SIGNATURE_HEADER_CHARACTERS >= 32 + MAX_SIGNATURES_PER_HEADER * 72',
      'MAX_SIGNATURE_HEADER_CHARACTERS > 32 + MAX_SIGNATURES_PER_HEADER * 72',
    ],
    ['MAX_SIGNATURES_PER_HEADER * 72', 'MAX_SIGNATURES_PER_HEADER / 72'],
    ['32 + MAX_SIGNATURES_PER_HEADER * 72', '32 - MAX_SIGNATURES_PER_HEADER * 72'],
    ['MIN_DEADLINE_MS < CALLER_TIMEOUT_MS', 'true'],
    ['MIN_DEADLINE_MS < CALLER_TIMEOUT_MS', 'MIN_DEADLINE_MS <= CALLER_TIMEOUT_MS'],
  ]),
  ...judge('packages/contract/src/signature.ts', FAST_PATH, [
    ['usual', 'false'],
    ['/^t=(0|[1-9][0-9]{0,14}),v1=([0-9a-fA-F]{64})$/', '/^t=(0|[1-9][0-9]),v1=([0-9a-fA-F]{64})$/'],
    ['/^t=(0|[1-9][0-9]{0,14}),v1=([0-9a-fA-F]{64})$/', '/^t=(0|[1-9][0-9]{0,14}),v1=([0-9a-fA-F])$/'],
  ]),
];
