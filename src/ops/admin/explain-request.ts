import { MAX_BODY_BYTES } from '../../contract/limits.ts';
import type { EnvironmentSource } from '../../programme/source.ts';
import { readDraft } from './draft-request.ts';

/** The body of `/admin/explain`: a basket as a till sends it, or a basket and a draft of the configuration. */
export interface ExplainRequest {
  /** The body of a basket call. */
  readonly basket: Uint8Array;
  readonly draft: EnvironmentSource | undefined;
}

/** Reads the body. Returns a sentence when the draft, and not the basket, is at fault. `inForce` is what it may replace a file of. */
export function readExplainRequest(body: Uint8Array, inForce: EnvironmentSource): ExplainRequest | string {
  const request = parseWithDraft(body);
  if (request === undefined) return { basket: body, draft: undefined };
  const { basket, draft } = request;
  const source = readDraft(draft, inForce, 'draft.');
  if (typeof source === 'string') return source;
  return { basket: Buffer.from(JSON.stringify(basket) ?? ''), draft: source };
}

/** True for a basket that a till could not send. */
export function isBasketTooLarge({ basket }: ExplainRequest): boolean {
  return basket.length > MAX_BODY_BYTES;
}

/** A body with a draft. A basket has no such field; whatever else the body is, the basket's own reader judges. */
function parseWithDraft(body: Uint8Array): { readonly basket?: unknown; readonly draft: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, 'draft');
    return isObject ? (value as { basket?: unknown; draft: unknown }) : undefined;
  } catch {
    return undefined;
  }
}
