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
