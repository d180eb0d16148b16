import { hash } from 'node:crypto';

/** What makes two bodies of one key the same: SHA-256 of the raw bytes, base64url (interface, section 4.10). */
export function fingerprintOf(body: Uint8Array): string {
  return hash('sha256', body, 'base64url');
}
