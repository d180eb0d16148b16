import { parseDateTime } from '@loyalty/contract/date-time';
import type { StoredCalculation } from '../../../../src/store/stored-calculation.ts';
import { MAY_LACK_CALL, type Transaction } from './transactions.ts';

export const FINDINGS = {
  unknown_calculation:
    'the service never saw the calculation, or (without soldAt in the row) it is older than the retention',
  missing_sale_event: 'the sale was finalised, but no sale event arrived',
  different_outcome:
    'the sale event reported another status or transaction than the books, or another status than the answer',
  conflicting_events: 'later sale events reported another outcome than the first',
  different_total: 'the guest paid another total than in the answer',
  over_redeemed: 'a limited benefit was consumed past its limit',
  late_sale: 'the sale event came after expiry or supersession',
  different_refund: 'the returns of the sale refunded another sum',
  missing_transaction: 'the service recorded a sale that the file lacks',
  erased_member: 'the member was erased: only the event of the sale is left',
  no_longer_kept: 'the sale is older than what the service keeps',
} as const;

/** What cannot be compared any more, and is no difference. */
export const NOTES: ReadonlySet<FindingKind> = new Set(['erased_member', 'no_longer_kept']);

export type FindingKind = keyof typeof FINDINGS;

/** One difference between the caller's books and ours. */
export interface Finding {
  readonly kind: FindingKind;
  readonly calculationId: string;
  readonly transactionId: string;
  readonly expected?: string | number;
  readonly received?: string | number;
}

/** Reasons of a failed call that may not have reached us, or that we refused: only an answer is stored (interface, 3 and 4.10). */
const NEVER_STORED: ReadonlySet<string> = new Set(['offline', 'connection_error', 'http_error']);

/** A sale that reports one of these says what the answer was; any other says that the answer was not used. */
const ANSWERS: ReadonlySet<string> = new Set(['applied', 'unchanged', 'member_not_found']);

/** What else is known of a calculation than what is stored of it. */
export interface Known {
  /** True where the event stream has its sale. */
  readonly isSold: boolean;
  /** What its returns refunded, in minor units; asked only where the row says what was refunded. */
  readonly refunded: number;
  /** Sales before this instant are not kept any more, ms since 1970. */
  readonly keptSinceMs: number;
}

/**
 * Finds every difference between a transaction and its calculation as it is stored, which is undefined when it was never
 * seen, or is not kept any more.
 */
export function compare(transaction: Transaction, calculation: StoredCalculation | undefined, known: Known): Finding[] {
  const { calculationId, transactionId } = transaction;
  if (calculationId === undefined) return [];
  const find = (kind: FindingKind, more: Pick<Finding, 'expected' | 'received'> = {}): Finding => ({
    kind,
    calculationId,
    transactionId,
    ...more,
  });
  // A till that made no call, was offline, lost its connection, or was refused, sold without us: nothing of it is stored.
  const isUnseenRight =
    MAY_LACK_CALL.has(transaction.loyaltyStatus) ||
    (transaction.loyaltyStatus === 'failed' && NEVER_STORED.has(transaction.failureReason ?? ''));
  if (!calculation || (calculation.state === 'unknown' && !calculation.sale)) {
    // An erasure leaves nothing but the events, under a pseudonym.
    if (known.isSold) return [find('erased_member')];
    if (isUnseenRight) return [];
    const soldAtMs = parseDateTime(transaction.soldAt ?? '') ?? Number.POSITIVE_INFINITY;
    return [find(soldAtMs < known.keptSinceMs ? 'no_longer_kept' : 'unknown_calculation')];
  }
  const findings: Finding[] = [];
  if (calculation.state === 'unknown' && !isUnseenRight) findings.push(find('unknown_calculation'));
  const told = calculation.sale;
  if (!told) findings.push(find('missing_sale_event'));
  else if (told.status !== transaction.loyaltyStatus || told.transactionId !== transactionId) {
    const expected = `${transaction.loyaltyStatus} ${transactionId}`;
    findings.push(find('different_outcome', { expected, received: `${told.status} ${told.transactionId ?? '-'}` }));
  } else if (calculation.status !== undefined && ANSWERS.has(told.status) && told.status !== calculation.status) {
    findings.push(find('different_outcome', { expected: calculation.status, received: told.status }));
  }
  // What a person has decided is settled.
  if (calculation.conflicts > 0 && !calculation.decision) {
    findings.push(find('conflicting_events', { received: calculation.conflicts }));
  }
  // The guest pays the answer's total only when the caller used the answer.
  const isAnswerUsed = transaction.loyaltyStatus === 'applied' || transaction.loyaltyStatus === 'unchanged';
  if (isAnswerUsed && calculation.total !== undefined && calculation.total !== transaction.total) {
    findings.push(find('different_total', { expected: calculation.total, received: transaction.total }));
  }
  const { refunded } = transaction;
  if (refunded !== undefined && refunded !== known.refunded) {
    findings.push(find('different_refund', { expected: known.refunded, received: refunded }));
  }
  if (calculation.overRedeemed > 0) findings.push(find('over_redeemed', { received: calculation.overRedeemed }));
  if (calculation.isLate) findings.push(find('late_sale'));
  return findings;
}
