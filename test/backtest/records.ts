/** Lines of a recording, from as few words as a test needs. */
import type { BasketRecord } from '../../src/recording/record.ts';
import { basketOf } from '../support/baskets.ts';
import type { BasketBody } from '../support/wire.ts';

export interface BasketWords extends Partial<BasketBody> {
  readonly unitPrice?: number;
  readonly grants?: string[];
  readonly used?: Record<string, number>;
  /** Absent in records of before it was noted. */
  readonly clockOffsetMs?: number;
  /** Absent in records of before the end of calculations was recorded. */
  readonly sample?: number;
  /** Null: the programme did not know the loyalty ID. */
  readonly member?: null;
}

/** A basket of one line, 100.00 unless told otherwise, answered as 20 % for whoever was granted `twenty`. */
export function recordOf(words: BasketWords = {}) {
  const { unitPrice = 10_000, grants = [], used = {}, clockOffsetMs, member, sample, ...more } = words;
  const basket = basketOf([{ unitPrice }], more);
  const total = grants.includes('twenty') ? unitPrice - Math.round(unitPrice / 5) : unitPrice;
  return {
    recordedAt: '2026-11-20T11:00:00.000Z',
    ...(sample !== undefined && { sample }),
    configuration: '0123456789ab',
    basket,
    member: member === null ? null : { status: 'active', grants },
    used,
    ...(clockOffsetMs !== undefined && { clockOffsetMs }),
    answer: { status: 'applied', total },
  } satisfies Omit<BasketRecord, 'basket'> & { basket: BasketBody };
}
