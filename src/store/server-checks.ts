import type { Connection } from './connection.ts';

/** The oldest server that has every command in use. */
const MIN_MAJOR_VERSION = 7;

/**
 * Looks at every server's settings for what would break a promise of this service. Returns one sentence per finding, with
 * the setting's own name; empty when all is well. Throws `StoreUnavailable`.
 */
export async function findServerFaults(connection: Connection): Promise<string[]> {
  const isCluster = connection.servers.length > 1;
  const infos = await connection.run(() => Promise.all(connection.servers.map((server) => server.info())));
  return [...new Set(infos.flatMap((info) => findFaults(parseInfo(info), isCluster)))];
}

function findFaults(info: ReadonlyMap<string, string>, isCluster: boolean): string[] {
  const policy = info.get('maxmemory_policy') ?? 'unknown';
  const version = info.get('redis_version') ?? '0';
  return [
    policy !== 'noeviction' && `maxmemory-policy is ${policy}: Redis may drop holds and answers; set it to noeviction`,
    info.get('aof_enabled') !== '1' && 'appendonly is no: a restart of Redis loses what was answered; set it to yes',
    Number.parseInt(version, 10) < MIN_MAJOR_VERSION &&
      `redis_version is ${version}: at least ${MIN_MAJOR_VERSION}.0 is needed`,
    info.get('cluster_enabled') === '1' &&
      !isCluster &&
      'cluster-enabled is yes, but REDIS_URL names one node: name at least two, separated by commas',
  ].filter((fault) => fault !== false);
}

function parseInfo(text: string): Map<string, string> {
  const lines = text.split('\r\n').map((line) => /^([a-z_0-9]+):(.*)$/.exec(line));
  return new Map(lines.flatMap((match) => (match ? [[match[1] as string, match[2] as string]] : [])));
}
