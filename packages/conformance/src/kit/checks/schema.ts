import { randomUUID } from 'node:crypto';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { LineWords } from '../baskets.ts';
import { REQUEST_OBJECTS, wrongValues } from '../request-fields.ts';
import type { Check, Session } from '../session.ts';

/** The request's schema (interface, sections 2 and 4.5): a field missing or of the wrong type is `400`. */

type Json = Record<string, unknown>;

const LINES: readonly LineWords[] = [{ existing: 100, shares: { staff: 50 } }, {}];

/** Values that no reading of the tables allows, by their place. */
const WRONG_VALUES: readonly (readonly [about: string, put: (body: Json, line: Json) => void])[] = [
  ['a calculationId in capitals', (body) => Object.assign(body, { calculationId: randomUUID().toUpperCase() })],
  ['a calculationId without hyphens', (body) => Object.assign(body, { calculationId: '0'.repeat(32) })],
  ['a currency in lower case', (body) => Object.assign(body, { currency: 'nok' })],
  ['a currency of four letters', (body) => Object.assign(body, { currency: 'NOKK' })],
  ['a time without an offset', (body) => Object.assign(body, { requestedAt: '2026-11-20T12:00:00' })],
  ['a day that does not exist', (body) => Object.assign(body, { requestedAt: '2026-02-30T12:00:00Z' })],
  ['a time in milliseconds', (body) => Object.assign(body, { requestedAt: 1_795_000_000_000 })],
  ['a clerk number with a fraction', (body) => Object.assign(body['context'] as Json, { clerkNumber: 7.5 })],
  ['an unknown channel', (body) => Object.assign(body['context'] as Json, { channel: 'web' })],
  ['no lines', (body) => Object.assign(body, { lines: [] })],
  ['an unknown discount type', (_, line) => Object.assign(line, { existingLineDiscountType: 'gift' })],
];

const BROKEN_REFERENCES: readonly (readonly [about: string, put: (body: Json, line: Json) => void])[] = [
  [
    'a lineId used twice',
    (body, line) => Object.assign((body['lines'] as Json[])[1] as Json, { lineId: line['lineId'] }),
  ],
  ['a parentLineId that leads nowhere', (_, line) => Object.assign(line, { parentLineId: 'nowhere' })],
  [
    'an allocation to an order discount that is not there',
    (_, line) => Object.assign((line['orderDiscountAllocation'] as Json[])[0] as Json, { orderDiscountId: 'nowhere' }),
  ],
  [
    'a calculation that supersedes itself',
    (body) => Object.assign(body, { supersedesCalculationId: body['calculationId'] }),
  ],
];

const BODIES: readonly (readonly [about: string, body: string | Uint8Array])[] = [
  ['an empty body', ''],
  ['half a JSON text', '{"calculationId":'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a text', '"basket"'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
];

export const schemaChecks: readonly Check[] = [
  ...Object.entries(REQUEST_OBJECTS).flatMap(([object, { at, schema }]): Check[] => {
    const place = object.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
    return [
      {
        name: `schema.required-${place}`,
        section: '2, 4.5',
        title: `Every required field of ${object} is asked for`,
        run: async (session) => {
          for (const field of schema.required) {
            await expectInvalid(session, `without ${field}`, (body) => {
              delete at(body)[field];
            });
          }
        },
      },
      {
        name: `schema.types-${place}`,
        section: '2, 4.5',
        title: `Every field of ${object} is refused with a value of another type; flags are never null`,
        run: async (session) => {
          const sent = at(JSON.parse(JSON.stringify(session.baskets.of(LINES))) as Json);
          for (const [field, own] of Object.entries(schema.properties)) {
            for (const wrong of wrongValues(own, sent[field])) {
              await expectInvalid(session, `${field} of ${JSON.stringify(wrong)}`, (body) => {
                at(body)[field] = wrong;
              });
            }
          }
        },
      },
    ];
  }),
  {
    name: 'schema.wrong-values',
    section: '2, 4.5',
    title: 'Values of the wrong form are refused',
    run: async (session) => {
      for (const [about, put] of WRONG_VALUES) await expectInvalid(session, about, put);
    },
  },
  {
    name: 'schema.references',
    section: '2 · decision',
    title: 'IDs are unique, and references lead somewhere',
    run: async (session) => {
      for (const [about, put] of BROKEN_REFERENCES) await expectInvalid(session, about, put);
    },
  },
  {
    name: 'schema.not-json',
    section: '7',
    title: 'A body that is not a JSON object in UTF-8 is refused',
    run: async (session) => {
      for (const [about, body] of BODIES) {
        session.expectRefusal(await session.basket(body), 'invalid_request', about);
      }
    },
  },
  {
    name: 'schema.unknown-fields',
    section: '2',
    title: 'Unknown fields are ignored, wherever they stand',
    run: async (session) => {
      const basket = JSON.parse(JSON.stringify(session.baskets.of(LINES))) as Json;
      const strange = { futureField: { deep: [1, null, 'x'] }, status: 'applied' };
      for (const { at } of Object.values(REQUEST_OBJECTS)) Object.assign(at(basket), strange);
      session.expectAccepted(await session.basket(basket), 'a basket with unknown fields');
    },
  },
  {
    name: 'schema.each-endpoint-its-own',
    section: '4 · decision',
    title: 'A sale event is no basket and a basket no sale event: the path is not signed',
    run: async (session) => {
      const basket = session.baskets.of();
      const event = { calculationId: basket.calculationId, status: 'applied', transactionId: 'kit-1' };
      session.expectRefusal(await session.basket(event), 'invalid_request', 'a sale event sent as a basket');
      session.expectRefusal(await session.sale({ ...basket }), 'invalid_request', 'a basket sent as a sale event');
    },
  },
];

async function expectInvalid(session: Session, about: string, put: (body: Json, line: Json) => void): Promise<void> {
  const basket: BasketRequest = session.baskets.of(LINES);
  const body = JSON.parse(JSON.stringify(basket)) as Json;
  put(body, (body['lines'] as Json[])[0] as Json);
  // The key stays the basket's own, so that the body alone is at fault.
  const key = typeof body['calculationId'] === 'string' ? body['calculationId'].toLowerCase() : basket.calculationId;
  const headers = /^[0-9a-f-]{36}$/.test(key)
    ? { 'Idempotency-Key': key }
    : { 'Idempotency-Key': basket.calculationId };
  session.expectRefusal(await session.basket(body, { headers }), 'invalid_request', about);
}
