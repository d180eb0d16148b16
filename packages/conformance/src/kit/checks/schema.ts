import { randomUUID } from 'node:crypto';
import { type LineWords, saleOf } from '../baskets.ts';
import { type Json, objectAt, type Put, withValue } from '../pointer.ts';
import { REQUEST_OBJECTS, type RequestObject, wrongValues } from '../request-fields.ts';
import type { Checks, Session } from '../session.ts';

/** The request's schema (interface, sections 2 and 4.5): a field missing or of the wrong type is `400`. */

const LINES: readonly LineWords[] = [{ existing: 100, shares: { staff: 50 } }, {}];

type Fault = readonly [about: string, pointer: string, put: Put];

/** Values that no reading of the tables allows, by their place. */
const WRONG_VALUES: readonly Fault[] = [
  ['a calculationId in capitals', '/calculationId', () => randomUUID().toUpperCase()],
  ['a calculationId without hyphens', '/calculationId', '0'.repeat(32)],
  ['a currency in lower case', '/currency', 'nok'],
  ['a currency of four letters', '/currency', 'NOKK'],
  ['a time without an offset', '/requestedAt', '2026-11-20T12:00:00'],
  ['a day that does not exist', '/requestedAt', '2026-02-30T12:00:00Z'],
  ['a time in milliseconds', '/requestedAt', 1_795_000_000_000],
  ['a clerk number with a fraction', '/context/clerkNumber', 7.5],
  ['an unknown channel', '/context/channel', 'web'],
  ['no lines', '/lines', []],
  ['an unknown discount type', '/lines/0/existingLineDiscountType', 'gift'],
];

const BROKEN_REFERENCES: readonly Fault[] = [
  ['a lineId used twice', '/lines/1/lineId', 'line-1'],
  ['a parentLineId that leads nowhere', '/lines/0/parentLineId', 'nowhere'],
  [
    'an allocation to an order discount that is not there',
    '/lines/0/orderDiscountAllocation/0/orderDiscountId',
    'nowhere',
  ],
  ['a calculation that supersedes itself', '/supersedesCalculationId', (body: Json) => body['calculationId']],
];

const BODIES: Readonly<Record<string, string | Uint8Array>> = {
  'an empty body': '',
  'half a JSON text': '{"calculationId":',
  'a list': '[]',
  null: 'null',
  'a text': '"basket"',
  'bytes that are not UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
};

export const schemaChecks: Checks = {
  ...Object.assign({}, ...Object.entries(REQUEST_OBJECTS).map(checksOfObject)),
  'schema.wrong-values': {
    section: '2, 4.5',
    title: 'Values of the wrong form are refused',
    run: async (session) => {
      for (const fault of WRONG_VALUES) await expectInvalid(session, ...fault);
    },
  },
  'schema.references': {
    section: '2 · decision',
    title: 'IDs are unique, and references lead somewhere',
    run: async (session) => {
      for (const fault of BROKEN_REFERENCES) await expectInvalid(session, ...fault);
    },
  },
  'schema.not-json': {
    section: '7',
    title: 'A body that is not a JSON object in UTF-8 is refused',
    run: async (session) => {
      for (const [about, body] of Object.entries(BODIES)) await session.refused(body, 'invalid_request', about);
    },
  },
  'schema.unknown-fields': {
    section: '2',
    title: 'Unknown fields are ignored, wherever they stand',
    run: async (session) => {
      const basket = JSON.parse(JSON.stringify(session.baskets.of(LINES))) as Json;
      const strange = { futureField: { deep: [1, null, 'x'] }, status: 'applied' };
      for (const { at } of Object.values(REQUEST_OBJECTS)) Object.assign(objectAt(basket, at), strange);
      await session.accepted(basket, 'a basket with unknown fields');
    },
  },
  'schema.each-endpoint-its-own': {
    section: '4 · decision',
    title: 'A sale event is no basket and a basket no sale event: the path is not signed',
    run: async (session) => {
      const basket = session.baskets.of();
      await session.refused(saleOf(basket.calculationId), 'invalid_request', 'a sale event sent as a basket');
      await session.refusedSale(basket, 'invalid_request', 'a basket sent as a sale event');
    },
  },
};

async function expectInvalid(session: Session, about: string, pointer: string, put: Put): Promise<void> {
  const basket = session.baskets.of(LINES);
  const body = withValue(basket, pointer, put);
  // The body alone is at fault: its key is its own calculation ID, as far as that is one.
  const own = String(body['calculationId']).toLowerCase();
  const key = /^[0-9a-f-]{36}$/.test(own) ? own : basket.calculationId;
  await session.refused(body, 'invalid_request', about, { headers: { 'Idempotency-Key': key } });
}

/** Two checks of each object of a request. */
function checksOfObject([object, { at, schema }]: [string, RequestObject]): Checks {
  const place = object.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  return {
    [`schema.required-${place}`]: {
      section: '2, 4.5',
      title: `Every required field of ${object} is asked for`,
      run: async (session) => {
        for (const field of schema.required)
          await expectInvalid(session, `without ${field}`, `${at}/${field}`, undefined);
      },
    },
    [`schema.types-${place}`]: {
      section: '2, 4.5',
      title: `Every field of ${object} is refused with a value of another type; flags are never null`,
      run: async (session) => {
        const sent = objectAt({ ...session.baskets.of(LINES) }, at);
        for (const [field, own] of Object.entries(schema.properties)) {
          for (const wrong of wrongValues(own, sent[field]))
            await expectInvalid(session, `${field} of ${JSON.stringify(wrong)}`, `${at}/${field}`, wrong);
        }
      },
    },
  };
}
