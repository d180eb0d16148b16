import { type Static, Type } from '@loyalty/contract/schema-type';
import { inCurrency } from '@loyalty/engine/compile/amounts';
import { dateIn } from '@loyalty/engine/compile/calendar';
import type { Amount } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Environment } from '../../../../src/programme/environment.ts';
import type { Store } from '../../../../src/store/store.ts';
import { scanVouchers, type VoucherBook } from '../../../../src/store/vouchers.ts';
import { count, described, list, object, optional, text } from './schema-words.ts';

/** What became of vouchers up to an instant: of every voucher the sum of its fates is what was given. */

export const VOUCHER_DIMENSIONS = ['benefit', 'month'] as const;
export type VoucherDimension = (typeof VOUCHER_DIMENSIONS)[number];

const sums = {
  given: described(count, 'The most baskets that the grants of the row ever had together.'),
  used: count,
  revoked: described(count, 'Taken away, or of members who were erased.'),
  ended: described(count, 'Unused when their last day was over.'),
  outstanding: described(count, 'Can still be used. `given` is the sum of the other four.'),
};
const Sums = object(sums);
type VoucherSums = { -readonly [Name in keyof Static<typeof Sums>]: Static<typeof Sums>[Name] };

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

/** The day at whose end the books are read, or now where it is not over. */
export interface VoucherQuestion {
  readonly by: readonly VoucherDimension[];
  /** The instant in the time zone of a programme, ms since 1970. */
  readonly endMsOf: (timeZone: string) => number;
}

export const FATES = ['given', 'used', 'revoked', 'ended', 'outstanding'] as const;

/** Reads the books of all members, which takes seconds where there are many. Throws `StoreUnavailable`. */
export async function reportVouchers(
  store: Store,
  environment: Environment,
  { by, endMsOf }: VoucherQuestion,
): Promise<VoucherRow[]> {
  const zones = zonesOf(environment);
  const values = valuesOf(environment);
  const rows = new Map<string, VoucherRow & { amounts: Record<string, VoucherSums> }>();
  for await (const books of scanVouchers(store)) {
    for (const book of books) {
      const { programmeId, benefitId } = book;
      const timeZone = zones.get(programmeId) ?? 'UTC';
      const fate = fateOf(book, endMsOf(timeZone), timeZone);
      if (!fate) continue;
      const names = {
        ...(by.includes('month') && { month: fate.month }),
        ...(by.includes('benefit') && { programmeId, benefitId }),
      };
      const key = JSON.stringify(Object.values(names));
      const row = rows.get(key) ?? { ...names, ...nothing(), overRedeemed: 0, amounts: {} };
      rows.set(key, row);
      for (const name of FATES) row[name] += fate[name];
      row.overRedeemed += fate.overRedeemed;
      for (const [currency, value] of values.get(`${programmeId} ${benefitId}`) ?? []) {
        row.amounts[currency] ??= nothing();
        for (const name of FATES) row.amounts[currency][name] += fate[name] * value;
      }
    }
  }
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

interface Fate extends VoucherSums {
  readonly month: string;
  readonly overRedeemed: number;
}

/** What had become of a voucher; undefined where it was not given yet. */
export function fateOf({ entries }: VoucherBook, endMs: number, timeZone: string): Fate | undefined {
  const past = entries.filter(({ atMs }) => atMs < endMs);
  const first = past.find(({ kind }) => kind === 'given');
  if (!first) return undefined;
  let [stands, given, booked, taken, revoked] = [0, 0, 0, 0, 0];
  let to: string | undefined;
  for (const { kind, atMs, units, to: until } of past) {
    if (kind === 'used') booked += units;
    else stands = kind === 'erased' ? 0 : Math.max(0, stands + units);
    given = Math.max(given, stands);
    const before = taken;
    taken = given - Math.max(stands, Math.min(booked, given));
    // What is taken after its last day had ended before. What is given again is what was taken last.
    if (taken > before && !isOver(to, timeZone, atMs)) revoked += taken - before;
    revoked = Math.min(revoked, taken);
    // Without a day, fewer are a grant that was taken away (vouchers.include.lua).
    if (kind === 'given' && (units >= 0 || until !== undefined)) to = until;
  }
  const used = Math.max(0, Math.min(booked, given));
  const left = given - taken - used;
  const hasEnded = isOver(to, timeZone, endMs);
  return {
    month: dateIn(timeZone, first.atMs).slice(0, 'yyyy-mm'.length),
    given,
    used,
    overRedeemed: Math.max(0, booked - given),
    revoked,
    ended: taken - revoked + (hasEnded ? left : 0),
    outstanding: hasEnded ? 0 : left,
  };
}

/** True after the last day, which is included. */
function isOver(to: string | undefined, timeZone: string, atMs: number): boolean {
  return to !== undefined && to < dateIn(timeZone, atMs);
}

function nothing(): VoucherSums {
  return { given: 0, used: 0, revoked: 0, ended: 0, outstanding: 0 };
}

/** A programme's days are those of its first venue. */
function zonesOf({ venues }: Environment): Map<string, string> {
  return new Map(venues.toReversed().map(({ programme, timeZone }) => [programme.programmeId, timeZone]));
}

/** The amounts by currency that one use of a benefit is worth: of those that take one amount off, whatever is bought. */
function valuesOf({ wording, venues }: Environment): Map<string, [currency: string, value: number][]> {
  return new Map(
    wording.programmes.flatMap(({ programmeId, benefits }) => {
      const own = venues.filter(({ programme }) => programme.programmeId === programmeId);
      const currencies = [...new Set(own.flatMap((venue) => venue.currencies))];
      return (benefits as readonly BenefitDefinition[]).filter(hasValue).map((benefit) => {
        const values = currencies.map((currency): [string, number] => [
          currency,
          (inCurrency(benefit, currency) as { readonly amount: number }).amount,
        ]);
        return [`${programmeId} ${benefit.benefitId}`, values.filter(([, value]) => value > 0)] as const;
      });
    }),
  );
}

function hasValue(benefit: BenefitDefinition): boolean {
  const { amount, perSpend } = benefit as { readonly amount?: Amount; readonly perSpend?: Amount };
  return benefit.kind === 'order_amount' && amount !== undefined && perSpend === undefined;
}
