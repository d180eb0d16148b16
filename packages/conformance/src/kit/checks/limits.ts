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
import type { Checks, Session } from '../session.ts';

/** Limits of the interface (interface, section 8), each on both of its sides. */

const STRANGE_VENUE = 'no-such-venue-of-the-conformance-kit';
/** ISO 4217 keeps XTS for tests; no venue is paid in it. */
const TEST_CURRENCY = 'XTS';

type Counted = readonly [
  field: string,
  maximum: number,
  /** A basket that is right if the text is. */
  basketOf: (baskets: Baskets, text: string) => BasketRequest,
];

const LOYALTY_ID: Counted = [
  'loyaltyId',
  MAX_LOYALTY_ID_CHARACTERS,
  (baskets, loyaltyId) => baskets.of([{}], { loyaltyId }),
];
const DISCOUNT_TEXT: Counted = [
  'existingLineDiscountText',
  MAX_TEXT_CHARACTERS,
  (baskets, existingLineDiscountText) => baskets.of([{ existing: 10, existingLineDiscountText }]),
];
const ORDER_DISCOUNT_TEXT: Counted = [
  'text of an order discount',
  MAX_TEXT_CHARACTERS,
  (baskets, text) => {
    const basket = baskets.of([{ shares: { staff: 100 } }]);
    return { ...basket, orderDiscounts: basket.orderDiscounts.map((discount) => ({ ...discount, text })) };
  },
];

/** The greatest length is taken, and one character more is refused. */
async function expectLimit(session: Session, character: string, [field, maximum, basketOf]: Counted): Promise<void> {
  const about = (characters: number) => `${field} of ${characters} characters ${character}`;
  const basket = (characters: number) => basketOf(session.baskets, character.repeat(characters));
  await session.accepted(basket(maximum), about(maximum));
  await session.refused(basket(maximum + 1), 'invalid_request', about(maximum + 1));
}

/** The texts of a line for which the interface names no limit of their own, and the service's limits. */
const LONG_TEXTS: Readonly<Record<string, number>> = {
  lineId: MAX_IDENTIFIER_CHARACTERS,
  productId: MAX_IDENTIFIER_CHARACTERS,
  productMasterId: MAX_IDENTIFIER_CHARACTERS,
  productGroupId: MAX_IDENTIFIER_CHARACTERS,
  existingLineDiscountCampaignId: MAX_IDENTIFIER_CHARACTERS,
  ean: MAX_EAN_CHARACTERS,
  name: MAX_NAME_CHARACTERS,
};

/** Characters of two bytes each, because limits count characters. */
function longLine(field: string, characters: number): LineWords {
  return { existing: 10, [field]: 'ø'.repeat(characters) };
}

/** A right basket whose JSON is filled up with blanks to this many bytes. */
function padded({ baskets }: Session, bytes: number): Buffer {
  const body = Buffer.alloc(bytes, ' ');
  body.write(JSON.stringify(baskets.of()));
  return body;
}

export const limitChecks: Checks = {
  'limits.most-lines': {
    section: '8',
    title: `A basket of ${MAX_LINES} lines is priced`,
    run: async (session) => {
      const answer = await session.applied(session.baskets.ofSize(MAX_LINES), `${MAX_LINES} lines`);
      session.expect(answer?.lines.length === MAX_LINES, `${answer?.lines.length} lines came back`);
    },
  },
  'limits.too-many-lines': {
    section: '4.4, 8',
    title: `${MAX_LINES + 1} lines are too_many_lines`,
    run: async (session) => {
      await session.refused(session.baskets.ofSize(MAX_LINES + 1), 'too_many_lines', `${MAX_LINES + 1} lines`);
      const broken = { ...session.baskets.of(), lines: Array.from({ length: MAX_LINES + 1 }, () => 0) };
      await session.refused(broken, 'too_many_lines', 'too many lines that are no lines');
    },
  },
  'limits.largest-body': {
    section: '8',
    title: 'A body of exactly 256 KB is taken',
    run: async (session) => {
      await session.accepted(padded(session, MAX_BODY_BYTES), `${MAX_BODY_BYTES} bytes`);
    },
  },
  'limits.too-large-body': {
    section: '7, 8',
    title: 'One byte more is refused, with 413 or 422 invalid_request',
    run: async (session) => {
      const allowed = [TRANSPORT_STATUS.bodyTooLarge, ERRORS.arithmetic_mismatch.status];
      const exchange = await session.basket(padded(session, MAX_BODY_BYTES + 1), { mayBreak: true });
      session.expectRefusal(exchange, 'invalid_request', `${MAX_BODY_BYTES + 1} bytes`, allowed);
    },
  },
  'limits.loyalty-id': {
    section: '2, 8',
    title: `A loyalty ID has 1 to ${MAX_LOYALTY_ID_CHARACTERS} characters, counted as characters and not as bytes`,
    run: async (session) => {
      await session.accepted(session.baskets.of([{}], { loyaltyId: 'x' }), 'a loyalty ID of 1 character');
      await session.refused(session.baskets.of([{}], { loyaltyId: '' }), 'invalid_request', 'an empty loyalty ID');
      await expectLimit(session, '✓', LOYALTY_ID);
    },
  },
  'limits.texts': {
    section: '2, 8',
    title: `Discount texts have at most ${MAX_TEXT_CHARACTERS} characters`,
    run: (session) => expectLimit(session, 'ø', DISCOUNT_TEXT),
  },
  'limits.code-points': {
    section: '2, 8 · decision',
    title: 'Lengths count code points: characters beyond the basic plane, of two UTF-16 units each, count once',
    run: async (session) => {
      for (const counted of [LOYALTY_ID, DISCOUNT_TEXT, ORDER_DISCOUNT_TEXT]) await expectLimit(session, '🎁', counted);
      const event = { ...saleOf(randomUUID()), transactionId: '🎁'.repeat(MAX_TRANSACTION_ID_CHARACTERS) };
      await session.settled(
        event,
        'unknown_calculation',
        `transactionId of ${MAX_TRANSACTION_ID_CHARACTERS} characters`,
      );
    },
  },
  'limits.long-texts': {
    section: '2 · decision',
    title: `Texts without a limit of their own: ${MAX_IDENTIFIER_CHARACTERS} characters of an ID, ${MAX_EAN_CHARACTERS} of an ean, ${MAX_NAME_CHARACTERS} of a name are taken`,
    run: async (session) => {
      for (const [field, maximum] of Object.entries(LONG_TEXTS))
        await session.accepted(session.baskets.of([longLine(field, maximum)]), `a ${field} of ${maximum} characters`);
    },
  },
  'limits.longer-texts': {
    // The interface names no maximum, so a deployment may take more, but it must be able to replay its answer.
    section: '4.10 · decision',
    title: 'A longer text is invalid_request, or it is answered and that answer replayed',
    run: async (session) => {
      for (const [field, maximum] of Object.entries(LONG_TEXTS)) {
        const basket = session.baskets.of([longLine(field, maximum + 1)]);
        const about = `a ${field} of ${maximum + 1} characters`;
        const first = await session.basket(basket);
        if (errorCode(first) === 'invalid_request') {
          session.expectRefusal(first, 'invalid_request', about);
        } else if (session.expectAnswer(first, about)) {
          const again = await session.accepted(basket, `${about}, again`);
          session.expect(again.bytes.equals(first.bytes), `${about}: the replay has other bytes`);
        }
      }
    },
  },
  'limits.venue': {
    section: '4.3',
    title: 'A venue or terminal setup of no or of another venue is venue_not_configured',
    run: async (session) => {
      for (const field of ['venueId', 'baxId']) {
        const basket = session.baskets.of();
        const body = { ...basket, context: { ...basket.context, [field]: STRANGE_VENUE } };
        await session.refused(body, 'venue_not_configured', `${field} unknown`);
      }
    },
  },
  'limits.currency': {
    section: '4.2',
    title: 'A currency that the venue is not configured for is unknown_currency',
    run: (session) =>
      session.refused(session.baskets.of([{}], { currency: TEST_CURRENCY }), 'unknown_currency', TEST_CURRENCY),
  },
};
