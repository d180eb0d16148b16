/** The head of a request: what is kept of it, which framing is refused, and which key counts. */
import { describe, expect, test } from 'vitest';
import { readRequestHead, validIdempotencyKey } from '../../src/gateway/request-head.ts';

type Header = readonly [name: string, value: string];

/** The library's request, as far as the head is read from it: each header in its turn. */
const headOf = (...headers: readonly Header[]) =>
  readRequestHead({
    forEach: (visit: (name: string, value: string) => void) => {
      for (const [name, value] of headers) visit(name, value);
    },
  } as unknown as Parameters<typeof readRequestHead>[0]);

const KEY = '0f8fad5b-d9cb-469f-a165-70867728950e';

test('of no headers there is nothing, and nothing is wrong', () => {
  expect(headOf()).toEqual({
    ...{ isChunked: false, closesConnection: false, wantsPhases: false, duplicated: new Set() },
    ...{ signature: undefined, authorization: undefined, idempotencyKey: undefined, contentType: undefined },
    ...{ contentEncoding: undefined, requestId: undefined, contentLength: undefined, traceparent: undefined },
    framingFault: undefined,
  });
});

test('each header is kept under its name, and others are not looked at', () => {
  const head = headOf(
    ['pos-signature', 's'],
    ['authorization', 'a'],
    ['idempotency-key', KEY],
    ['content-type', 't'],
    ['content-encoding', 'e'],
    ['content-length', '12'],
    ['x-request-id', 'r'],
    ['connection', 'keep-alive'],
    ['server-timing', 'detail'],
    ['traceparent', 'p'],
    ['x-other', 'o'],
  );
  expect(head).toEqual({
    ...{ signature: 's', authorization: 'a', idempotencyKey: KEY, contentType: 't', contentEncoding: 'e' },
    ...{ contentLength: 12, requestId: 'r', isChunked: false, closesConnection: false, wantsPhases: true },
    ...{ traceparent: 'p', duplicated: new Set(), framingFault: undefined },
  });
});

test.each([
  ['pos-signature', 'signature'],
  ['authorization', 'authorization'],
  ['idempotency-key', 'idempotencyKey'],
  ['content-type', 'contentType'],
  ['content-encoding', 'contentEncoding'],
] as const)('of two %s the first counts, and that there are two is known', (name, field) => {
  const head = headOf([name, 'first'], [name, 'second']);
  expect(head[field]).toBe('first');
  expect(head.duplicated).toEqual(new Set([name]));
});

test('of two request IDs the last counts, and of two traces none', () => {
  const head = headOf(['x-request-id', '1'], ['x-request-id', '2'], ['traceparent', 'a'], ['traceparent', 'b']);
  expect([head.requestId, head.traceparent, [...head.duplicated]]).toEqual(['2', undefined, ['traceparent']]);
});

test.each([
  ['close', true],
  ['Close', true],
  ['keep-alive, close', true],
  ['close ,\tkeep-alive', true],
  ['keep-alive,close,te', true],
  ['closed', false],
  ['disclose', false],
  ['keep-alive; close', false],
])('the connection option %j ends the connection: %s', (value, isLast) => {
  expect(headOf(['connection', value]).closesConnection).toBe(isLast);
});

test('phases are told to whoever asks for the details', () => {
  expect(headOf(['server-timing', 'details']).wantsPhases).toBe(false);
});

describe('framing', () => {
  test.each<[string, readonly Header[], string, string]>([
    [
      'two lengths',
      [
        ['content-length', '1'],
        ['content-length', '1'],
      ],
      'content-length',
      'one Content-Length',
    ],
    [
      'two encodings',
      [
        ['transfer-encoding', 'chunked'],
        ['transfer-encoding', 'chunked'],
      ],
      ...(['transfer-encoding', 'one Transfer-Encoding'] as const),
    ],
    ['an empty length', [['content-length', '']], 'content-length', 'decimal digits'],
    ['a signed length', [['content-length', '+1']], 'content-length', 'decimal digits'],
    ['a length with a blank', [['content-length', '1 ']], 'content-length', 'decimal digits'],
    ['a length of 16 digits', [['content-length', '1'.repeat(16)]], 'content-length', 'decimal digits'],
    ['another encoding', [['transfer-encoding', 'gzip, chunked']], 'transfer-encoding', 'chunked'],
    [
      'a length beside an encoding',
      [
        ['content-length', '1'],
        ['transfer-encoding', 'chunked'],
      ],
      ...(['transfer-encoding', 'no Transfer-Encoding beside a Content-Length'] as const),
    ],
  ])('%s is refused', (_case, headers, field, expected) => {
    expect(headOf(...headers).framingFault).toEqual({ field, expected });
  });

  test('a length of 15 digits and a chunked body are read', () => {
    expect(headOf(['content-length', '1'.repeat(15)])).toMatchObject({ contentLength: 111_111_111_111_111 });
    expect(headOf(['content-length', '0']).framingFault).toBeUndefined();
    const chunked = headOf(['transfer-encoding', 'chunked']);
    expect([chunked.isChunked, chunked.framingFault]).toEqual([true, undefined]);
  });
});

test.each<[string, readonly Header[], string | undefined]>([
  ['one lower-case UUID', [['idempotency-key', KEY]], KEY],
  ['none', [], undefined],
  [
    'two of them',
    [
      ['idempotency-key', KEY],
      ['idempotency-key', KEY],
    ],
    undefined,
  ],
  ['one in capitals', [['idempotency-key', KEY.toUpperCase()]], undefined],
  ['an empty one', [['idempotency-key', '']], undefined],
])('the idempotency key of %s', (_case, headers, key) => {
  expect(validIdempotencyKey(headOf(...headers))).toBe(key);
});
