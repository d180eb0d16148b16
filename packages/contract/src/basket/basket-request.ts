import { BasketRequest } from '../basket-request.ts';
import { type RefusalDetails, refuse } from '../errors.ts';
import { MAX_LINES } from '../limits.ts';
import { findRequestFaults } from './identities.ts';
import { type Parsed, parseJson } from './parse-json.ts';
import { compileCheck } from './schema.ts';

/** Finds the first fault of a basket request against its schema. */
export const findBasketRequestFault = compileCheck(BasketRequest);

/** A basket that was read, or the refusal. */
export type ReadBasket =
  | {
      readonly ok: true;
      readonly value: BasketRequest;
      /** Its first violated identity, which is refused later, after the venue. */
      readonly mismatch: RefusalDetails | undefined;
    }
  | Extract<Parsed<never>, { ok: false }>;

/**
 * Reads a body as a basket request. Checks JSON, then the number of lines (more than 200: 422, before any fault inside
 * a line), the schema, the references, and that the header's key equals the body's `calculationId`. A dry run passes no
 * key.
 */
export function readBasketRequest(body: Uint8Array, calculationId: string | undefined): ReadBasket {
  const parsed = parseJson(body);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  const lineCount = countLines(value);
  if (lineCount > MAX_LINES) {
    const details = { field: '/lines', expected: `at most ${MAX_LINES} items`, received: lineCount };
    return { ok: false, refusal: refuse('too_many_lines', { details }) };
  }
  const fault = findBasketRequestFault(value);
  if (fault) return invalid(fault);
  const basket = value as BasketRequest;
  const { reference, mismatch } = findRequestFaults(basket);
  if (reference) return invalid(reference);
  if (calculationId !== undefined && basket.calculationId !== calculationId) return invalid(keyMismatch());
  return { ok: true, value: basket, mismatch };
}

function countLines(value: unknown): number {
  if (typeof value !== 'object' || value === null || !('lines' in value)) return 0;
  return Array.isArray(value.lines) ? value.lines.length : 0;
}

/** The header is unsigned, so a key that differs from the body is refused: it could answer for another calculation. */
export function keyMismatch(): RefusalDetails {
  return { field: '/calculationId', expected: 'the Idempotency-Key', received: 'another ID' };
}

/** Refuses with 400 and the place of the fault. */
export function invalid(details: RefusalDetails): Extract<Parsed<never>, { ok: false }> {
  const message = `${details.field || 'The body'}: expected ${details.expected}, received ${details.received}.`;
  return { ok: false, refusal: refuse('invalid_request', { message, details }) };
}
