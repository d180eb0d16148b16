import { createHmac } from 'node:crypto';

/** 132 bits, as in the member tokens of Redis keys. */
const PSEUDONYM_CHARACTERS = 22;

/**
 * The pseudonym of a member in a recording: HMAC-SHA-256 over programme and loyalty ID. A member keeps its pseudonym as
 * long as the key is kept; without the key, guesses of loyalty IDs cannot be tested.
 */
export function pseudonymOf(key: Uint8Array, programmeId: string, loyaltyId: string): string {
  // UTF-16 keeps lone surrogates of an opaque ID distinct; UTF-8 would make them equal.
  const text = Buffer.from(`${programmeId}\u0000${loyaltyId}`, 'utf16le');
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, PSEUDONYM_CHARACTERS);
}
