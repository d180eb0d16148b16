import { MAX_MONEY } from '@loyalty/contract/limits';
import { type Static, Type } from '@loyalty/contract/schema-type';
import { findBodyFault } from '../../../../src/programme/check.ts';
import { decodeLine, readLines } from '../ndjson/read-lines.ts';

const Calculated = Type.Object({
  calculationId: Type.String({ format: 'uuid' }),
  transactionId: Type.String({ minLength: 1 }),
  /** The amount that the guest paid, minor units. */
  total: Type.Integer({ minimum: 0, maximum: MAX_MONEY }),
  /** The order's loyalty status (interface, section 3). */
  loyaltyStatus: Type.Enum(['not_applicable', 'member_not_found', 'applied', 'unchanged', 'failed']),
  /** Why a `failed` call failed, if the books say so. */
  failureReason: Type.Optional(Type.String()),
  /** What the guest has got back of it, minor units, if the books say so. */
  refunded: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_MONEY })),
  /** When it was sold, if the books say so: tells a sale that is no longer kept from one that was never seen. */
  soldAt: Type.Optional(Type.String({ format: 'date-time' })),
});
/** A sale without a call may have no ID. */
const Uncalled = Type.Object({
  ...Calculated.properties,
  calculationId: Type.Optional(Calculated.properties.calculationId),
});

/** A finalised sale in the caller's own books. */
export type Transaction = Static<typeof Uncalled>;

/**
 * No loyalty step, or a lookup that found no member: there may have been no call, and then there is no event (interface,
 * section 3). A loyalty ID that the service does not know has the second status too, after a call.
 */
export const MAY_LACK_CALL: ReadonlySet<string> = new Set(['not_applicable', 'member_not_found']);

/** A malformed row and its fault. */
export interface BadRow {
  readonly line: number;
  readonly fault: string;
}

export function isBadRow(row: Transaction | BadRow): row is BadRow {
  return 'fault' in row;
}

/** Reads NDJSON, one transaction a line; blank lines are skipped. */
export async function* readTransactions(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly (Transaction | BadRow)[]> {
  for await (const lines of readLines(chunks)) {
    yield lines.flatMap(({ number, bytes }) => {
      const text = bytes && decodeLine(bytes);
      return text?.trim() === '' ? [] : [readTransaction(text ?? '', number)];
    });
  }
}

function readTransaction(text: string, line: number): Transaction | BadRow {
  let value: Partial<Transaction> | undefined;
  try {
    // Exports write `null`, or an empty text as in CSV, for a field that has no value.
    value = JSON.parse(text, (_, field) => (field === null || field === '' ? undefined : field));
  } catch {
    return { line, fault: 'not JSON' };
  }
  const error = findBodyFault(MAY_LACK_CALL.has(value?.loyaltyStatus ?? '') ? Uncalled : Calculated, value, '');
  if (error) return { line, fault: `${error.path || 'the row'}: found ${error.found}, allowed: ${error.allowed}` };
  const named = Object.entries(value as Transaction).filter(([name]) => Object.hasOwn(Uncalled.properties, name));
  return Object.fromEntries(named) as unknown as Transaction;
}
