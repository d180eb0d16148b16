import { matchBearer } from '@loyalty/contract/bearer';
import { type Refusal, refuse } from '@loyalty/contract/errors';
import { REQUEST_HEADERS } from '@loyalty/contract/headers';
import { verifySignature } from '@loyalty/contract/signature';
import type { RequestHead } from './request-head.ts';

/** The credentials that a caller may use. All secrets are active at once (interface, section 5, rotation). */
export interface Credentials {
  readonly secrets: readonly Uint8Array[];
  /**
   * Bearer tokens, the interface's fallback for a caller whose HTTP client cannot sign. The fallback is off when empty.
   */
  readonly bearerTokens: readonly string[];
}

/** What is expected of the signature header, as the caller is told. */
export const SIGNATURE_FORM = 't=<unix seconds>,v1=<hex>';

/** Authenticates the caller. Returns undefined for a known caller, otherwise the refusal. `nowSeconds` is Unix time. */
export function authenticate(
  head: RequestHead,
  body: Uint8Array,
  credentials: Credentials,
  nowSeconds: number,
): Refusal | undefined {
  const field = 'POS-Signature';
  if (head.duplicated.has(REQUEST_HEADERS.signature)) {
    return refuse('invalid_signature', { details: { field, expected: 'one header', received: 'several' } });
  }
  if (head.signature === undefined) {
    if (isKnownBearer(head, credentials.bearerTokens)) return undefined;
    return refuse('invalid_signature', {
      details: { field, expected: SIGNATURE_FORM, received: 'nothing' },
    });
  }
  const outcome = verifySignature(head.signature, body, credentials.secrets, nowSeconds);
  return outcome === 'verified' ? undefined : refuse(outcome, { details: { field } });
}

function isKnownBearer(head: RequestHead, tokens: readonly string[]): boolean {
  if (head.duplicated.has(REQUEST_HEADERS.authorization)) return false;
  return matchBearer(head.authorization, tokens) !== undefined;
}
