import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { KEEP_ALIVE_MS } from './limits.ts';
import type { Settings } from './options.ts';

/** The connections of a client: of its own, through the proxy that the process is told to use, or the caller's. */
export interface Transport {
  readonly baskets: Dispatcher;
  readonly sales: Dispatcher;
  /** Ends every attempt on connections of our own; a dispatcher of the caller's is left as it is. */
  close(): Promise<unknown>;
}

/** Sale events share few connections of their own, so that no basket call ever waits behind one. */
const SALE_CONNECTIONS = 4;

export function openTransport(settings: Settings): Transport {
  const { dispatcher, connections } = settings;
  if (dispatcher) return { baskets: dispatcher, sales: dispatcher, close: async () => {} };
  const baskets = openConnections(settings, connections);
  const sales = openConnections(settings, SALE_CONNECTIONS);
  return { baskets, sales, close: () => Promise.all([baskets.destroy(), sales.destroy()]) };
}

function openConnections({ origin, limits, ca }: Settings, connections: number): Dispatcher {
  const connect = { timeout: limits.hardCapMs, ...(ca !== undefined && { ca }) };
  const options = {
    connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // The attempt's own timer is the one that counts; undici's are coarser than 500 ms.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect,
  };
  const proxy = proxyFor(origin, process.env);
  if (proxy === undefined) return new Pool(origin, options);
  // The agent itself reads NO_PROXY.
  return new EnvHttpProxyAgent({ ...options, httpProxy: proxy, httpsProxy: proxy, requestTls: connect });
}

/** The proxy that the environment names for an address. Lower case comes first, as with curl. */
export function proxyFor(origin: string, env: NodeJS.ProcessEnv): string | undefined {
  const isSecure = origin.startsWith('https:');
  const named = isSecure ? (env['https_proxy'] ?? env['HTTPS_PROXY']) : (env['http_proxy'] ?? env['HTTP_PROXY']);
  return named || undefined;
}
