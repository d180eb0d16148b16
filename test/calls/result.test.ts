/** What becomes of a call's outcome or error, and what the log says of it. */
import { describe, expect, test } from 'vitest';
import type { CallFacts, Outcome, Task } from '../../src/calls/call.ts';
import { resultOf, tooLate, toRefusal, unavailable } from '../../src/calls/result.ts';
import { refuse } from '../../src/contract/errors.ts';
import { BreakerOpen, DeadlinePassed, StoreUnavailable } from '../../src/redis/failure.ts';
import { Stopwatch, WORKER_PHASES } from '../../src/telemetry/stopwatch.ts';

const taskOf = (body: string | Uint8Array = '', route: Task['route'] = 'basket'): Task => ({
  ...{ route, calculationId: '', body: new Uint8Array(Buffer.from(body as string)), deadlineMs: 0 },
  ...{ redisDeadlineMs: 0, indexEntry: undefined },
});

const stopwatchAt = (...laps: string[]): Stopwatch => {
  const stopwatch = new Stopwatch(undefined, WORKER_PHASES.basket);
  for (const phase of laps) stopwatch.lap(phase);
  return stopwatch;
};

test('an answer is passed on with what there is beside it, and no more', () => {
  const [stopwatch, facts] = [stopwatchAt('parse'), { status: 'applied' }];
  const answer = { kind: 'answer', body: Buffer.from('{}'), isReplayed: false } as const;
  const usual = { ...answer, facts, phases: stopwatch.phases };
  expect(Object.keys(resultOf(taskOf(), answer, facts, stopwatch))).toEqual(Object.keys(usual));
  const redemption = { fate: 'sold' } as Outcome['redemption'];
  for (const more of [{ record: 'line' }, { record: '' }, { redemption }, { record: 'line', redemption }] as object[]) {
    expect(resultOf(taskOf(), { ...answer, ...more } as Outcome, facts, stopwatch)).toStrictEqual({
      ...usual,
      ...more,
    });
  }
});

describe('what an error makes of a call', () => {
  const made = (error: unknown) => {
    const facts: CallFacts = {};
    const outcome = toRefusal(error, facts);
    if (outcome.kind !== 'refusal') throw new Error('a refusal is expected');
    return { facts, code: outcome.refusal.code, fault: outcome.fault };
  };

  test('Redis refused: why, and which server', () => {
    const redisCause = 'memory' as never;
    expect(made(new StoreUnavailable('full', { redisCause, server: 'a:1' }))).toEqual({
      ...{ facts: { reason: 'redis', cause: 'memory', server: 'a:1' }, code: 'unavailable', fault: undefined },
    });
    expect(made(new BreakerOpen('silent')).facts).toStrictEqual({ reason: 'breaker' });
    expect(made(new DeadlinePassed()).facts).toStrictEqual({ reason: 'deadline' });
  });

  test('a bug: where it is', () => {
    const bug = new TypeError('no such thing');
    expect(made(bug)).toEqual({ facts: {}, code: 'internal_error', fault: bug.stack });
    expect(made(Object.assign(new Error('bare'), { stack: undefined })).fault).toBe('bare');
    expect(made('a text').fault).toBe('a text');
  });
});

test('a refusal is passed on with its error, what is noted of it, and its phases', () => {
  const stopwatch = stopwatchAt('parse');
  const outcome = { kind: 'refusal', refusal: refuse('internal_error'), fault: 'a bug' } as const;
  const facts = { venueId: 'v' };
  expect(resultOf(taskOf('{}'), outcome, facts, stopwatch)).toStrictEqual({
    ...outcome,
    facts,
    phases: stopwatch.phases,
  });
});

test('a call whose time ran out names its phase, and another one that Redis refused does not', () => {
  const noted = (outcome: Outcome, facts: CallFacts = {}) => {
    resultOf(taskOf(basket('v', 'b')), outcome, facts, stopwatchAt('parse'));
    return facts;
  };
  expect(noted(tooLate())).toEqual({ reason: 'deadline', phase: 'member' });
  expect(noted(unavailable(), { reason: 'deadline' })).toEqual({ reason: 'deadline', phase: 'member' });
  expect(noted(unavailable(), { reason: 'redis' })).toEqual({ reason: 'redis' });
});

const basket = (venueId: string, baxId: string, loyaltyId = 'somebody'): string =>
  JSON.stringify({ loyaltyId, context: { venueId, baxId } });

describe('the till that sent a refused basket', () => {
  const senderOf = (body: string | Uint8Array, route?: Task['route']) => {
    const [facts, refusal] = [{} as CallFacts, refuse('invalid_request')];
    resultOf(taskOf(body, route), { kind: 'refusal', refusal }, facts, stopwatchAt());
    return facts;
  };

  test('is noted, even of a body that is cut', () => {
    expect(senderOf(basket('oslo "1" Ø', '500123'))).toEqual({ venueId: 'oslo "1" Ø', terminal: '500123' });
    expect(senderOf('{"context" : {"venueId" : "v", "baxId"\n:\t"7')).toEqual({ venueId: 'v' });
    expect(senderOf('"context"{"baxId":"7","venueId":"v\\"')).toEqual({ terminal: '7' });
    expect(senderOf(Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(basket('v', '7'))]))).toEqual({
      ...{ venueId: 'v', terminal: '7' },
    });
  });

  test('is not guessed: from other places, of a wrong type, or too long', () => {
    expect(senderOf('{"venueId":"elsewhere","baxId":"7"}')).toEqual({});
    expect(senderOf('{"venueId":"elsewhere","context":{"baxId":"7"}}')).toEqual({ terminal: '7' });
    expect(senderOf('{"context":{"venueId":7,"baxId":"\\x"}}')).toEqual({});
    expect(senderOf(basket('v'.repeat(256), 'b'.repeat(257)))).toEqual({ venueId: 'v'.repeat(256) });
    expect(senderOf(`{"context":{"pad":"${'x'.repeat(4100)}","venueId":"v"}}`)).toEqual({});
    expect(senderOf(`{"context":{"pad":"${'x'.repeat(4000)}","venueId":"v"}}`)).toEqual({ venueId: 'v' });
  });

  test('does not take the place of a venue that is known', () => {
    const [facts, refusal] = [{ venueId: 'known', terminal: '1' }, refuse('arithmetic_mismatch')];
    resultOf(taskOf('{"loyaltyId":"card-7","context":{}}'), { kind: 'refusal', refusal }, facts, stopwatchAt());
    expect(facts).toEqual({ venueId: 'known', terminal: '1' });
  });

  test('is left out where a field has the loyalty ID', () => {
    expect(senderOf(basket('card-7', '7', 'card-7'))).toEqual({ terminal: '7' });
    expect(senderOf(basket('v', 'card-7', 'card-7'))).toEqual({ venueId: 'v' });
    expect(senderOf('{"context":{"venueId":"card-7"},"loyaltyId" : "card-7"}')).toEqual({});
  });

  test("is a basket's alone: a sale event has none", () => {
    expect(senderOf(basket('v', '7'), 'sale')).toEqual({});
  });

  test('is found in a body that is cut from a larger piece of memory', () => {
    const memory = new Uint8Array(Buffer.from(`{"context":{"venueId":"another"}}${basket('v', '7')}`));
    const [facts, body] = [{} as CallFacts, memory.subarray(33)];
    resultOf({ ...taskOf(), body }, { kind: 'refusal', refusal: refuse('invalid_request') }, facts, stopwatchAt());
    expect(facts).toEqual({ venueId: 'v', terminal: '7' });
  });
});
