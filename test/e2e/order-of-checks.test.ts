/** Of several faults in one request the first in the order of checks is answered. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BERGEN, basketOf, OSLO } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, type CallOptions } from '../support/caller.ts';
import { useSharedService } from '../support/shared-service.ts';
import { unixSeconds } from '../support/signer.ts';
import type { BasketBody, ContextBody } from '../support/wire.ts';

const stage = useSharedService();

describe('each refusal of the basket call alone', () => {
  const venues: [string, ContextBody][] = [
    ['an unknown venue', { ...OSLO, venueId: 'nowhere' }],
    ['an unknown terminal setup', { ...OSLO, baxId: '999999' }],
    ["another venue's terminal setup", { ...OSLO, baxId: BERGEN.baxId }],
    ['the venue in capitals', { ...OSLO, venueId: 'OSLO-CENTRAL' }],
    ['a venue named like a part of every object', { ...OSLO, venueId: '__proto__', baxId: 'constructor' }],
  ];
  test.each(venues)('%s is venue_not_configured', async (_, context) => {
    const answer = await stage.caller.basket(basketOf([{}], { context }));
    expect([answer.status, answer.code]).toEqual([422, 'venue_not_configured']);
  });

  test.each([
    [OSLO, 'EUR'],
    [OSLO, 'XXX'],
    [BERGEN, 'SEK'],
  ])('%o does not take %s: unknown_currency', async (context, currency) => {
    const answer = await stage.caller.basket(basketOf([{}], { context, currency }));
    expect([answer.status, answer.code]).toEqual([422, 'unknown_currency']);
  });

  test.each([
    [OSLO, 'NOK'],
    [{ ...OSLO, baxId: '500124' }, 'NOK'],
    [BERGEN, 'NOK'],
    [BERGEN, 'EUR'],
  ])('%o takes %s', async (context, currency) => {
    expect((await stage.caller.basket(basketOf([{}], { context, currency }))).status).toBe(200);
  });

  test('200 lines are priced, 201 are too many', async () => {
    const lines = (count: number) => basketOf(Array.from({ length: count }, () => ({ unitPrice: 100 })));
    const answer = await stage.caller.basket(lines(200));
    expect([answer.status, answer.json().status]).toEqual([200, 'applied']);
    const refused = await stage.caller.basket(lines(201));
    expect([refused.status, refused.code]).toEqual([422, 'too_many_lines']);
  });

  test('1,000 lines that are no lines are too many all the same', async () => {
    const answer = await stage.caller.send(BASKET_PATH, { ...basketOf(), lines: new Array(1_000).fill(0) });
    expect([answer.status, answer.code]).toEqual([422, 'too_many_lines']);
  });
});

describe('every fault at once, then one fewer at a time', () => {
  /** From the last check to the first; each entry makes the request fail its check, whatever follows. */
  const faults: [code: string, status: number, apply: (draft: Draft) => void][] = [
    [
      'arithmetic_mismatch',
      422,
      ({ basket }) => {
        basket.totals.total += 1;
      },
    ],
    [
      'unknown_currency',
      422,
      ({ basket }) => {
        basket.currency = 'XXX';
      },
    ],
    [
      'venue_not_configured',
      422,
      ({ basket }) => {
        basket.context = { ...OSLO, venueId: 'nowhere' };
      },
    ],
    [
      'invalid_request',
      400,
      ({ headers }) => {
        headers['Idempotency-Key'] = randomUUID();
      },
    ],
    [
      'invalid_request',
      400,
      ({ basket }) => {
        Object.assign(basket.lines[0]!, { noDiscount: null });
      },
    ],
    [
      'too_many_lines',
      422,
      ({ basket }) => {
        basket.lines = new Array(201).fill(basket.lines[0]);
      },
    ],
    [
      'idempotency_conflict',
      409,
      ({ basket, headers }) => {
        headers['Idempotency-Key'] = used.calculationId;
        basket.calculationId = used.calculationId;
      },
    ],
    [
      'invalid_request',
      400,
      ({ headers }) => {
        headers['Content-Type'] = 'text/plain';
      },
    ],
    [
      'invalid_request',
      400,
      ({ headers }) => {
        headers['Idempotency-Key'] = null;
      },
    ],
    [
      'invalid_signature',
      401,
      ({ headers }) => {
        headers['POS-Signature'] = `t=${unixSeconds()},v1=${'0'.repeat(64)}`;
      },
    ],
    [
      'stale_timestamp',
      401,
      ({ headers }) => {
        headers['POS-Signature'] = `t=1,v1=${'0'.repeat(64)}`;
      },
    ],
    [
      'invalid_signature',
      401,
      ({ headers }) => {
        headers['POS-Signature'] = null;
      },
    ],
    [
      'invalid_request',
      413,
      (draft) => {
        draft.padding = 262_144;
      },
    ],
    [
      'invalid_request',
      405,
      (draft) => {
        draft.method = 'PUT';
      },
    ],
    [
      'invalid_request',
      404,
      (draft) => {
        draft.path = '/v1/pos/nothing';
      },
    ],
  ];
  const used = basketOf();

  test.each(faults.map((fault, index) => [index + 1, fault[1], fault[0]] as const))(
    'the first %d faults together answer %d %s',
    async (count, status, code) => {
      await stage.caller.basket(used);
      const draft: Draft = { basket: basketOf(), headers: {}, method: 'POST', path: BASKET_PATH, padding: 0 };
      for (const [, , apply] of faults.slice(0, count)) apply(draft);
      const body = Buffer.concat([bytesOf(draft.basket), Buffer.alloc(draft.padding, 0x20)]);
      const options: CallOptions = { headers: draft.headers, method: draft.method };
      const answer = await stage.caller.send(draft.path, body, options);
      expect([answer.status, answer.code]).toEqual([status, code]);
    },
  );
});

interface Draft {
  basket: BasketBody;
  headers: Record<string, string | null>;
  method: string;
  path: string;
  padding: number;
}
