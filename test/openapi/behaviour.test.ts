/** The document against the running service: its examples are executed and its errors provoked, headers included. */
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../packages/console/src/openapi/document.ts';
import { ERROR_EXAMPLES } from '../../packages/console/src/openapi/error-examples.ts';
import { BASKET_EXAMPLES, SALE_EXAMPLES } from '../../packages/console/src/openapi/examples.ts';
import { createKeys } from '../../src/store/keys.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, type Caller, patiently, SALE_PATH } from '../support/caller.ts';
import { useService } from '../support/service.ts';
import { newSecret, unixSeconds } from '../support/signer.ts';
import type { BasketBody } from '../support/wire.ts';
import { differencesOf, expectExample, LIMITS, stagingConfiguration } from './support.ts';

const rateLimit = { sustained: 60, burst: 240 };
const stage = useService({ isPatient: false, configuration: stagingConfiguration({ rateLimit }) });

describe('every example is what the service answers', () => {
  test.each(Object.entries(BASKET_EXAMPLES))('basket: %s', async (_, { request, answer }) => {
    const found = await patiently(() => stage.caller.basket(request as unknown as BasketBody));
    expect([found.status, found.json()]).toEqual([200, answer]);
    expect(differencesOf(BASKET_PATH, found)).toEqual([]);
  });

  test.each(Object.entries(SALE_EXAMPLES))('sale: %s', async (_, { request, answer }) => {
    const found = await patiently(() => stage.caller.sale(request));
    expect([found.status, found.json()]).toEqual([200, answer]);
    expect(differencesOf(SALE_PATH, found)).toEqual([]);
  });

  test('with every phase in Server-Timing, and refused too', async () => {
    const headers = { 'Server-Timing': 'detail' };
    for (const currency of ['NOK', 'XXX']) {
      const found = await patiently(() => stage.caller.basket(basket({ currency }), { headers }));
      expect(found.header('Server-Timing')).toMatch(/^app;dur=.*, environment;desc="/);
      expect(found.header('Loyalty-Interface')).toBe('0.1.0-draft');
      expect(differencesOf(BASKET_PATH, found)).toEqual([]);
    }
  });

  test('the first one again comes from the store, and says so', async () => {
    const found = await patiently(() =>
      stage.caller.basket(BASKET_EXAMPLES.twentyPercent.request as unknown as BasketBody),
    );
    expect([found.isReplayed, found.json()]).toEqual([true, BASKET_EXAMPLES.twentyPercent.answer]);
    expect(differencesOf(BASKET_PATH, found)).toEqual([]);
  });
});

/** A fresh basket like the first example's. */
function basket(more: Partial<BasketBody> = {}): BasketBody {
  const { lines, ...rest } = structuredClone(BASKET_EXAMPLES.twentyPercent.request) as unknown as BasketBody;
  return { ...rest, lines, calculationId: basketOf().calculationId, ...more };
}

function without(body: BasketBody, field: string): Record<string, unknown> {
  const [first, ...others] = body.lines as unknown as Record<string, unknown>[];
  const { [field]: _, ...line } = first as Record<string, unknown>;
  return { ...body, lines: [line, ...others] };
}

type Provoke = (caller: Caller) => Promise<Answer>;

/** How each example of an error comes about; the ones that need another service stand below. */
const PROVOCATIONS: Partial<Record<keyof typeof ERROR_EXAMPLES, Provoke>> = {
  missingField: (caller) => caller.send(BASKET_PATH, without(basket(), 'noDiscount')),
  notJson: (caller) => caller.send(BASKET_PATH, '{"calculationId":'),
  otherContentType: (caller) => caller.basket(basket(), { headers: { 'Content-Type': 'text/plain' } }),
  unknownChannel: (caller) => {
    const body = basket();
    return caller.send(BASKET_PATH, { ...body, context: { ...body.context, channel: 'web' } });
  },
  wrongAmountType: (caller) =>
    caller.send(BASKET_PATH, {
      ...basket(),
      orderDiscounts: [{ orderDiscountId: 'd', type: 'amount', amount: '1000' }],
    }),
  missingTotal: (caller) => {
    const { orderDiscountTotal: _, ...totals } = basket().totals;
    return caller.send(BASKET_PATH, { ...basket(), totals });
  },
  wrongKey: (caller) => caller.basket(basket(), { headers: { 'Idempotency-Key': basketOf().calculationId } }),
  missingSignature: (caller) => caller.basket(basket(), { headers: { 'POS-Signature': null } }),
  wrongSignature: (caller) => caller.basket(basket(), { secret: newSecret() }),
  staleSignature: (caller) => caller.basket(basket(), { t: unixSeconds() - 302 }),
  unknownPath: (caller) => caller.send('/v1/pos/baskets', basket()),
  otherMethod: (caller) => caller.send(BASKET_PATH, basket(), { method: 'GET' }),
  otherBody: async (caller) => {
    const { request } = BASKET_EXAMPLES.twentyPercent;
    await caller.basket(request as unknown as BasketBody);
    return caller.basket({ ...(request as unknown as BasketBody), loyaltyId: 'test-member-none' });
  },
  tooLarge: (caller) => caller.send(BASKET_PATH, JSON.stringify(basket()).padEnd(256 * 1024 + 1)),
  wrongTotal: (caller) => {
    const body = basket();
    return caller.basket({ ...body, totals: { ...body.totals, total: body.totals.total + 1 } });
  },
  wrongLinePrice: (caller) => {
    const body = basketOf([{ quantity: 1.005, unitPrice: 100 }], { loyaltyId: 'test-member-20' });
    const [line] = body.lines as [BasketBody['lines'][number]];
    return caller.basket({ ...basket(), lines: [{ ...line, originalLinePrice: 100, orderLinePrice: 100 }] });
  },
  wrongAllocation: (caller) => {
    const body = basket();
    const [line, ...others] = body.lines as [BasketBody['lines'][number]];
    const share = { orderDiscountId: 'd', orderDiscountAllocationAmount: 999 };
    const reduced = { ...line, orderDiscountAllocation: [share], orderLinePrice: line.orderLinePrice - 999 };
    const orderDiscounts = [{ orderDiscountId: 'd', type: 'amount' as const, amount: 1000 }];
    return caller.basket({ ...body, lines: [reduced, ...others], orderDiscounts });
  },
  foreignCurrency: (caller) => caller.basket(basket({ currency: 'EUR' })),
  foreignVenue: (caller) => {
    const body = basket();
    return caller.basket({ ...body, context: { ...body.context, baxId: '600201' } });
  },
  tooManyLines: (caller) => caller.basket(basketOf(Array.from({ length: 201 }, () => ({})))),
};

describe('every error is provoked and is as documented', () => {
  test.each(Object.entries(PROVOCATIONS))('%s', async (name, provoke) => {
    expectExample(await provoke(stage.caller), ERROR_EXAMPLES[name as keyof typeof ERROR_EXAMPLES], BASKET_PATH);
  });

  test('otherOutcome', async () => {
    const { finalised } = SALE_EXAMPLES;
    await patiently(() => stage.caller.basket(BASKET_EXAMPLES.twentyPercent.request as unknown as BasketBody));
    await stage.caller.sale(finalised.request);
    const answer = await stage.caller.sale({ ...finalised.request, transactionId: 'another-receipt' });
    expectExample(answer, ERROR_EXAMPLES.otherOutcome, SALE_PATH);
  });

  test('no example is left out', () => {
    const elsewhere = ['otherOutcome', 'tooFast', 'fault', 'overloaded'];
    expect([...Object.keys(PROVOCATIONS), ...elsewhere].sort()).toEqual(Object.keys(ERROR_EXAMPLES).sort());
  });
});

describe('with a store that is broken', () => {
  test('fault', async () => {
    // The key of its index entry holds something that is no entry: a reply of Redis that only a bug explains.
    const sent = basket();
    const key = createKeys('staging').index(sent.calculationId);
    await stage.redis.client.lpush(key, 'no entry');
    try {
      expectExample(await stage.caller.basket(sent), ERROR_EXAMPLES.fault, BASKET_PATH);
    } finally {
      await stage.redis.client.del(key);
    }
  });

  test('overloaded', async () => {
    await stage.redis.stop();
    const answer = await stage.caller.basket(basket());
    expectExample(answer, ERROR_EXAMPLES.overloaded, BASKET_PATH);
  });
});

describe('the operations port', () => {
  test('serves the document', async () => {
    const response = await fetch(`${stage.service.opsUrl}/openapi.json`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const served = (await response.json()) as ReturnType<typeof openApiDocument>;
    // The limits are those of the environment that serves it, not the interface's proposals.
    expect(served).toEqual(JSON.parse(JSON.stringify(openApiDocument({ ...LIMITS, rateLimit }))));
    expect(served).toHaveProperty(['info', 'x-limits', 'requestsPerSecond'], rateLimit);
  });

  test('serves a page that fetches nothing', async () => {
    const response = await fetch(`${stage.service.opsUrl}/docs`);
    const html = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|<link|<img|@import|src=|url\(/i);
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1]);
    for (const target of targets) expect(target).toMatch(/^(?:#\w+|openapi\.json)$/);
    for (const target of targets.filter((text) => text?.startsWith('#')))
      expect(html).toContain(`id="${target?.slice(1)}"`);
    for (const name of Object.keys((openApiDocument(LIMITS).components as { schemas: object }).schemas)) {
      expect(html).toContain(`<h3 id="${name}">`);
    }
  });
});
