import { JSON_CONTENT_TYPE } from '@loyalty/contract/headers';
import { signatureHeader } from '@loyalty/contract/signature';
import type { Dispatcher } from 'undici';
import { type AttemptResult, sendOnce } from './attempt.ts';
import { type AttemptNames, type HeaderValues, readHeaders } from './extra-headers.ts';
import type { TellFault } from './faults.ts';
import type { Settings } from './options.ts';

/** What is the same in every attempt of a call: the bytes above all, since they are signed and compared. */
export interface Call {
  readonly endpoint: '/v1/pos/basket' | '/v1/pos/sale';
  readonly calculationId: string;
  readonly body: Uint8Array;
}

/** Sends a call once and resolves, never rejects, within `timeoutMs`. `requestId` is that of this attempt alone. */
export type Send = (call: Call, requestId: string, timeoutMs: number) => Promise<AttemptResult>;

/**
 * Makes attempts with every header of the interface (interface, section 4), and with the caller's own. Each is signed anew,
 * with the secret of this moment, because the time stamp ages; bytes and key stay.
 */
export function createSend(dispatcher: Dispatcher, settings: Settings, tellFault: TellFault): Send {
  return ({ endpoint, calculationId, body }, requestId, timeoutMs) => {
    const { origin, pathPrefix, secret } = settings;
    const path = pathPrefix + endpoint;
    const headers = {
      'Content-Type': JSON_CONTENT_TYPE,
      Accept: 'application/json',
      'POS-Signature': signatureHeader(secret, Math.floor(Date.now() / 1000), body),
      'Idempotency-Key': calculationId,
      'X-Request-Id': requestId,
      ...ownHeaders(settings, { calculationId, requestId, path }, tellFault),
    };
    return sendOnce(dispatcher, { origin, path, headers, body }, timeoutMs);
  };
}

/** A header that cannot be had, or cannot be sent, is left out: a trace is worth less than a guest's discount. */
function ownHeaders({ headers }: Settings, attempt: AttemptNames, tellFault: TellFault): HeaderValues {
  try {
    return readHeaders(typeof headers === 'function' ? headers(attempt) : headers);
  } catch (error) {
    tellFault(`a call goes without its own headers: ${(error as Error)?.message}`, [attempt.calculationId]);
    return {};
  }
}
