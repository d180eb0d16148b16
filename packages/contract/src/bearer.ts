import { hash, timingSafeEqual } from 'node:crypto';

/**
 * Finds the token of an `Authorization: Bearer …` header in `tokens` and returns its index, or undefined. Digests are
 * compared without an early exit, so that the time taken reveals neither the length nor a common prefix.
 */
export function matchBearer(authorization: string | undefined, tokens: readonly string[]): number | undefined {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  const received = sha256(token);
  let found: number | undefined;
  for (const [index, known] of tokens.entries()) if (timingSafeEqual(sha256(known), received)) found ??= index;
  return found;
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
