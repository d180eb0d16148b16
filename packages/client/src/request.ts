import { JSON_CONTENT_TYPE } from '@loyalty/contract/headers';
import { signatureHeader } from '@loyalty/contract/signature';
import type { AttemptRequest } from './attempt.ts';

export const BASKET_PATH = '/v1/pos/basket';
export const SALE_PATH = '/v1/pos/sale';

/** What is the same in every attempt of a call: the bytes above all, since they are signed and compared. */
export interface Call {
  readonly path: string;
  readonly calculationId: string;
  readonly body: Uint8Array;
}

/**
 * One attempt of a call with every header of the interface (interface, section 4). Each is signed anew, because the
 * time stamp ages, and has an X-Request-Id of its own; bytes and key stay. `nowMs` is Unix time in milliseconds.
 */
export function requestOf(
  call: Call,
  secret: Uint8Array,
  requestId: string,
  nowMs: number,
  extraHeaders: readonly string[] = [],
): AttemptRequest {
  const { path, calculationId, body } = call;
  const headers = [
    'Content-Type',
    JSON_CONTENT_TYPE,
    'Accept',
    'application/json',
    'POS-Signature',
    signatureHeader(secret, Math.floor(nowMs / 1000), body),
    'Idempotency-Key',
    calculationId,
    'X-Request-Id',
    requestId,
    ...extraHeaders,
  ];
  return { path, headers, body };
}
