/** The headers of every answer: what each may be, and what is found in another. `mutator.test.ts` removes, doubles and garbles them. */
import { describe, expect, test } from 'vitest';
import { judgeExchange } from '../../../../test/support/judge.ts';
import type { Exchange } from '../../src/kit/exchange.ts';
import { TLS_RULES } from '../../src/kit/judge/standing.ts';
import { errorOf, exchangeOf, REQUEST_ID, unchanged } from './plants.ts';

const OTHER_ID = '11111111-2222-4333-8444-555555555555';
const LONG = 'x'.repeat(100);
const RIGHT = unchanged({ reason: 'member_inactive' });
const REFUSED = errorOf(503, 'unavailable');

interface HeaderCase {
  readonly of?: Exchange;
  readonly expected: string;
  readonly right: readonly string[];
  /** Wrong values; none, and two lines, are lists. */
  readonly wrong: readonly (string | readonly string[])[];
}

const HEADERS: Readonly<Record<string, HeaderCase>> = {
  'Server-Timing': {
    expected: 'app;dur=<ms>',
    right: ['app;dur=0', 'app;dur=12.345', 'app;dur=12, db;dur=3.5'],
    wrong: [LONG, ['app;dur=1', 'app;dur=2'], 'db;dur=3, app;dur=12', 'app;dur=12ms', 'app;dur=1.', 'app;dur=1, '],
  },
  'Content-Type': {
    expected: 'application/json',
    right: ['application/json', 'application/json;charset=utf-8', 'Application/JSON;  charset="UTF-8"'],
    wrong: [
      [],
      'x-application/json',
      'application/json-seq',
      'application/json; charset=latin1',
      'application/json; v=1; charset=utf-8',
    ],
  },
  'Retry-After': {
    of: REFUSED,
    expected: 'whole seconds from 1 on',
    right: ['1', '3600'],
    wrong: [[], ['1', '2'], '0', '1.5', 'in 5', 'Wed, 25 Nov 2026 12:00:00 GMT'],
  },
  'Idempotent-Replayed': { expected: 'true', right: ['true'], wrong: ['false', ['true', 'true']] },
  'Strict-Transport-Security': {
    expected: 'a max-age above 0',
    right: ['max-age=5', 'max-age="600"; includeSubDomains', 'includeSubDomains;  Max-Age=600  ;preload'],
    wrong: [[], ['max-age=1', 'max-age=2'], 'max-age=0', 'max-age=600s', 'x-max-age=600'],
  },
};

function withHeader(exchange: Exchange, name: string, values: readonly string[]): Exchange {
  const others = exchange.headers.filter(([key]) => key !== name);
  return { ...exchange, headers: [...others, ...values.map((value) => [name, value] as const)] };
}

/** Over TLS, where one more header is due. */
function judgeSecure(exchange: Exchange): string[] {
  return [
    ...judgeExchange(exchange),
    ...TLS_RULES.flatMap((rule) => rule.faultsOf({ ...exchange, isTls: true }) ?? []),
  ];
}

describe.each(Object.entries(HEADERS))('%s', (name, { of = RIGHT, expected, right, wrong }) => {
  const judge = (values: readonly string[]) =>
    judgeSecure(withHeader(withHeader(of, 'Strict-Transport-Security', ['max-age=5']), name, values));

  test.each(right)('%s', (value) => {
    expect(judge([value])).toEqual([]);
  });

  test.each(wrong.map((values) => [values].flat()))('not %j', (...values) => {
    const shown = values.join(' and ').slice(0, 60) || 'nothing';
    expect(judge(values)).toEqual([`${name}: expected ${expected}, found ${shown}`]);
  });
});

test.each([
  [REQUEST_ID, REQUEST_ID, []],
  [REQUEST_ID.toUpperCase(), REQUEST_ID.toUpperCase(), []],
  [undefined, OTHER_ID, []],
  ['till-7', OTHER_ID, []],
  [REQUEST_ID, OTHER_ID, [`the one of the request, found ${OTHER_ID}`]],
  [REQUEST_ID, REQUEST_ID.toUpperCase(), [`the one of the request, found ${REQUEST_ID.toUpperCase()}`]],
  [REQUEST_ID, `x${REQUEST_ID}`, [`one UUID, found x${REQUEST_ID}`]],
  [REQUEST_ID, `${REQUEST_ID}x`, [`one UUID, found ${REQUEST_ID}x`]],
])('X-Request-Id %s answered %s', (requestId, answered, findings) => {
  const exchange = { ...withHeader(RIGHT, 'X-Request-Id', [answered]), requestId };
  expect(judgeExchange(exchange)).toEqual(findings.map((finding) => `X-Request-Id: expected ${finding}`));
});

test('Server-Timing may be longer than the caller waited by what two clocks differ, and no more', () => {
  const waiting = (timing: string): Exchange => ({
    ...withHeader(RIGHT, 'Server-Timing', [timing]),
    roundTripMs: 19.5,
  });
  expect(judgeExchange(waiting('app;dur=24.5'))).toEqual([]);
  expect(judgeExchange(waiting('app;dur=24.6'))).toEqual(['Server-Timing: says 24.6 ms where the caller waited 20 ms']);
});

test('the body is JSON, and an answer to HEAD has none', () => {
  expect(judgeExchange(exchangeOf('<html>', 400))).toContain('body: is not JSON in UTF-8');
  expect(judgeExchange(exchangeOf('', 404, {}, { method: 'HEAD' }))).toEqual([]);
  expect(judgeExchange(exchangeOf('{}', 404, {}, { method: 'HEAD' }))).toEqual(['body: an answer to HEAD has none']);
});

test('only a refusal for now has Retry-After, and only TLS asks for Strict-Transport-Security', () => {
  expect(judgeExchange(withHeader(RIGHT, 'Retry-After', ['1']))).toEqual(['Retry-After: is not due on 200']);
  expect(judgeExchange(errorOf(429, 'rate_limited', undefined, { 'Retry-After': '1' }))).toEqual([]);
  expect(TLS_RULES.map((rule) => rule.faultsOf(RIGHT))).toEqual([undefined]);
});
