import { type Static, Type } from '@loyalty/contract/schema-type';
import { count, described, list, object, optional, text } from './schema-words.ts';

/** The answer about vouchers. */

const sums = {
  given: described(count, 'The most baskets that the grants of the row ever had together.'),
  used: count,
  revoked: described(count, 'Taken away, or of members who were erased.'),
  ended: described(count, 'Unused when their last day was over.'),
  outstanding: described(count, 'Can still be used. `given` is the sum of the other four.'),
};
const Sums = object(sums);
export type VoucherSums = { -readonly [Name in keyof Static<typeof Sums>]: Static<typeof Sums>[Name] };

const VoucherRow = object({
  month: optional(described(text, 'In which the voucher was given, `2026-10`.')),
  programmeId: optional(text),
  benefitId: optional(text),
  ...sums,
  overRedeemed: described(count, 'Used beyond what was given, by sales that came late.'),
  amounts: described(
    { type: 'object', additionalProperties: Sums } as unknown as ReturnType<
      typeof Type.Record<typeof text, typeof Sums>
    >,
    'By currency, the same in minor units, of benefits that take one amount off (`order_amount` without `perSpend`), at the amount in force.',
  ),
});
export type VoucherRow = VoucherSums & {
  readonly month?: string;
  readonly programmeId?: string;
  readonly benefitId?: string;
  overRedeemed: number;
  readonly amounts: Readonly<Record<string, VoucherSums>>;
};

export const Vouchers = object({
  asOf: described(Type.String({ format: 'date' }), 'The books are those at the end of this day, or now.'),
  rows: list(VoucherRow),
});
