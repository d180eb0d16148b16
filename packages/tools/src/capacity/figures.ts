/**
 * What a basket, a sale and an event take, in bytes of Redis by `MEMORY USAGE` (Redis 7.0.15), of the log, and of a record.
 * test/tools/capacity.test.ts compares the figures of Redis and of the log with real calls, so a change of what is stored
 * shows up there.
 */

/** Product IDs of up to eight characters, and receipt numbers of up to 43: a longer receipt number doubles a sold basket. */
export interface BasketShape {
  readonly lines: number;
  /** `lineId` is a UUID; otherwise a short number. */
  readonly hasLongLineIds: boolean;
}

/** A key beside `MEMORY USAGE`: its places in the table of all keys and in the table of lifetimes. */
export const TABLE_BYTES = 50;

export const INDEX_BYTES = 152;
export const RECEIPT_BYTES = 152;
/** The entry in the list of calculations that may expire. */
export const DUE_BYTES = 57;
/** An event without lines. */
export const EVENT_BYTES = 800;
/** The first return of a sale, with one line. */
export const RETURN_BYTES = 688;
/** A member's own fields, and what it has used of limited benefits. */
export const MEMBER_BYTES = 350;
/** A row of costs: a day's sums of one venue, tier, share, currency and benefit. */
export const COST_ROW_BYTES = 135;
/** Two hundred configurations of 50 KB, deflated, and the last changes of people. */
export const HISTORY_BYTES = 3.6e6;

/** The line that the log has of a basket or a sale event. */
export const LOG_LINE_BYTES = 440;
/** What is left of a day's log when it is compressed. */
export const COMPRESSED_SHARE = 0.19;

export function answerBytes({ lines }: BasketShape): number {
  return 208 + 4.2 * lines;
}

/** A calculation with its kept basket; a UUID is kept as 16 bytes, with its length. */
export function calculationBytes({ lines, hasLongLineIds }: BasketShape): number {
  return 430 + (hasLongLineIds ? 29.5 : 10.5) * lines;
}

/** A calculation with its kept basket, its answer and its sale. */
export function soldBytes(shape: BasketShape): number {
  return calculationBytes(shape) + 180 + 5.5 * shape.lines;
}

/** An event of a sale, or of a calculation that expired, with its lines. */
export function eventBytes({ lines, hasLongLineIds }: BasketShape): number {
  return 811 + (hasLongLineIds ? 249 : 236) * lines;
}

export function recordBytes({ lines, hasLongLineIds }: BasketShape): number {
  return 700 + (hasLongLineIds ? 395 : 360) * lines;
}

/** CPU of a basket call in the service, µs (docs/performance.md). */
export function basketCpuUs({ lines }: BasketShape): number {
  return 340 + 6.5 * lines;
}

/** CPU of a sale event in the service, µs. */
export function saleCpuUs({ lines }: BasketShape, hasEventLines: boolean): number {
  return 150 + (hasEventLines ? 5 * lines : 0);
}

/** CPU of Redis for a basket call and for a sale event, µs. */
export const REDIS_BASKET_CPU_US = 120;
export const REDIS_SALE_CPU_US = 80;
