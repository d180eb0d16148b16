import { parseJson } from '@loyalty/contract/basket/parse-json';
import { findBodyFault } from '../../../../src/programme/check.ts';
import { InvalidRequest, throwFault } from './invalid-request.ts';
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
  if (!CHECKED_WITH_PROGRAMME.includes(name)) throwFault(findBodyFault(ADMIN_SCHEMAS[name]!, parsed.value, ''));
  return parsed.value;
}
