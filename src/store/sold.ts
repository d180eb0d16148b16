import { type CalculationRecord, readStored } from './calculation-record.ts';
import { type CommonDue, readCommonDue } from './common-endings.ts';
import { type CommonUse, readCommonText } from './common-uses.ts';
import { type Gave, gaveBy } from './gave.ts';
import { isSoldBefore, type KeptCalculation, keptOf } from './kept-calculation.ts';
import type { MemberToken } from './keys.ts';
import type { Store } from './store.ts';

/** All that is kept of a sold calculation for returns, read at once. */
export interface SoldRecord extends CalculationRecord {
  readonly member: MemberToken;
  /** True of a sale whose answer came after it: the answer cannot have been what was sold. */
  readonly wasSoldBefore: boolean;
  readonly venueId: string;
  readonly answeredAtMs: number;
  /** Those of its uses that are of limits over all members. */
  readonly common: readonly CommonUse[];
  /** How these are still to end in their counters, which a process that died did not tell of the sale. */
  readonly commonDue: CommonDue;
  readonly gave: Gave | undefined;
  /** True of a sale that is in no costs, though its outcome would be: its event was never told, or an earlier version took it out. */
  readonly isUncounted: boolean;
  /** True of a decision of which something is still to be done. */
  readonly isDecisionDue: boolean;
  /** What is kept of the basket (kept-baskets.ts). */
  readonly basket: Buffer | undefined;
  /** The answer as it was stored; undefined where it had been forgotten when the sale came. */
  readonly answer: Buffer | undefined;
  /** The same calculation, as its events tell of it. */
  readonly calculation: KeptCalculation;
}

/** Reads a calculation to return goods of it. Undefined when nothing is kept of it. Throws `StoreUnavailable`. */
export async function readSold(store: Store, calculationId: string): Promise<SoldRecord | undefined> {
  const read = await readStored(store, calculationId);
  if (!read) return undefined;
  const { member, record, stored } = read;
  const { venueId = '', answeredAtMs = 0 } = record;
  const textOf = (name: string): string => stored[name]?.toString() ?? '';
  const calculation = keptOf(member, calculationId, stored);
  const { basket, answer } = calculation;
  return {
    ...record,
    member,
    venueId,
    answeredAtMs,
    basket,
    answer,
    calculation,
    wasSoldBefore: isSoldBefore(calculation),
    common: readCommonText(textOf('common')),
    commonDue: readCommonDue(textOf('common'), textOf('commonDue')),
    gave: gaveBy(calculation, answeredAtMs),
    isUncounted: textOf('undone') === '1',
    isDecisionDue: textOf('decisionDue') !== '',
  };
}
