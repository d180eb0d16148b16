import { isUuid } from '../../contract/headers.ts';
import { MAX_MONEY } from '../../contract/limits.ts';

/** A finalised sale in the caller's own books. */
export interface Transaction {
  readonly calculationId: string;
  readonly transactionId: string;
  /** The amount that the guest paid, minor units. */
  readonly total: number;
  /** The order's loyalty status (interface, section 3). */
  readonly loyaltyStatus: string;
  /** Why a `failed` call failed, if the books say so. */
  readonly failureReason?: string;
}

/** A malformed row and its fault. */
export interface BadRow {
  readonly line: number;
  readonly fault: string;
}

/**
 * A source of transactions. A file is one; the caller's REST interface (interface, section 6) will be another when its
 * shape is known.
 */
export type TransactionSource = AsyncIterable<Transaction | BadRow>;

const STATUSES = ['not_applicable', 'member_not_found', 'applied', 'unchanged', 'failed'];

/** Reads NDJSON lines, one transaction each; blank lines are skipped. */
export async function* readTransactionLines(lines: AsyncIterable<string>): AsyncGenerator<Transaction | BadRow> {
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() !== '') yield readLine(text, line);
  }
}

export function isBadRow(row: Transaction | BadRow): row is BadRow {
  return 'fault' in row;
}

function readLine(text: string, line: number): Transaction | BadRow {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { line, fault: 'not JSON' };
  }
  if (typeof value !== 'object' || value === null) return { line, fault: 'not an object' };
  const { calculationId, transactionId, total, loyaltyStatus, failureReason } = value as Record<string, unknown>;
  if (typeof calculationId !== 'string' || !isUuid(calculationId))
    return { line, fault: 'calculationId is no lower-case UUID' };
  if (typeof transactionId !== 'string' || transactionId === '') return { line, fault: 'transactionId is no text' };
  if (!Number.isInteger(total) || (total as number) < 0 || (total as number) > MAX_MONEY) {
    return { line, fault: 'total is no whole number of minor units' };
  }
  if (typeof loyaltyStatus !== 'string' || !STATUSES.includes(loyaltyStatus)) {
    return { line, fault: `loyaltyStatus is none of ${STATUSES.join(', ')}` };
  }
  if (failureReason !== undefined && typeof failureReason !== 'string')
    return { line, fault: 'failureReason is no text' };
  const known = { calculationId, transactionId, total: total as number, loyaltyStatus };
  return failureReason === undefined ? known : { ...known, failureReason };
}
