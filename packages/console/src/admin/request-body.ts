import { parseJson } from '@loyalty/contract/basket/parse-json';
import { findBodyFault } from '../../../../src/programme/check.ts';
import { InvalidRequest } from './invalid-request.ts';
import { ADMIN_SCHEMAS } from './schemas.ts';

/** The bodies of calls, checked against the schemas by which the document describes them. */

/** A basket is read as the public interface reads it. */
const READ_AS_BYTES = 'ExplainRequest';
/** Members and their grants are checked against their programme as well, as those of the configuration file are. */
const CHECKED_WITH_PROGRAMME = ['MemberBody', 'GrantBody'];

/**
 * Reads the body of a route whose `requestSchema` has this name. Undefined for a route without a body or whose handler reads the
 * bytes. Throws `InvalidRequest`.
 */
export function readValue(name: string | undefined, body: Uint8Array): unknown {
  if (name === undefined || name === READ_AS_BYTES) return undefined;
  const parsed = parseJson(body);
  if (!parsed.ok) throw new InvalidRequest(parsed.refusal.message);
  if (!CHECKED_WITH_PROGRAMME.includes(name)) expectValue(name, parsed.value);
  return parsed.value;
}

/** Throws `InvalidRequest` about the first error of a value that the schema of this name describes; `path` leads to the value. */
export function expectValue(name: string, value: unknown, path = ''): void {
  throwFault(findBodyFault(ADMIN_SCHEMAS[name] as object, value, path));
}

/** Throws `InvalidRequest` where a value has an error. */
export function throwFault(fault: Readonly<Record<'path' | 'found' | 'allowed', string>> | undefined): void {
  if (!fault) return;
  throw new InvalidRequest(`${fault.path || 'the body'}: found ${fault.found}, allowed: ${fault.allowed}`);
}

/** Throws `InvalidRequest` unless the value has exactly one of two fields. */
export function expectOneOf<T extends object>(
  value: T,
  one: keyof T & string,
  other: keyof T & string,
  where = 'the body',
): void {
  const has = [one, other].filter((name) => value[name as keyof T] !== undefined).length;
  if (has === 1) return;
  const found = has === 0 ? 'neither' : 'both';
  throw new InvalidRequest(`${where}: found ${found} of ${one} and ${other}, allowed: one of them`);
}
