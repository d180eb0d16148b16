/** The address of Redis, parsed from one text (`REDIS_URL`). */
export type RedisAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'single'; readonly node: RedisNode; readonly access: RedisAccess }
  | { readonly kind: 'cluster'; readonly nodes: readonly RedisNode[]; readonly access: RedisAccess }
  | {
      readonly kind: 'sentinel';
      readonly nodes: readonly RedisNode[];
      readonly name: string;
      readonly access: RedisAccess;
      /** What the Sentinels themselves ask for. Its database has no meaning. */
      readonly sentinelAccess: RedisAccess;
    };

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** The credentials and database that are used on every node. */
export interface RedisAccess {
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The file with the password, in the place of `password`; read for each connection (credentials.ts). */
  readonly passwordFile?: string | undefined;
  readonly database: number;
  readonly isTls: boolean;
}

export const REDIS_URL_FORMS =
  'redis://host:port, rediss://…, unix:/path, several redis:// nodes separated by commas (a cluster), ' +
  'or redis+sentinel://host:port,host:port/?name=master';

/** `10.0.0.7:6379`, or `[::1]:6379`. */
export function describePlace({ host, port }: RedisNode): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The part of an address that may be shown, without user and password. */
export function describeAddress(address: RedisAddress): string {
  switch (address.kind) {
    case 'socket':
      return address.path;
    case 'single':
      return describePlace(address.node);
    case 'sentinel':
      return `the master "${address.name}"`;
    case 'cluster':
      return 'the cluster';
  }
}

const DEFAULT_PORT = 6379;
const DEFAULT_SENTINEL_PORT = 26_379;

/** Parses an address. Undefined when the text has none of the forms above. */
export function parseRedisAddress(text: string): RedisAddress | undefined {
  if (text.startsWith('unix:/')) return { kind: 'socket', path: text.slice('unix:'.length) };
  const scheme = /^(rediss?)(\+sentinel)?:\/\//.exec(text);
  if (!scheme) return undefined;
  const isSentinel = scheme[2] !== undefined;
  const urls = parseUrls(text, scheme[0], isSentinel ? ['name'] : []);
  if (!urls) return undefined;
  const nodes = urls.map((url) => toNode(url, isSentinel ? DEFAULT_SENTINEL_PORT : DEFAULT_PORT));
  // Credentials, database and name come from the first node that gives one.
  const access = toAccess(urls, scheme[1] === 'rediss');
  if (access === undefined) return undefined;
  if (isSentinel) {
    const name = urls.map((url) => url.searchParams.get('name')).find((value) => value);
    return name ? { kind: 'sentinel', nodes, name, access, sentinelAccess: access } : undefined;
  }
  if (nodes.length === 1) return { kind: 'single', node: nodes[0] as RedisNode, access };
  return access.database === 0 ? { kind: 'cluster', nodes, access } : undefined;
}

/** How Sentinels with users of their own are named, in `REDIS_SENTINEL_URL`. */
export const SENTINEL_URL_FORMS = 'redis://user:password@host:port,host:port, or rediss://…';

/** Parses the address of Sentinels alone: where they are, and what they ask for. Undefined when the text is none. */
export function parseSentinelAddress(
  text: string,
): { readonly nodes: readonly RedisNode[]; readonly access: RedisAccess } | undefined {
  const scheme = /^(rediss?):\/\//.exec(text);
  if (!scheme) return undefined;
  const urls = parseUrls(text, scheme[0], []);
  if (!urls || urls.some((url) => url.pathname.length > 1)) return undefined;
  const access = toAccess(urls, scheme[1] === 'rediss');
  return access && { nodes: urls.map((url) => toNode(url, DEFAULT_SENTINEL_PORT)), access };
}

const PERCENT_ENCODING =
  'in a user or password write % as %25, @ as %40, / as %2F, ? as %3F, # as %23 and a comma as %2C';
const NO_PARAMETERS =
  'after ? only name=… of redis+sentinel:// is known: a user and password stand before the host, user:password@host';

/** What is probably wrong with a text that is no address, as the end of a sentence. Quotes nothing of it. */
export function adviceOn(text: string): string {
  const advice = [/[@#]/.test(text) ? PERCENT_ENCODING : '', text.includes('?') ? NO_PARAMETERS : ''];
  return advice.map((words) => words && `; ${words}`).join('');
}

/** Items after the first may omit the scheme. A comma inside a password must be written %2C. */
function parseUrls(text: string, scheme: string, parameters: readonly string[]): URL[] | undefined {
  const items = text.split(',').map((item) => (item.startsWith(scheme) ? item.slice(scheme.length) : item));
  const urls = items.map(parseUrl).filter((url) => url !== undefined);
  // Another parameter, such as a password, would be ignored.
  const isKnown = ({ searchParams }: URL) => [...searchParams.keys()].every((name) => parameters.includes(name));
  return urls.length === items.length && urls.every(isKnown) ? urls : undefined;
}

/**
 * Parses every scheme as `redis:`: the URL class keeps the port of a scheme that it does not know, even a default one.
 */
function parseUrl(text: string): URL | undefined {
  try {
    const url = new URL(`redis://${text}`);
    // An unescaped `#`, `?` or `/` in a password ends the host early, and messages would show a part of the password as
    // the host.
    const isCutShort = url.hash !== '' || `${url.pathname}${url.search}`.includes('@');
    // Throws on a malformed percent encoding here, where the address can still be refused.
    decodeURIComponent(url.username + url.password);
    return url.hostname === '' || isCutShort ? undefined : url;
  } catch {
    return undefined;
  }
}

function toNode(url: URL, defaultPort: number): RedisNode {
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? defaultPort : Number(url.port) };
}

function toAccess(urls: readonly URL[], isTls: boolean): RedisAccess | undefined {
  const named = urls.find((url) => url.password !== '' || url.username !== '');
  const path = urls.map((url) => url.pathname.slice(1)).find((value) => value !== '') ?? '0';
  if (!/^\d{1,4}$/.test(path)) return undefined;
  return {
    username: decode(named?.username),
    password: decode(named?.password),
    database: Number(path),
    isTls,
  };
}

function decode(text: string | undefined): string | undefined {
  return text ? decodeURIComponent(text) : undefined;
}
