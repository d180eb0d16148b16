import { parseJson } from '@loyalty/contract/basket/parse-json';
import { findBodyFault } from '../../../../src/programme/check.ts';
import { ADMIN_SCHEMAS } from './schemas.ts';

/** The bodies of calls, checked against the schemas by which the document describes them. */

/** A basket is read as the public interface reads it. */
const READ_AS_BYTES = 'ExplainRequest';
/** Members and their grants are checked against their programme as well, as those of the configuration file are. */
const CHECKED_WITH_PROGRAMME = ['MemberBody', 'GrantBody'];

/**
 * Reads the body of a route whose `requestSchema` has this name. Returns its value, undefined for a route without a body or
 * whose handler reads the bytes; or a sentence about the first error.
 */
export function readValue(name: string | undefined, body: Uint8Array): { readonly value: unknown } | string {
  if (name === undefined || name === READ_AS_BYTES) return { value: undefined };
  const parsed = parseJson(body);
  if (!parsed.ok) return parsed.refusal.message;
  const error = CHECKED_WITH_PROGRAMME.includes(name) ? undefined : findValueError(name, parsed.value);
  return error ?? { value: parsed.value };
}

/** A sentence about the first error of a value that the schema of this name describes; `path` leads to the value. */
export function findValueError(name: string, value: unknown, path = ''): string | undefined {
  const fault = findBodyFault(ADMIN_SCHEMAS[name] as object, value, path);
  return fault && `${fault.path || 'the body'}: found ${fault.found}, allowed: ${fault.allowed}`;
}

/** A sentence unless the value has exactly one of two fields. */
export function findChoiceError<T extends object>(
  value: T,
  one: keyof T & string,
  other: keyof T & string,
  where = 'the body',
): string | undefined {
  const has = [one, other].filter((name) => value[name as keyof T] !== undefined).length;
  if (has === 1) return undefined;
  return `${where}: found ${has === 0 ? 'neither' : 'both'} of ${one} and ${other}, allowed: one of them`;
}
