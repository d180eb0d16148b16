import { type CommonUse, joinUses, readCommonText } from './common-uses.ts';
import type { Gave } from './gave.ts';
import { readGiven } from './given.ts';
import { readIndexEntry } from './index-entry.ts';
import { piecesOf } from './kept-baskets.ts';
import type { MemberToken } from './keys.ts';
import type { Store } from './store.ts';

/** All that is kept of a sold calculation for returns, read at once. */
export interface SoldRecord {
  readonly calculationId: string;
  readonly member: MemberToken;
  /** The status of its sale event; undefined while it is not sold. */
  readonly saleStatus: string | undefined;
  readonly transactionId: string | undefined;
  /** True of a sale whose answer came after it: the answer cannot have been what was sold. */
  readonly wasSoldBefore: boolean;
  readonly venueId: string;
  readonly answered: string | undefined;
  /** By Redis' clock, ms since 1970. */
  readonly answeredAtMs: number;
  readonly total: number | undefined;
  /** `usageKey=units/limit`, separated by blanks. */
  readonly uses: string;
  /** Those of them that are of limits over all members. */
  readonly common: readonly CommonUse[];
  readonly gave: Gave | undefined;
  /** What is kept of the basket (kept-baskets.ts). */
  readonly basket: Buffer | undefined;
  /** The answer as it was stored; undefined where it had been forgotten when the sale came. */
  readonly answer: Buffer | undefined;
}

/** Reads a calculation to return goods of it. Undefined when nothing is kept of it. Throws `StoreUnavailable`. */
export async function readSold(store: Store, calculationId: string): Promise<SoldRecord | undefined> {
  const entry = await readIndexEntry(store, calculationId);
  if (entry?.member === undefined) return undefined;
  const { member } = entry;
  const key = store.keys.calculation(member, calculationId);
  const fields = await store.connection.run((client) => client.hgetallBuffer(key));
  if (fields['fp'] === undefined) return undefined;
  const textOf = (name: string): string | undefined => fields[name]?.toString();
  const sale = textOf('sale');
  const [saleStatus, transactionId] = sale === undefined ? [] : (JSON.parse(sale) as [string, string | null]);
  const [at, soldAt] = [Number(textOf('at') ?? 0), Number(textOf('soldAt') ?? 0)];
  const [venueId, given] = [textOf('venue') ?? '', readGiven(piecesOf(fields, 'g')?.toString() ?? '')];
  return {
    ...{ calculationId, member, venueId },
    ...{ saleStatus, transactionId: transactionId ?? undefined },
    wasSoldBefore: sale !== undefined && soldAt < at,
    answered: textOf('status'),
    answeredAtMs: at,
    total: fields['total'] === undefined ? undefined : Number(textOf('total')),
    uses: joinUses(textOf('holds') ?? '', textOf('common') ?? ''),
    common: readCommonText(textOf('common') ?? ''),
    gave: given && { ...given, venueId, atMs: at, ...factsOf(textOf) },
    basket: piecesOf(fields, 'b'),
    answer: piecesOf(fields, 'a'),
  };
}

/** What costs are counted by beside the benefits. */
function factsOf(textOf: (name: string) => string | undefined): Pick<Gave, 'turnover' | 'tier' | 'share'> {
  return { turnover: Number(textOf('total') ?? 0), tier: textOf('tier') ?? '', share: textOf('share') ?? '' };
}
