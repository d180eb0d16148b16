import { hash } from 'node:crypto';

/**
 * The fingerprint of a body, which decides whether two bodies of one key are equal: SHA-256 of the raw bytes, base64url
 * (interface, section 4.10).
 */
export function fingerprintOf(body: Uint8Array): string {
  return hash('sha256', body, 'base64url');
}
