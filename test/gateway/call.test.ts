/** A call and its one answer: what the caller reads of it, and what becomes of the connection. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refuse } from '../../src/contract/errors.ts';
import { Call, type CallEnd, type CallOptions } from '../../src/gateway/call.ts';
import { countTimers, OtherEnd } from './support/response.ts';

const REQUEST_ID = '0F8FAD5B-d9cb-469f-a165-70867728950e';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TRACE = {
  ...{ traceId: 'a'.repeat(32), parentId: 'b'.repeat(16), spanId: 'c'.repeat(16), isSampled: true },
  response: 'the-response',
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function begin(options: Partial<CallOptions> = {}, requestId: string | undefined = REQUEST_ID) {
  const [caller, ends] = [new OtherEnd(), [] as CallEnd[]];
  const usual = {
    isTls: false,
    connection: 'kept',
    detailedAs: undefined,
    trace: undefined,
    docsUrl: undefined,
  } as const;
  const call = new Call(caller.response, requestId, { ...usual, ...options }, (_, end) => ends.push(end));
  return { caller, call, ends };
}

const REFUSAL = refuse('invalid_request', { details: { field: '/lines' } });
const errorOf = ({ body }: { readonly body: string | undefined }) => JSON.parse(body!).error;

test('an answer has its status, its headers and its body, and the connection is kept', () => {
  const { call, caller, ends } = begin();
  call.answer('{"ö":1}', false);
  expect(caller).toMatchObject({ status: '200 OK', body: '{"ö":1}', isClosedBehind: false, isClosed: false });
  expect(caller.headers).toEqual([
    ['content-type', 'application/json; charset=utf-8'],
    ['x-request-id', REQUEST_ID],
    ['loyalty-interface', '0.1.0-draft'],
    ['server-timing', expect.stringMatching(/^app;dur=[\d.]+$/)],
  ]);
  expect([call.isOver, call.isAborted, call.refusal, call.remoteAddress]).toEqual([
    true,
    false,
    undefined,
    '192.0.2.7',
  ]);
  expect(ends).toEqual([{ status: 200, durationMs: expect.any(Number) }]);
  expect(Object.keys(call.stopwatch.phases)).toEqual(['reply']);
});

test('headers that not every answer has: a replay, a trace, transport security', () => {
  const { call, caller } = begin({ isTls: true, trace: TRACE });
  call.answer(Buffer.from('{}'), true);
  expect(Object.fromEntries(caller.headers)).toMatchObject({
    ...{ 'idempotent-replayed': 'true', traceresponse: 'the-response' },
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  });
  expect(call.trace).toBe(TRACE);
});

test.each([[undefined], ['till-7'], [`${REQUEST_ID}0`]])(
  'a request ID that is no UUID is replaced: %s',
  (requestId) => {
    const { call, caller } = begin({}, requestId);
    call.answer('{}', false);
    if (requestId !== undefined) expect(call.requestId).toMatch(UUID);
    expect(caller.header('x-request-id')).toBe(call.requestId);
  },
);

test('a refusal says its code, its request and where it is described', () => {
  const { call, caller, ends } = begin({ docsUrl: 'https://docs.example/errors' });
  call.refuse(REFUSAL);
  expect(errorOf(caller)).toEqual({
    ...{ code: 'invalid_request', message: 'The request is not valid.', details: { field: '/lines' } },
    ...{ requestId: REQUEST_ID, docUrl: 'https://docs.example/errors#invalid_request-lines' },
  });
  expect([caller.status, call.refusal, ends.length]).toEqual(['400 Bad Request', REFUSAL, 1]);
  expect([caller.header('retry-after'), caller.header('allow')]).toEqual([undefined, undefined]);
  const plain = begin();
  plain.call.refuse(refuse('rate_limited', { retryAfterSeconds: 7 }));
  expect([plain.caller.status, plain.caller.header('retry-after')]).toEqual(['429 Too Many Requests', '7']);
  expect(errorOf(plain.caller)).not.toHaveProperty('docUrl');
  const method = begin();
  method.call.refuse(refuse('invalid_request', { status: 405 }), 'POST');
  expect([method.caller.status, method.caller.header('allow')]).toEqual(['405 Method Not Allowed', 'POST']);
});

test('a call has one answer, and none once its caller has gone', () => {
  const { call, caller, ends } = begin();
  call.answer('{"first":1}', false);
  call.answer('{"second":1}', false);
  call.refuse(REFUSAL);
  caller.abort();
  expect([caller.body, caller.status, call.isAborted, call.refusal]).toEqual([
    '{"first":1}',
    '200 OK',
    false,
    undefined,
  ]);
  expect(ends.map(({ status }) => status)).toEqual([200]);
  const gone = begin();
  gone.caller.abort();
  gone.call.answer('{}', false);
  gone.call.refuse(REFUSAL);
  gone.caller.abort();
  expect(gone.caller).toMatchObject({ status: '', body: undefined });
  expect([gone.call.isOver, gone.call.isAborted, gone.ends.map(({ status }) => status)]).toEqual([true, true, [0]]);
});

test('the time of a call counts from its last byte, its phases from its first', () => {
  const { call, caller, ends } = begin({ detailedAs: 'staging' });
  vi.advanceTimersByTime(500);
  const receivedMs = call.markReceived();
  vi.advanceTimersByTime(30);
  call.stopwatch.lap('signature');
  call.deadlinePhase = 'member';
  call.refuse(REFUSAL);
  expect(ends).toEqual([{ status: 400, durationMs: 30 }]);
  expect(caller.header('server-timing')).toBe(
    'app;dur=30, environment;desc="staging", body;dur=500, signature;dur=30, deadline;desc="member"',
  );
  const gone = begin({ detailedAs: 'staging' });
  expect(gone.call.markReceived() - receivedMs).toBeCloseTo(30, 3);
  vi.advanceTimersByTime(20);
  gone.caller.abort();
  expect(gone.ends).toEqual([{ status: 0, durationMs: 20 }]);
  const usual = begin({ detailedAs: 'staging' });
  usual.call.answer('{}', false);
  expect(usual.caller.header('server-timing')).toBe('app;dur=0, environment;desc="staging"');
});

test('a caller that takes an answer piece by piece gets all of it, and its memory is released behind the last one', () => {
  const { call, caller } = begin();
  const body = Buffer.from(new ArrayBuffer(20_000)).fill('a');
  caller.room = 1_000;
  call.answer(body, false);
  expect([caller.body!.length, caller.isClosed, body.length]).toEqual([1_000, false, 20_000]);
  expect([caller.read(4_000), body.length]).toEqual([false, 20_000]);
  expect([caller.read(50_000), body.length]).toEqual([true, 0]);
  expect(caller.body).toBe('a'.repeat(20_000));
  const whole = Buffer.from(new ArrayBuffer(20_000)).fill('b');
  const other = begin();
  other.call.answer(whole, false);
  expect([other.caller.body!.length, whole.length, other.call.isAborted]).toEqual([20_000, 0, false]);
});

test('a caller that has not read its last answer is cut', () => {
  const { call, caller, ends } = begin();
  caller.room = 0;
  call.answer('{}', false);
  expect([call.isAborted, caller.isClosed, ends.length]).toEqual([true, true, 1]);
});

test('HEAD gets the length of the body alone', () => {
  const [kept, last, refused] = [begin(), begin({ connection: 'closed' }), begin({ connection: 'closed' })];
  for (const { call } of [kept, last]) {
    call.omitBody();
    call.answer('{"ö":1}', false);
  }
  for (const { caller } of [kept, last]) {
    expect([caller.header('content-length'), caller.body]).toEqual(['8', '']);
  }
  refused.call.omitBody();
  refused.call.refuse(REFUSAL);
  const length = refused.caller.header('content-length')!;
  expect(length).toMatch(/^\d{2,3}\r\n$/);
});

test('the last answer of a connection closes it', () => {
  const { call, caller } = begin();
  call.closeConnection('closed');
  call.answer('{}', false);
  expect([caller.body, caller.isClosedBehind]).toEqual(['{}', true]);
});

/** The body of a last answer stands behind the length of it (src/gateway/last-answer.ts). */
const lastBody = (caller: OtherEnd): string => caller.header('content-length')!.split('\r\n\r\n')[1]!;

test('a last refusal is sent before its connection is closed', () => {
  const { call, caller } = begin({ connection: 'closed' });
  call.refuse(REFUSAL);
  expect([caller.header('connection'), caller.body, caller.isClosed]).toEqual(['close', undefined, false]);
  expect(JSON.parse(lastBody(caller)).error.code).toBe('invalid_request');
  expect(caller.header('date')).toBe(new Date().toUTCString());
  vi.advanceTimersByTime(1);
  expect([caller.isClosed, vi.getTimerCount()]).toEqual([true, 0]);
});

test('a distrusted connection is closed at once, behind an answer that is long enough to be sent', () => {
  const { call, caller } = begin();
  call.closeConnection('distrusted');
  call.closeConnection('closed');
  call.refuse(REFUSAL);
  expect([caller.isClosed, lastBody(caller).length]).toEqual([true, 16 * 1024]);
  const head = begin({ connection: 'distrusted' });
  head.call.omitBody();
  head.call.refuse(REFUSAL);
  expect(head.caller.isClosed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(head.caller.isClosed).toBe(true);
});

test('the rest of a refused body is read for a while, so that the refusal arrives', () => {
  const [whole, endless, gone] = [0, 1, 2].map(() => begin({ connection: 'closed' }));
  for (const { call } of [whole!, endless!, gone!]) {
    call.expectBody();
    call.refuse(REFUSAL);
  }
  whole!.caller.send('x');
  gone!.caller.abort();
  vi.advanceTimersByTime(900);
  expect([whole!, endless!].map(({ caller }) => caller.isClosed)).toEqual([false, false]);
  whole!.caller.send('x', true);
  vi.advanceTimersByTime(1);
  expect([whole!, endless!].map(({ caller }) => caller.isClosed)).toEqual([true, false]);
  vi.advanceTimersByTime(1_000);
  expect([endless!, gone!].map(({ caller }) => caller.isClosed)).toEqual([true, false]);
});

test('reading the rest of a body keeps no process alive', () => {
  vi.useRealTimers();
  const before = countTimers();
  const { call } = begin({ connection: 'closed' });
  call.expectBody();
  call.refuse(REFUSAL);
  expect(countTimers()).toBe(before);
});

test('a page has its own headers and writes its own body', () => {
  const { call, caller, ends } = begin();
  call.answerPage('text/html', { 'Cache-Control': 'no-store' }, (response) => response.end('<p>'));
  expect([caller.status, caller.header('content-type'), caller.header('cache-control'), caller.body]).toEqual([
    ...['200 OK', 'text/html', 'no-store', '<p>'],
  ]);
  expect([call.isOver, ends.length]).toEqual([true, 1]);
});
