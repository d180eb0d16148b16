import type { RefusalDetails } from '../errors.ts';
import { SaleEvent } from '../sale.ts';
import { invalid, keyMismatch } from './basket-request.ts';
import { type Parsed, parseJson } from './parse-json.ts';
import { compileCheck } from './schema.ts';

const findSaleEventFault = compileCheck(SaleEvent);

/**
 * Reads a body as a sale event. Checks JSON, the schema, the fields that each status requires, and the header's key.
 */
export function readSaleEvent(body: Uint8Array, calculationId: string): Parsed<SaleEvent> {
  const parsed = parseJson(body);
  if (!parsed.ok) return parsed;
  const fault = findSaleEventFault(parsed.value);
  if (fault) return invalid(fault);
  const event = parsed.value as SaleEvent;
  const missing = findStatusFault(event);
  if (missing) return invalid(missing);
  return event.calculationId === calculationId ? { ok: true, value: event } : invalid(keyMismatch());
}

/** A finalised sale must name its transaction. A failed calculation must name its reason, and only that one may. */
function findStatusFault({ status, transactionId, failureReason }: SaleEvent): RefusalDetails | undefined {
  if (status !== 'cancelled' && transactionId === undefined) {
    return { field: '/transactionId', expected: `a value with status ${status}`, received: 'nothing' };
  }
  if (status === 'failed' && failureReason === undefined) {
    return { field: '/failureReason', expected: 'a value with status failed', received: 'nothing' };
  }
  if (status !== 'failed' && failureReason !== undefined) {
    return { field: '/failureReason', expected: `nothing with status ${status}`, received: 'a value' };
  }
  return undefined;
}
