import { MAX_MONEY } from '../../contract/limits.ts';
import { type Static, Type } from '../../contract/schema-type.ts';
import { findBodyFault } from '../../programme/check.ts';

const Transaction = Type.Object({
  calculationId: Type.String({ format: 'uuid' }),
  transactionId: Type.String({ minLength: 1 }),
  /** The amount that the guest paid, minor units. */
  total: Type.Integer({ minimum: 0, maximum: MAX_MONEY }),
  /** The order's loyalty status (interface, section 3). */
  loyaltyStatus: Type.Enum(['not_applicable', 'member_not_found', 'applied', 'unchanged', 'failed']),
  /** Why a `failed` call failed, if the books say so. */
  failureReason: Type.Optional(Type.String()),
});
/** A finalised sale in the caller's own books. */
export type Transaction = Static<typeof Transaction>;

/** A malformed row and its fault. */
export interface BadRow {
  readonly line: number;
  readonly fault: string;
}

const BYTE_ORDER_MARK = /^\uFEFF/;

/** Reads NDJSON lines, one transaction each; blank lines and a byte order mark in front are skipped. */
export async function* readTransactionLines(lines: AsyncIterable<string>): AsyncGenerator<Transaction | BadRow> {
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() !== '') yield readLine(line === 1 ? text.replace(BYTE_ORDER_MARK, '') : text, line);
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
  const error = findBodyFault(Transaction, value, '');
  if (error) return { line, fault: `${error.path || 'the row'}: found ${error.found}, allowed: ${error.allowed}` };
  const { calculationId, transactionId, total, loyaltyStatus, failureReason } = value as Transaction;
  return { calculationId, transactionId, total, loyaltyStatus, ...(failureReason !== undefined && { failureReason }) };
}
