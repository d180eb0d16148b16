import type { Redis } from 'ioredis';
import type { Connection } from './connection.ts';
import { placeOfServer } from './masters.ts';
import { parseInfo, type ServerInfo } from './server-info.ts';

/** The oldest major version that has every command in use. */
const MIN_MAJOR_VERSION = 7;

/** The settings that are looked at, by Redis' own names; labels of a metric. */
export const SETTINGS = [
  'maxmemory-policy',
  'appendonly',
  'appendfsync',
  'min-replicas-to-write',
  'cluster-require-full-coverage',
  'redis_version',
  'cluster-enabled',
] as const;
export type Setting = (typeof SETTINGS)[number];

/**
 * `wrong`: a promise of the service is broken. `weak`: a promise is weaker, which an operator may choose. `unknown`: the
 * server does not show the setting.
 */
export const SETTING_STATES = ['right', 'weak', 'wrong', 'unknown'] as const;
export type SettingState = (typeof SETTING_STATES)[number];

/** Settings without which what was promised is lost or given twice. While one is wrong, production is not ready. */
const GRAVE: readonly Setting[] = ['maxmemory-policy', 'appendonly', 'appendfsync'];

/** A setting that is not right on some server, with a sentence for the operator. */
export interface SettingFinding {
  readonly setting: Setting;
  readonly state: Exclude<SettingState, 'right'>;
  readonly detail: string;
}

/** Settings that INFO omits. */
const ASKED = ['appendfsync', 'min-replicas-to-write', 'cluster-require-full-coverage'] as const;

/**
 * Compares the settings of every server that answers with the promises of this service. Empty when all are right. Of a
 * cluster, a finding that not all masters share names those that have it. Throws `StoreUnavailable`.
 */
export async function inspectSettings(connection: Connection): Promise<SettingFinding[]> {
  const { answering, isCluster } = connection;
  const found = await connection.runWithoutKey(() =>
    Promise.all(
      answering.map(async (server) => {
        const [text, asked] = await Promise.all([server.info(), askForSettings(server)]);
        const info = parseInfo(text);
        return [...judgeInfo(info, isCluster), ...judgeAsked(info, asked, isCluster)];
      }),
    ),
  );
  const byDetail = new Map<string, { finding: SettingFinding; servers: string[] }>();
  for (const [index, findings] of found.entries()) {
    for (const finding of findings) {
      const entry = byDetail.get(finding.detail) ?? { finding, servers: [] };
      entry.servers.push(placeOfServer(answering[index] as Redis));
      byDetail.set(finding.detail, entry);
    }
  }
  return [...byDetail.values()].map(({ finding, servers }) =>
    servers.length === answering.length ? finding : { ...finding, detail: `${finding.detail} (${servers.join(', ')})` },
  );
}

/** True when production must not be ready with this finding. */
export function isGrave({ setting, state }: SettingFinding): boolean {
  return state === 'wrong' && GRAVE.includes(setting);
}

function* judgeInfo(info: ServerInfo, isCluster: boolean): Generator<SettingFinding> {
  const policy = info.get('maxmemory_policy');
  if (policy !== 'noeviction') {
    const detail = policy
      ? `maxmemory-policy is ${policy}: Redis may drop holds and answers; set it to noeviction`
      : 'maxmemory-policy is not shown by INFO: make sure that it is noeviction';
    yield { setting: 'maxmemory-policy', state: policy === undefined ? 'unknown' : 'wrong', detail };
  }
  const file = info.get('aof_enabled');
  if (file !== '1') {
    const detail = file
      ? 'appendonly is no: a restart of Redis loses what was answered; set it to yes'
      : 'appendonly is not shown by INFO: make sure that it is yes';
    yield { setting: 'appendonly', state: file === undefined ? 'unknown' : 'wrong', detail };
  }
  const version = info.get('redis_version') ?? '0';
  if (Number.parseInt(version, 10) < MIN_MAJOR_VERSION) {
    const detail = `redis_version is ${version}: at least ${MIN_MAJOR_VERSION}.0 is needed`;
    yield { setting: 'redis_version', state: 'wrong', detail };
  }
  if (info.get('cluster_enabled') === '1' && !isCluster) {
    const detail = 'cluster-enabled is yes, but REDIS_URL names one node: name at least two, separated by commas';
    yield { setting: 'cluster-enabled', state: 'wrong', detail };
  }
}

/** What `appendfsync` risks. Two seconds are a loss that an operator may accept (deploy/redis.md); half a minute is not. */
const SYNCS: Readonly<Record<string, readonly ['weak' | 'wrong', string]>> = {
  everysec: ['weak', 'what was answered in the last two seconds'],
  no: ['wrong', 'what the system has not written yet, often half a minute of answers,'],
};

/** Judges the settings that CONFIG GET returned; `asked` is undefined when the server refused it. */
function* judgeAsked(info: ServerInfo, asked: ServerInfo | undefined, isCluster: boolean): Generator<SettingFinding> {
  if (!asked) {
    const detail =
      'CONFIG GET is refused, so appendfsync and min-replicas-to-write were not looked at: look at them yourself';
    yield { setting: 'appendfsync', state: 'unknown', detail };
    yield { setting: 'min-replicas-to-write', state: 'unknown', detail };
    return;
  }
  const sync = asked.get('appendfsync') ?? 'unknown';
  // A missing append-only file is reported already.
  if (info.get('aof_enabled') !== '0' && sync !== 'always') {
    const [state, lost] = SYNCS[sync] ?? (['unknown', 'answers'] as const);
    const detail = `appendfsync is ${sync}: ${lost} may be lost when Redis or its machine ends; set it to always`;
    yield { setting: 'appendfsync', state, detail };
  }
  const replicas = Number(info.get('connected_slaves') ?? 0);
  if (replicas > 0 && Number(asked.get('min-replicas-to-write') ?? 0) === 0) {
    const detail =
      'min-replicas-to-write is 0 although there are replicas: a master that is cut off from them takes writes which ' +
      'the failover loses; set it to 1';
    yield { setting: 'min-replicas-to-write', state: 'weak', detail };
  }
  if (isCluster && asked.get('cluster-require-full-coverage') === 'yes') {
    const detail =
      'cluster-require-full-coverage is yes: one master that is away without a replica stops the calls of all; ' +
      'set it to no';
    yield { setting: 'cluster-require-full-coverage', state: 'weak', detail };
  }
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
