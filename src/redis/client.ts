import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAccess, RedisAddress } from './address.ts';
import { passwordOf } from './credentials.ts';
import { locateUnnamed, readUnnamedNodes } from './unnamed-nodes.ts';

/** A client of one server (found directly or through Sentinel) or of a cluster. */
export type RedisClient = Redis | Cluster;

const CONNECT_TIMEOUT_MS = 1000;
const MAX_RECONNECT_DELAY_MS = 250;
/** How often a command is sent again that a node refused before doing anything, until its call's time is up. */
const CLUSTER_RETRY_MS = 50;
const CLUSTER_REFRESH_MS = 2000;

/**
 * Opens a client that connects and reconnects by itself. A command is sent at once or refused; it is never queued for a
 * later connection, and never sent again when its reply is lost. A cluster client sends again only what a node refused
 * before doing anything: MOVED, ASK, TRYAGAIN, CLUSTERDOWN.
 */
export function openClient(address: RedisAddress, name: string): RedisClient {
  const client = createClient(address, name);
  const prepare = (node: Redis): void => {
    outliveSecondErrors(node);
    outliveLostAsking(node);
    followPasswords(node.options, address);
  };
  if (client instanceof Redis) prepare(client);
  else {
    followPasswords(client.options.redisOptions ?? {}, address);
    client.on('+node', prepare);
  }
  return client;
}

/** The library reads its options for each connection, and by then a file may have another password. */
function followPasswords(options: object, address: RedisAddress): void {
  if (address.kind === 'socket') return;
  follow(options, 'password', address.access);
  if (address.kind === 'sentinel') follow(options, 'sentinelPassword', address.sentinelAccess);
}

function follow(options: object, name: string, access: RedisAccess): void {
  if (access.passwordFile === undefined) return;
  Object.defineProperty(options, name, { get: () => passwordOf(access), enumerable: true, configurable: true });
}

/**
 * A connection that is closed while its certificate is refused fails twice: the server's alert follows. The library hears the
 * first error alone, and one that nobody hears ends the process. Measured: one closed connection in ten.
 */
function outliveSecondErrors(client: Redis): void {
  client.on('error', () => {
    client.stream?.on('error', () => undefined);
  });
}

/**
 * ASKING goes before a command for a slot that is moving. The library drops its promise, and when the connection closes, a rejection
 * that nobody handles would end the process. The command itself is tried again, or fails.
 */
function outliveLostAsking(client: Redis): void {
  const asking = client.asking.bind(client);
  client.asking = () => {
    const reply = asking();
    reply.catch(() => undefined);
    return reply;
  };
}

function createClient(address: RedisAddress, name: string): RedisClient {
  const options = commonOptions(name);
  switch (address.kind) {
    case 'socket':
      return new Redis({ ...options, ...reconnection, path: address.path });
    case 'single':
      return new Redis({ ...options, ...reconnection, ...accessOptions(address.access), ...address.node });
    case 'sentinel':
      return new Redis({
        ...{ ...options, ...reconnection, ...accessOptions(address.access) },
        sentinels: [...address.nodes],
        name: address.name,
        ...sentinelOptions(address.sentinelAccess),
        sentinelRetryStrategy: reconnectDelay,
        sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
      });
    case 'cluster':
      return createCluster(address, { ...options, ...accessOptions(address.access) });
  }
}

function createCluster(
  { nodes }: Extract<RedisAddress, { kind: 'cluster' }>,
  redisOptions: ReturnType<typeof commonOptions>,
): Cluster {
  readUnnamedNodes();
  const cluster: Cluster = new Cluster([...nodes], {
    enableOfflineQueue: false,
    scaleReads: 'master',
    clusterRetryStrategy: reconnectDelay,
    // Not again after a connection that was lost: nobody knows what became of the command.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: CLUSTER_RETRY_MS,
    retryDelayOnTryAgain: CLUSTER_RETRY_MS,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    slotsRefreshInterval: CLUSTER_REFRESH_MS,
    natMap: (place) => locateUnnamed(place, cluster, nodes),
    // The library would connect to the address behind a name, for which a certificate need not be valid.
    dnsLookup: (name, done) => done(null, name),
    redisOptions,
  });
  return cluster;
}

function commonOptions(name: string) {
  return {
    connectionName: name,
    protocol: 2,
    connectTimeout: CONNECT_TIMEOUT_MS,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: false,
    enableReadyCheck: true,
    maxLoadingRetryTime: MAX_RECONNECT_DELAY_MS,
    keepAlive: 10_000,
    noDelay: true,
  } satisfies RedisOptions;
}

/** Options for a client of one server; a cluster has its own retry strategies. */
const reconnection = {
  enableOfflineQueue: false,
  retryStrategy: reconnectDelay,
  // A master that became a replica answers READONLY; a new connection finds its successor.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions;

function accessOptions(access: RedisAccess) {
  const password = passwordOf(access);
  return {
    db: access.database,
    ...(access.username !== undefined && { username: access.username }),
    ...(password !== undefined && { password }),
    // Certificates are verified; NODE_EXTRA_CA_CERTS names a private authority.
    ...(access.isTls && { tls: {} }),
  } satisfies RedisOptions;
}

function sentinelOptions(access: RedisAccess) {
  const password = passwordOf(access);
  return {
    ...(access.username !== undefined && { sentinelUsername: access.username }),
    ...(password !== undefined && { sentinelPassword: password }),
    ...(access.isTls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
  };
}

function reconnectDelay(attempt: number): number {
  return Math.min(MAX_RECONNECT_DELAY_MS, 25 * attempt);
}
