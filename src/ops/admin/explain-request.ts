import { MAX_BODY_BYTES, MAX_DRAFT_BYTES } from '../../contract/limits.ts';
import type { EnvironmentSource } from '../../programme/source.ts';

/** The body of `/admin/explain`: a basket as a till sends it, or a basket and a draft of the configuration. */
export interface ExplainRequest {
  /** The body of a basket call. */
  readonly basket: Uint8Array;
  readonly draft: EnvironmentSource | undefined;
}

/** Messages of a draft without a file say that it is the draft. */
const DRAFT_NAME = 'draft';

/** Reads the body. Returns a sentence when the draft, and not the basket, is at fault. `inForce` is what it may replace a file of. */
export function readExplainRequest(body: Uint8Array, inForce: EnvironmentSource): ExplainRequest | string {
  const request = parseWithDraft(body);
  if (request === undefined) return { basket: body, draft: undefined };
  const { basket, draft } = request;
  const { text, file } = (draft ?? {}) as { text?: unknown; file?: unknown };
  if (typeof text !== 'string')
    return `draft.text: found ${JSON.stringify(text) ?? 'nothing'}, allowed: the text of a file`;
  if (Buffer.byteLength(text) > MAX_DRAFT_BYTES) return `draft.text: found more than ${MAX_DRAFT_BYTES} bytes`;
  const names = inForce.files.map(({ name }) => name);
  if (file !== undefined && !names.includes(file as string)) {
    return `draft.file: found ${JSON.stringify(file)}, allowed: one of ${names.join(', ')}`;
  }
  return {
    basket: Buffer.from(JSON.stringify(basket) ?? ''),
    draft:
      file === undefined
        ? { path: DRAFT_NAME, files: [{ name: DRAFT_NAME, text }] }
        : { ...inForce, files: inForce.files.map((own) => (own.name === file ? { ...own, text } : own)) },
  };
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
