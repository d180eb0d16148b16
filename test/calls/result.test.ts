/** What becomes of a call's outcome or error, and what the log says of it. */

import { refuse } from '@loyalty/contract/errors';
import { describe, expect, test } from 'vitest';
import type { CallRequest } from '../../src/calls/call.ts';
import { factsOf } from '../../src/calls/call-facts.ts';
import { factsOfRefusal, refusalOf } from '../../src/calls/result.ts';
import { Stopwatch } from '../../src/telemetry/stopwatch.ts';

const callWith = (body: string | Uint8Array = '', kind: CallRequest['kind'] = 'basket') => {
  const stopwatch = new Stopwatch();
  stopwatch.enter('member');
  const bytes = typeof body === 'string' ? new Uint8Array(Buffer.from(body)) : (body as CallRequest['body']);
  return { kind, body: bytes, stopwatch };
};

const basket = (venueId: string, baxId: string, loyaltyId = 'somebody'): string =>
  JSON.stringify({ loyaltyId, context: { venueId, baxId } });

describe('the till that sent a refused basket', () => {
  const senderOf = (body: string | Uint8Array, kind?: CallRequest['kind'], refusal = refuse('invalid_request')) => {
    return factsOf([factsOfRefusal(callWith(body, kind), refusalOf(refusal))]);
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
    const sender = factsOfRefusal(callWith('{"context":{}}'), refusalOf(refuse('arithmetic_mismatch')));
    expect(factsOf([{ venueId: 'known', terminal: '1' }, sender])).toEqual({ venueId: 'known', terminal: '1' });
  });

  test('is left out where a field has the loyalty ID', () => {
    expect(senderOf(basket('card-7', '7', 'card-7'))).toEqual({ terminal: '7' });
    expect(senderOf(basket('v', 'card-7', 'card-7'))).toEqual({ venueId: 'v' });
    expect(senderOf('{"context":{"venueId":"card-7"},"loyaltyId" : "card-7"}')).toEqual({});
  });

  test("is a basket's alone: a sale event has none", () => {
    expect(senderOf(basket('v', '7'), 'sale')).toEqual({});
  });

  test('is not looked for in a flood: a call that the bucket refuses costs no search', () => {
    expect(senderOf(basket('v', '7'), 'basket', refuse('rate_limited'))).toEqual({});
  });

  test('is found in a body that is cut from a larger piece of memory', () => {
    const memory = new Uint8Array(Buffer.from(`{"context":{"venueId":"another"}}${basket('v', '7')}`));
    expect(senderOf(memory.subarray(33))).toEqual({ venueId: 'v', terminal: '7' });
  });
});
