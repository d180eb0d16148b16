import { parseJson } from '../../basket/parse-json.ts';
import { MAX_DRAFT_BYTES } from '../../contract/limits.ts';
import type { EnvironmentSource } from '../../programme/source.ts';

/** A draft of the configuration as calls send it: the text of the whole, or of the file whose place it takes. */

/** Messages of a draft without a file say that it is the draft. */
const DRAFT_NAME = 'draft';

/** Reads `{ text, file? }`; `path` stands before the names in messages. Returns a sentence when they cannot be used. */
export function readDraft(draft: unknown, inForce: EnvironmentSource, path = ''): EnvironmentSource | string {
  const { text, file } = (draft ?? {}) as { text?: unknown; file?: unknown };
  if (typeof text !== 'string') {
    return `${path}text: found ${JSON.stringify(text) ?? 'nothing'}, allowed: the text of a file`;
  }
  if (Buffer.byteLength(text) > MAX_DRAFT_BYTES) return `${path}text: found more than ${MAX_DRAFT_BYTES} bytes`;
  const names = inForce.files.map(({ name }) => name);
  if (file !== undefined && !names.includes(file as string)) {
    return `${path}file: found ${JSON.stringify(file)}, allowed: one of ${names.join(', ')}`;
  }
  if (file === undefined) return { path: DRAFT_NAME, files: [{ name: DRAFT_NAME, text }] };
  return { ...inForce, files: inForce.files.map((own) => (own.name === file ? { name: own.name, text } : own)) };
}

/** Reads the body of a call about a draft. Returns a sentence when it cannot be used. */
export function readDraftCall(
  body: Uint8Array,
  inForce: EnvironmentSource,
): { readonly source: EnvironmentSource; readonly said: Readonly<Record<string, unknown>> } | string {
  const parsed = parseJson(body);
  if (!parsed.ok) return parsed.refusal.message;
  const source = readDraft(parsed.value, inForce);
  return typeof source === 'string' ? source : { source, said: parsed.value as Readonly<Record<string, unknown>> };
}
