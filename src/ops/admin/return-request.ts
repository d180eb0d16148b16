import { parseJson } from '../../basket/parse-json.ts';
import type { ReturnRequest } from '../../calls/returns.ts';
import { isUuid } from '../../contract/headers.ts';
import { MAX_IDENTIFIER_CHARACTERS, MAX_TRANSACTION_ID_CHARACTERS } from '../../contract/limits.ts';

/** More lines than a receipt can have: a line may be cut into parts, and products may be added. */
const MAX_RETURNED_LINES = 1_000;
const MAX_RETURN_ID_CHARACTERS = 64;

export interface ReadReturn extends ReturnRequest {
  /** Undefined where none was asked for. */
  readonly returnId: string | undefined;
}

/** Reads the body of a return, or says in a sentence what is wrong with it. */
export function readReturnRequest(body: Uint8Array, wantsId: boolean): ReadReturn | string {
  const parsed = parseJson(body);
  if (!parsed.ok) return parsed.refusal.message;
  const { value } = parsed;
  if (!isMapping(value)) return 'the body: found no mapping, allowed: a mapping';
  const { calculationId, transactionId, lines, returnId } = value;
  const error = findSaleError(calculationId, transactionId) ?? findLinesError(lines);
  if (error !== undefined) return error;
  if (wantsId && !isText(returnId, MAX_RETURN_ID_CHARACTERS))
    return describe('returnId', returnId, idOf(MAX_RETURN_ID_CHARACTERS));
  return {
    calculationId: calculationId as string | undefined,
    transactionId: transactionId as string | undefined,
    lines: (lines as ReturnRequest['lines']).map(({ lineId, quantity }) => ({ lineId, quantity })),
    returnId: wantsId ? (returnId as string) : undefined,
  };
}

function findSaleError(calculationId: unknown, transactionId: unknown): string | undefined {
  if ((calculationId === undefined) === (transactionId === undefined)) {
    const found = calculationId === undefined ? 'neither' : 'both';
    return `calculationId and transactionId: found ${found}, allowed: one of them`;
  }
  if (calculationId !== undefined) {
    const isId = typeof calculationId === 'string' && isUuid(calculationId);
    return isId ? undefined : describe('calculationId', calculationId, 'a lower-case UUID');
  }
  if (isText(transactionId, MAX_TRANSACTION_ID_CHARACTERS)) return undefined;
  return describe('transactionId', transactionId, idOf(MAX_TRANSACTION_ID_CHARACTERS));
}

function findLinesError(lines: unknown): string | undefined {
  if (!Array.isArray(lines) || lines.length === 0 || lines.length > MAX_RETURNED_LINES) {
    const found = Array.isArray(lines) ? `${lines.length} lines` : JSON.stringify(lines);
    return `lines: found ${found}, allowed: a list of 1 to ${MAX_RETURNED_LINES}`;
  }
  const known = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const { lineId, quantity } = (line ?? {}) as Record<string, unknown>;
    if (!isText(lineId, MAX_IDENTIFIER_CHARACTERS)) {
      return describe(`lines[${index}].lineId`, lineId, idOf(MAX_IDENTIFIER_CHARACTERS));
    }
    if (known.has(lineId)) return describe(`lines[${index}].lineId`, lineId, 'each line once');
    known.add(lineId);
    if (typeof quantity !== 'number' || !(quantity > 0) || quantity > Number.MAX_SAFE_INTEGER) {
      return describe(`lines[${index}].quantity`, quantity, 'a number above 0');
    }
  }
  return undefined;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that Redis keeps as it is: UTF-8 would lose a lone surrogate. */
function isText(value: unknown, maximum: number): value is string {
  return typeof value === 'string' && value !== '' && [...value].length <= maximum && value.isWellFormed();
}

function idOf(maximum: number): string {
  return `1 to ${maximum} characters`;
}

function describe(path: string, found: unknown, allowed: string): string {
  return `${path}: found ${found === undefined ? 'nothing' : JSON.stringify(found)}, allowed: ${allowed}`;
}
