/** How a test names its run, so that tests that run at once do not see each other's requests. */

export const RUN_HEADER = 'X-Double-Run';

/** A path segment in front of the interface's or the double's own paths; `v1` and `double` are these paths themselves. */
const PREFIXED = /^\/(?!v1\/|double\/)([A-Za-z0-9._~-]{1,64})(\/(?:v1\/pos\/(?:basket|sale)|double\/[a-z]+))$/;
const NAME = /^[A-Za-z0-9._~-]{1,64}$/;

/** The run that a request names by its path or its header, and its path without that. */
export function readRun(path: string, header: string | undefined): { run: string | undefined; path: string } {
  const prefixed = PREFIXED.exec(path);
  if (prefixed) return { run: prefixed[1], path: prefixed[2]! };
  return { run: header !== undefined && NAME.test(header) ? header : undefined, path };
}
