import type { Redis } from 'ioredis';
import type { Connection } from './connection.ts';
import { parseInfo, type ServerInfo } from './server-info.ts';

/** The oldest major version that has every command in use. */
const MIN_MAJOR_VERSION = 7;

/** Settings that INFO omits. */
const ASKED = ['appendfsync', 'min-replicas-to-write'] as const;

/**
 * Checks every server's settings against the promises of this service. Returns one sentence per finding, with the
 * setting's own name; empty when all settings are right. Throws `StoreUnavailable`.
 */
export async function findServerFaults(connection: Connection): Promise<string[]> {
  const { isCluster } = connection;
  const faults = await connection.run(() =>
    Promise.all(
      connection.servers.map(async (server) => {
        const [info, asked] = await Promise.all([server.info(), askForSettings(server)]);
        const told = parseInfo(info);
        return [...findFaults(told, isCluster), ...findAskedFaults(told, asked)];
      }),
    ),
  );
  return [...new Set(faults.flat())];
}

function findFaults(info: ServerInfo, isCluster: boolean): string[] {
  const policy = info.get('maxmemory_policy') ?? 'unknown';
  const version = info.get('redis_version') ?? '0';
  return [
    policy !== 'noeviction' && `maxmemory-policy is ${policy}: Redis may drop holds and answers; set it to noeviction`,
    !hasFile(info) && 'appendonly is no: a restart of Redis loses what was answered; set it to yes',
    Number.parseInt(version, 10) < MIN_MAJOR_VERSION &&
      `redis_version is ${version}: at least ${MIN_MAJOR_VERSION}.0 is needed`,
    info.get('cluster_enabled') === '1' &&
      !isCluster &&
      'cluster-enabled is yes, but REDIS_URL names one node: name at least two, separated by commas',
  ].filter((fault) => fault !== false);
}

/** Checks the settings that CONFIG GET returned; `asked` is undefined when the server refused it. */
function findAskedFaults(info: ServerInfo, asked: ServerInfo | undefined): string[] {
  if (!asked) {
    return [
      'CONFIG GET is refused, so appendfsync and min-replicas-to-write were not looked at: look at them yourself',
    ];
  }
  const sync = asked.get('appendfsync') ?? 'unknown';
  const replicas = Number(info.get('connected_slaves') ?? 0);
  return [
    // A missing append-only file is reported already.
    hasFile(info) &&
      sync !== 'always' &&
      `appendfsync is ${sync}: ${whatMayBeLost(sync)} when Redis or its machine ends; set it to always`,
    replicas > 0 &&
      Number(asked.get('min-replicas-to-write') ?? 0) === 0 &&
      'min-replicas-to-write is 0 although there are replicas: a master that is cut off from them takes writes which ' +
        'the failover loses; set it to 1',
  ].filter((fault) => fault !== false);
}

function whatMayBeLost(sync: string): string {
  if (sync === 'everysec') return 'what was answered in the last two seconds may be lost';
  return sync === 'no'
    ? 'what the system has not written yet, often half a minute of answers, may be lost'
    : 'answers may be lost';
}

function hasFile(info: ServerInfo): boolean {
  return info.get('aof_enabled') === '1';
}

/**
 * Reads the settings in `ASKED`. Managed services forbid CONFIG or lack it, so any error reply means that the settings
 * stay unknown.
 */
async function askForSettings(server: Redis): Promise<ServerInfo | undefined> {
  try {
    const replies = await Promise.all(ASKED.map((name) => server.config('GET', name) as Promise<string[]>));
    return new Map(replies.flatMap(([name, value]) => (name && value !== undefined ? [[name, value] as const] : [])));
  } catch (error) {
    if ((error as Error).name === 'ReplyError') return undefined;
    throw error;
  }
}
