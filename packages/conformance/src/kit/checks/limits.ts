import { randomUUID } from 'node:crypto';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { ERRORS, TRANSPORT_STATUS } from '@loyalty/contract/errors';
import {
  MAX_BODY_BYTES,
  MAX_EAN_CHARACTERS,
  MAX_IDENTIFIER_CHARACTERS,
  MAX_LINES,
  MAX_LOYALTY_ID_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_TEXT_CHARACTERS,
  MAX_TRANSACTION_ID_CHARACTERS,
} from '@loyalty/contract/limits';
import { type Baskets, type LineWords, saleOf } from '../baskets.ts';
import { errorCode } from '../exchange.ts';
import type { Check } from '../session.ts';

/** Limits of the interface (interface, section 8), each on both of its sides. */

const STRANGE_VENUE = 'no-such-venue-of-the-conformance-kit';
/** ISO 4217 keeps XTS for tests; no venue is paid in it. */
const TEST_CURRENCY = 'XTS';

export const limitChecks: readonly Check[] = [
  {
    name: 'limits.most-lines',
    section: '8',
    title: `A basket of ${MAX_LINES} lines is priced`,
    run: async (session) => {
      const answer = await session.applied(session.baskets.ofSize(MAX_LINES), `${MAX_LINES} lines`);
      session.expect(answer?.lines.length === MAX_LINES, `${answer?.lines.length} lines came back`);
    },
  },
  {
    name: 'limits.too-many-lines',
    section: '4.4, 8',
    title: `${MAX_LINES + 1} lines are too_many_lines`,
    run: async (session) => {
      const exchange = await session.basket(session.baskets.ofSize(MAX_LINES + 1));
      session.expectRefusal(exchange, 'too_many_lines', `${MAX_LINES + 1} lines`);
      const broken = { ...session.baskets.of(), lines: Array.from({ length: MAX_LINES + 1 }, () => 0) };
      session.expectRefusal(await session.basket(broken), 'too_many_lines', 'too many lines that are no lines');
    },
  },
  {
    name: 'limits.largest-body',
    section: '8',
    title: 'A body of exactly 256 KB is taken',
    run: async (session) => {
      const body = padded(JSON.stringify(session.baskets.of()), MAX_BODY_BYTES);
      session.expectAccepted(await session.basket(body), `${body.length} bytes`);
    },
  },
  {
    name: 'limits.too-large-body',
    section: '7, 8',
    title: 'One byte more is refused, with 413 or 422 invalid_request',
    run: async (session) => {
      const body = padded(JSON.stringify(session.baskets.of()), MAX_BODY_BYTES + 1);
      const allowed = [TRANSPORT_STATUS.bodyTooLarge, ERRORS.arithmetic_mismatch.status];
      const exchange = await session.basket(body, { mayBreak: true });
      session.expectRefusal(exchange, 'invalid_request', `${body.length} bytes`, allowed);
    },
  },
  {
    name: 'limits.loyalty-id',
    section: '2, 8',
    title: `A loyalty ID has 1 to ${MAX_LOYALTY_ID_CHARACTERS} characters, counted as characters and not as bytes`,
    run: async (session) => {
      for (const loyaltyId of ['x', '✓'.repeat(MAX_LOYALTY_ID_CHARACTERS)]) {
        const exchange = await session.basket(session.baskets.of([{}], { loyaltyId }));
        session.expectAccepted(exchange, `a loyalty ID of ${loyaltyId.length} characters`);
      }
      for (const loyaltyId of ['', 'x'.repeat(MAX_LOYALTY_ID_CHARACTERS + 1)]) {
        const exchange = await session.basket(session.baskets.of([{}], { loyaltyId }));
        session.expectRefusal(exchange, 'invalid_request', `a loyalty ID of ${loyaltyId.length} characters`);
      }
    },
  },
  {
    name: 'limits.texts',
    section: '2, 8',
    title: `Discount texts have at most ${MAX_TEXT_CHARACTERS} characters`,
    run: async (session) => {
      for (const length of [MAX_TEXT_CHARACTERS, MAX_TEXT_CHARACTERS + 1]) {
        const basket = session.baskets.of([{ existing: 10, existingLineDiscountText: 'ø'.repeat(length) }]);
        const exchange = await session.basket(basket);
        const about = `existingLineDiscountText of ${length} characters`;
        if (length <= MAX_TEXT_CHARACTERS) session.expectAccepted(exchange, about);
        else session.expectRefusal(exchange, 'invalid_request', about);
      }
    },
  },
  {
    name: 'limits.code-points',
    section: '2, 8 · decision',
    title: 'Lengths count code points: characters beyond the basic plane, of two UTF-16 units each, count once',
    run: async (session) => {
      for (const [field, maximum, basketOf] of COUNTED) {
        const about = (characters: number) => `${field} of ${characters} characters outside the basic plane`;
        const exchange = await session.basket(basketOf(session.baskets, long(maximum)));
        session.expectAccepted(exchange, about(maximum));
        const refused = await session.basket(basketOf(session.baskets, long(maximum + 1)));
        session.expectRefusal(refused, 'invalid_request', about(maximum + 1));
      }
      const event = { ...saleOf(randomUUID()), transactionId: long(MAX_TRANSACTION_ID_CHARACTERS) };
      session.expectResult(
        await session.sale(event),
        'unknown_calculation',
        `transactionId of ${MAX_TRANSACTION_ID_CHARACTERS} characters`,
      );
    },
  },
  {
    name: 'limits.long-texts',
    section: '2 · decision',
    title: `Texts without a limit of their own: ${MAX_IDENTIFIER_CHARACTERS} characters of an ID, ${MAX_EAN_CHARACTERS} of an ean, ${MAX_NAME_CHARACTERS} of a name are taken`,
    run: async (session) => {
      for (const [field, maximum] of LONG_TEXTS) {
        const exchange = await session.basket(session.baskets.of([longLine(field, maximum)]));
        session.expectAccepted(exchange, `a ${field} of ${maximum} characters`);
      }
    },
  },
  {
    // The interface names no maximum, so a deployment may take more, but it must be able to replay its answer.
    name: 'limits.longer-texts',
    section: '4.10 · decision',
    title: 'A longer text is invalid_request, or it is answered and that answer replayed',
    run: async (session) => {
      for (const [field, maximum] of LONG_TEXTS) {
        const basket = session.baskets.of([longLine(field, maximum + 1)]);
        const about = `a ${field} of ${maximum + 1} characters`;
        const first = await session.basket(basket);
        if (errorCode(first) === 'invalid_request') {
          session.expectRefusal(first, 'invalid_request', about);
        } else if (session.expectAccepted(first, about)) {
          const again = await session.basket(basket);
          session.expectAccepted(again, `${about}, again`);
          session.expect(again.bytes.equals(first.bytes), `${about}: the replay has other bytes`);
        }
      }
    },
  },
  {
    name: 'limits.venue',
    section: '4.3',
    title: 'A venue or terminal setup of no or of another venue is venue_not_configured',
    run: async (session) => {
      const basket = session.baskets.of();
      for (const change of [{ venueId: STRANGE_VENUE }, { baxId: STRANGE_VENUE }]) {
        const body = { ...session.baskets.of(), context: { ...basket.context, ...change } };
        session.expectRefusal(await session.basket(body), 'venue_not_configured', `${Object.keys(change)} unknown`);
      }
    },
  },
  {
    name: 'limits.currency',
    section: '4.2',
    title: 'A currency that the venue is not configured for is unknown_currency',
    run: async (session) => {
      const exchange = await session.basket(session.baskets.of([{}], { currency: TEST_CURRENCY }));
      session.expectRefusal(exchange, 'unknown_currency', TEST_CURRENCY);
    },
  },
];

/** A text of this many characters, each of which is one code point, two UTF-16 units and four bytes. */
const long = (characters: number): string => '🎁'.repeat(characters);

/** The fields whose greatest length the interface itself names, and a basket that is right but for one of them. */
const COUNTED: readonly (readonly [
  field: string,
  maximum: number,
  basketOf: (baskets: Baskets, text: string) => BasketRequest,
])[] = [
  ['loyaltyId', MAX_LOYALTY_ID_CHARACTERS, (baskets, loyaltyId) => baskets.of([{}], { loyaltyId })],
  [
    'existingLineDiscountText',
    MAX_TEXT_CHARACTERS,
    (baskets, existingLineDiscountText) => baskets.of([{ existing: 10, existingLineDiscountText }]),
  ],
  [
    'text of an order discount',
    MAX_TEXT_CHARACTERS,
    (baskets, text) => {
      const basket = baskets.of([{ shares: { staff: 100 } }]);
      return { ...basket, orderDiscounts: basket.orderDiscounts.map((discount) => ({ ...discount, text })) };
    },
  ],
];

const LONG_TEXTS: readonly (readonly [field: string, maximum: number])[] = [
  ...['lineId', 'productId', 'productMasterId', 'productGroupId', 'existingLineDiscountCampaignId'].map(
    (field) => [field, MAX_IDENTIFIER_CHARACTERS] as const,
  ),
  ['ean', MAX_EAN_CHARACTERS],
  ['name', MAX_NAME_CHARACTERS],
];

/** Characters of two bytes each, because limits count characters. */
function longLine(field: string, characters: number): LineWords {
  return { existing: 10, [field]: 'ø'.repeat(characters) };
}

/** The same JSON, filled up with blanks to this many bytes. */
function padded(text: string, bytes: number): Buffer {
  const body = Buffer.alloc(bytes, ' ');
  body.write(text);
  return body;
}
