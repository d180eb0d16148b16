import { MAX_DRAFT_BYTES } from '@loyalty/contract/limits';
import { findBodyFault } from '../../../../src/programme/check.ts';
import type { EnvironmentSource } from '../../../../src/programme/source.ts';
import { Draft } from './draft-schemas.ts';
import { InvalidRequest, notAllowed, throwFault } from './invalid-request.ts';

/** A draft of the configuration as calls send it: the text of the whole, or of the file whose place it takes. */

/** Messages of a draft without a file say that it is the draft. */
const DRAFT_NAME = 'draft';

/** Reads a draft that fits its schema; `path` stands before the names in messages. Throws `InvalidRequest`. */
export function readDraft(draft: unknown, inForce: EnvironmentSource, path = ''): EnvironmentSource {
  const { text, file } = draft as Draft;
  if (Buffer.byteLength(text) > MAX_DRAFT_BYTES) {
    throw new InvalidRequest(`${path}text: found more than ${MAX_DRAFT_BYTES} bytes`);
  }
  const names = inForce.files.map(({ name }) => name);
  if (file !== undefined && !names.includes(file)) {
    throw notAllowed(`${path}file`, file, `one of ${names.join(', ')}`);
  }
  if (file === undefined) return { path: DRAFT_NAME, files: [{ name: DRAFT_NAME, text }] };
  return replaceIn(inForce, file, text);
}

/** The source with another text in the place of a file's. */
export function replaceIn(source: EnvironmentSource, name: string, text: string): EnvironmentSource {
  return { ...source, files: source.files.map((own) => (own.name === name ? { name, text } : own)) };
}

/**
 * Reads the body of `/admin/explain`: a basket as a till sends it, or a basket and a draft of the configuration. Throws
 * `InvalidRequest` when the draft, and not the basket, is at fault. `inForce` is what it may replace a file of.
 */
export function readExplainRequest(
  body: Uint8Array,
  inForce: EnvironmentSource,
): { readonly basket: Uint8Array; readonly draft: EnvironmentSource | undefined } {
  const request = parseWithDraft(body);
  if (request === undefined) return { basket: body, draft: undefined };
  const { basket, draft } = request;
  throwFault(findBodyFault(Draft, draft, 'draft'));
  return { basket: Buffer.from(JSON.stringify(basket) ?? ''), draft: readDraft(draft, inForce, 'draft.') };
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
