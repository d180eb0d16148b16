import { isIP } from 'node:net';

/** The answer to a request with any other host name. */
export const HOST_REFUSED =
  'The Host of this request is not allowed here. IP addresses and localhost are; other names are listed in OPS_ALLOWED_HOSTS.';

/**
 * True when a request with this Host header is accepted. A web page can point a host name of its own at our address
 * (DNS rebinding), and would then read our answers as its own; the browser still sends that name. So only names that
 * the operator chose are accepted. An IP address is accepted because its owner is fixed, and a missing Host because
 * every browser sends one.
 */
export function isAllowedHost(header: string | undefined, names: readonly string[]): boolean {
  if (header === undefined || header === '') return true;
  const host = withoutPort(header);
  if (isIP(host) !== 0) return true;
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || names.some((allowed) => allowed.toLowerCase() === name);
}

/** Removes the port: `[::1]:9090` → `::1`, `gateway:9090` → `gateway`. */
function withoutPort(header: string): string {
  const [, address, name] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header) ?? [];
  return address ?? name ?? '';
}
