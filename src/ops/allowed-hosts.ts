import { isIP } from 'node:net';

/** Said to whoever comes under another name. */
export const HOST_REFUSED =
  'The Host of this request is not allowed here. IP addresses and localhost are; other names are listed in OPS_ALLOWED_HOSTS.';

/**
 * True when a request may come under this Host header. A web page can make a browser ask this listener by pointing a name of
 * its own at our address (DNS rebinding), and would read the answers as its own; but the browser still sends that name. So
 * only names that the operator chose are answered. An IP address is no name that anybody could point elsewhere, and a
 * request without a Host comes from no browser.
 */
export function isAllowedHost(header: string | undefined, names: readonly string[]): boolean {
  if (header === undefined || header === '') return true;
  const host = withoutPort(header);
  if (isIP(host) !== 0) return true;
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || names.some((allowed) => allowed.toLowerCase() === name);
}

/** `[::1]:9090` → `::1`, `gateway:9090` → `gateway`. */
function withoutPort(header: string): string {
  const [, address, name] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header) ?? [];
  return address ?? name ?? '';
}
