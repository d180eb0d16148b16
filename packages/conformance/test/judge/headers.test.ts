/** The headers of every answer: each accepted form, and each wrong header with the one finding that it gets. */
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/kit/exchange.ts';
import { judgeExchange } from '../../src/kit/judge/judge.ts';
import { TLS_RULES } from '../../src/kit/judge/standing.ts';
import { errorOf, exchangeOf, REQUEST_ID, unchanged } from './plants.ts';

const LONG = 'x'.repeat(100);
const CUT = 'x'.repeat(60);
const OTHER_ID = '11111111-2222-4333-8444-555555555555';

/** A right answer whose header has these values, one line each. */
function answerWith(name: string, ...values: readonly string[]): Exchange {
  return withHeader(unchanged({ reason: 'member_inactive' }), name, values);
}

function withHeader(exchange: Exchange, name: string, values: readonly string[]): Exchange {
  const others = exchange.headers.filter(([key]) => key !== name);
  return { ...exchange, headers: [...others, ...values.map((value) => [name, value] as const)] };
}

describe('X-Request-Id', () => {
  const sending = (requestId: string | undefined, ...answered: readonly string[]): Exchange => ({
    ...answerWith('X-Request-Id', ...answered),
    requestId,
  });

  test.each([
    ['the one of the request', REQUEST_ID, REQUEST_ID],
    ['the one of the request in capitals', REQUEST_ID.toUpperCase(), REQUEST_ID.toUpperCase()],
    ['one of the service, where the request had none', undefined, OTHER_ID],
    ['one of the service, where the request had no UUID', 'till-7', OTHER_ID],
  ])('%s', (_, sent, answered) => {
    expect(judgeExchange(sending(sent, answered))).toEqual([]);
  });

  test.each([
    ['missing', [], 'X-Request-Id: expected once, found 0 times'],
    ['sent twice', [REQUEST_ID, REQUEST_ID], 'X-Request-Id: expected once, found 2 times'],
    ['no UUID', [LONG], `X-Request-Id: expected a UUID, found ${CUT}`],
    ['a UUID with text before it', [`x${REQUEST_ID}`], `X-Request-Id: expected a UUID, found x${REQUEST_ID}`],
    ['a UUID with text after it', [`${REQUEST_ID}x`], `X-Request-Id: expected a UUID, found ${REQUEST_ID}x`],
    ['another one', [OTHER_ID], 'X-Request-Id: is not the one of the request'],
    ['the same in capitals', [REQUEST_ID.toUpperCase()], 'X-Request-Id: is not the one of the request'],
  ])('%s', (_, answered, finding) => {
    expect(judgeExchange(sending(REQUEST_ID, ...answered))).toEqual([finding]);
  });
});

describe('Server-Timing', () => {
  test.each(['app;dur=0', 'app;dur=12', 'app;dur=12.345', 'app;dur=12, db;dur=3.5'])('%s', (timing) => {
    expect(judgeExchange(answerWith('Server-Timing', timing))).toEqual([]);
  });

  test.each([
    ['missing', [], 'nothing'],
    ['sent twice', ['app;dur=1', 'app;dur=2'], 'app;dur=1 and app;dur=2'],
    ['another name', [LONG], CUT],
    ['another figure first', ['db;dur=3, app;dur=12'], 'db;dur=3, app;dur=12'],
    ['a unit', ['app;dur=12ms'], 'app;dur=12ms'],
    ['no figure', ['app;dur=x'], 'app;dur=x'],
    ['a point without decimals', ['app;dur=1.'], 'app;dur=1.'],
    ['a comma without another figure', ['app;dur=1, '], 'app;dur=1, '],
  ])('%s', (_, values, found) => {
    const finding = `Server-Timing: expected app;dur=<ms>, found ${found}`;
    expect(judgeExchange(answerWith('Server-Timing', ...values))).toEqual([finding]);
  });

  test('it may be longer than the caller waited by what two clocks differ, and no more', () => {
    const waiting = (timing: string): Exchange => ({ ...answerWith('Server-Timing', timing), roundTripMs: 19.5 });
    expect(judgeExchange(waiting('app;dur=24.5'))).toEqual([]);
    expect(judgeExchange(waiting('app;dur=24.6'))).toEqual([
      'Server-Timing: says 24.6 ms where the caller waited 20 ms',
    ]);
  });
});

describe('Content-Type', () => {
  test.each([
    'application/json',
    'application/json;charset=utf-8',
    'application/json; charset=utf-8',
    'application/json;  charset="utf-8"',
    'Application/JSON; charset=UTF-8',
  ])('%s', (type) => {
    expect(judgeExchange(answerWith('Content-Type', type))).toEqual([]);
  });

  test.each([
    ['missing', [], 'nothing'],
    ['sent twice', ['application/json', 'application/json'], 'application/json'],
    ['another type', [LONG], CUT],
    ['a type that ends like it', ['x-application/json'], 'x-application/json'],
    ['a type that begins like it', ['application/json-seq'], 'application/json-seq'],
    ['another charset', ['application/json; charset=latin1'], 'application/json; charset=latin1'],
    ['another parameter', ['application/json; v=1; charset=utf-8'], 'application/json; v=1; charset=utf-8'],
  ])('%s', (_, values, found) => {
    const finding = `Content-Type: expected application/json, found ${found}`;
    expect(judgeExchange(answerWith('Content-Type', ...values))).toEqual([finding]);
  });

  test('the body is JSON, and an answer to HEAD has none', () => {
    expect(judgeExchange(exchangeOf('<html>', 400))).toContain('body: is not JSON in UTF-8');
    expect(judgeExchange(exchangeOf('', 404, {}, { method: 'HEAD' }))).toEqual([]);
    expect(judgeExchange(exchangeOf('{}', 404, {}, { method: 'HEAD' }))).toEqual(['body: an answer to HEAD has none']);
  });
});

describe('Retry-After', () => {
  const refused = (...values: readonly string[]): Exchange =>
    withHeader(errorOf(503, 'unavailable'), 'Retry-After', values);

  test.each(['1', '30', '3600'])('%s s', (seconds) => {
    expect(judgeExchange(refused(seconds))).toEqual([]);
    expect(judgeExchange(errorOf(429, 'rate_limited', undefined, { 'Retry-After': seconds }))).toEqual([]);
  });

  test.each([
    ['missing', [], 'nothing'],
    ['sent twice', ['1', '2'], '1 and 2'],
    ['no second', ['0'], '0'],
    ['a fraction', ['1.5'], '1.5'],
    ['with a unit', ['5s'], '5s'],
    ['with text before it', ['in 5'], 'in 5'],
    ['a date', ['Wed, 25 Nov 2026 12:00:00 GMT'], 'Wed, 25 Nov 2026 12:00:00 GMT'],
  ])('%s', (_, values, found) => {
    expect(judgeExchange(refused(...values))).toEqual([
      `Retry-After: expected whole seconds from 1 on, found ${found}`,
    ]);
  });

  test('an answer that is no refusal for now has none', () => {
    expect(judgeExchange(answerWith('Retry-After', '1'))).toEqual(['Retry-After: is not due on 200']);
  });
});

describe('Idempotent-Replayed', () => {
  test('true, once', () => {
    expect(judgeExchange(answerWith('Idempotent-Replayed', 'true'))).toEqual([]);
  });

  test.each([
    ['false', ['false'], 'false'],
    ['sent twice', ['true', 'true'], 'true,true'],
  ])('%s', (_, values, found) => {
    const finding = `Idempotent-Replayed: expected true, found ${found}`;
    expect(judgeExchange(answerWith('Idempotent-Replayed', ...values))).toEqual([finding]);
  });
});

describe('Strict-Transport-Security', () => {
  const [rule] = TLS_RULES;
  const faultsOver = (isTls: boolean, values: readonly string[]): string[] | undefined =>
    rule!.faultsOf({ ...answerWith('Strict-Transport-Security', ...values), isTls });

  test.each([
    'max-age=5',
    'max-age=31536000',
    'max-age="600"',
    'max-age=31536000; includeSubDomains',
    'max-age=600  ;preload',
    'includeSubDomains;max-age=600',
    'includeSubDomains;  Max-Age=600',
  ])('%s', (value) => {
    expect(faultsOver(true, [value])).toEqual([]);
  });

  test.each([
    ['missing', [], 'nothing'],
    ['sent twice', ['max-age=1', 'max-age=2'], 'max-age=1 and max-age=2'],
    ['no duration', [LONG], CUT],
    ['a duration of nothing', ['max-age=0'], 'max-age=0'],
    ['a duration with a unit', ['max-age=600s'], 'max-age=600s'],
    ['a name that ends like it', ['x-max-age=600'], 'x-max-age=600'],
  ])('%s', (_, values, found) => {
    const finding = `Strict-Transport-Security: expected a max-age above 0, found ${found}`;
    expect(faultsOver(true, values)).toEqual([finding]);
  });

  test('without TLS it is not asked for', () => {
    expect(faultsOver(false, [])).toBeUndefined();
  });
});
