/** A request that is wrong at a place that the message names. Whoever reads the request throws it, and the router answers 400. */
export class InvalidRequest extends Error {}

/** `limit: found "no", allowed: a whole number`. */
export function notAllowed(name: string, found: unknown, allowed: string): InvalidRequest {
  return new InvalidRequest(`${name}: found ${JSON.stringify(found)}, allowed: ${allowed}`);
}

/** The names of a list with commas, such as `by=benefit,month`, in the order of those that are allowed. */
export function readNames<Name extends string>(
  query: URLSearchParams,
  name: string,
  allowed: readonly Name[],
  usual: Name,
): Name[] {
  const asked = (query.get(name) ?? usual).split(',');
  const unknown = asked.find((one) => !allowed.includes(one as Name));
  if (unknown !== undefined) throw notAllowed(name, unknown, `any of ${allowed.join(', ')}, with commas`);
  return allowed.filter((one) => asked.includes(one));
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
