import type { Connection } from './connection.ts';
import { parseInfo, type ServerInfo } from './server-info.ts';

/** The worst of all servers that take writes. */
export interface RedisResources {
  readonly usedBytes: number;
  /** `maxmemory`, or the machine's memory where none is set. */
  readonly limitBytes: number;
  /** Keys that the servers have dropped for lack of memory since they started. */
  readonly evictedKeys: number;
  /** False after an append to the append-only file has failed, until one succeeds. */
  readonly isFileWritten: boolean;
  /** False after a rewrite of the append-only file has failed, until one succeeds. */
  readonly isFileRewritten: boolean;
}

/**
 * Reads memory and append-only file of every server that takes writes, and returns the worst of each. Undefined while
 * Redis cannot be asked, and where a managed service hides the fields. Never throws.
 */
export async function readServerResources(connection: Connection): Promise<RedisResources | undefined> {
  // The servers are asked directly: a refusal by the breaker would count as a command of a call.
  if (!connection.isAvailable) return undefined;
  try {
    const texts = await Promise.all(
      connection.answering.map((server) => server.info('memory', 'persistence', 'stats')),
    );
    return findWorst(texts.map(parseInfo));
  } catch {
    return undefined;
  }
}

function findWorst(infos: readonly ServerInfo[]): RedisResources | undefined {
  const memories = infos.map(readMemory).filter(({ usedBytes, limitBytes }) => usedBytes >= 0 && limitBytes > 0);
  const fullest = memories.toSorted((one, other) => share(other) - share(one))[0];
  if (!fullest) return undefined;
  const isOk = (field: string): boolean => infos.every((info) => (info.get(field) ?? 'ok') === 'ok');
  return {
    ...fullest,
    evictedKeys: infos.reduce((sum, info) => sum + Number(info.get('evicted_keys') ?? 0), 0),
    isFileWritten: isOk('aof_last_write_status'),
    isFileRewritten: isOk('aof_last_bgrewrite_status'),
  };
}

type Memory = Pick<RedisResources, 'usedBytes' | 'limitBytes'>;

function readMemory(info: ServerInfo): Memory {
  const bytesOf = (field: string): number => Number(info.get(field) ?? Number.NaN);
  return { usedBytes: bytesOf('used_memory'), limitBytes: bytesOf('maxmemory') || bytesOf('total_system_memory') };
}

function share({ usedBytes, limitBytes }: Memory): number {
  return usedBytes / limitBytes;
}
