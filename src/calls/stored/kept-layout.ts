import type { Member } from '@loyalty/engine/types';

/**
 * What is kept of a basket for the retention time, and of a sold one for as long as it may be returned, so that it can be priced
 * again as it was: what prices depend on, the IDs of its lines, and nothing of persons. The loyalty ID, the clerk, the names of
 * products and all texts are left out; amounts that follow from others (interface, section 2) are computed again.
 *
 *     format, version of the configuration, terminal setup, currency, channel, ms from 1970 to its time,
 *     member (0: unknown; 1: active and nothing else; 2: a text of JSON), used units, order discounts, lines,
 *     1 (ahead) or 2 (behind) and the milliseconds by which the clock of a test member was moved, IDs of the lines, the till (missing
 *     in what an older version has written)
 */

/** What a basket call was priced with. */
export interface KeptBasket {
  /** Version of the configuration. */
  readonly configuration: string;
  /** Undefined where the programme did not know the loyalty ID. */
  readonly member: KeptMember | undefined;
  /** Units of limits that were consumed, or held by other calculations, per usage key; an absent key means 0. */
  readonly used: ReadonlyMap<string, number>;
  /** Milliseconds by which the clock of a test member was ahead; absent or 0 for everybody else. */
  readonly movedMs?: number;
}

/** The shares of the programme that the member was in cannot be computed later, because the loyalty ID is not kept. */
export type KeptMember = Pick<Member, 'status' | 'tier' | 'grants' | 'shareParts'>;

export const FORMAT = 2;
export const CHANNELS = ['pos', 'mpos'] as const;
/** Beside a channel: the time is before 1970. */
export const BEFORE_1970 = 2;
export const DISCOUNT_TYPES = ['none', 'amount', 'percent'] as const;
/** Beside the type of an order discount: it is one of the service itself that came back (engine/src/answer/own-discounts.ts). */
export const OWN_DISCOUNT = 4;
export const MEMBER = { unknown: 0, plain: 1, own: 2 } as const;

/** Bits of a line; the two lowest are the type of its discount. */
export const BITS = {
  type: 0b11,
  noDiscount: 1 << 2,
  noPercentage: 1 << 3,
  group: 1 << 4,
  ean: 1 << 5,
  master: 1 << 6,
  parent: 1 << 7,
  allocated: 1 << 8,
  percent: 1 << 9,
} as const;

export const MOVED = { ahead: 1, behind: 2 } as const;
