/**
 * The reasons why Redis cannot be used, a bounded set: a label of a metric, a key of the table in deploy/prometheus/runbook.md.
 * The sentence beside a cause is ours. It quotes no server or library, because their errors repeat the arguments of a
 * command, and a password is one.
 */
export const REDIS_CAUSES = [
  // No connection.
  'unknown_host',
  'refused',
  'unreachable',
  'connect_timeout',
  'no_socket',
  'socket_forbidden',
  // No common protocol.
  'tls_required',
  'tls_not_offered',
  'tls_certificate',
  'tls_client_certificate',
  'tls_failed',
  'not_redis',
  'closed',
  'no_answer',
  // Access refused.
  'wrong_password',
  'password_missing',
  'no_permission',
  'wrong_database',
  'protected_mode',
  'too_many_clients',
  // The wrong server, or no master.
  'wrong_sentinel_name',
  'not_sentinel',
  'not_cluster',
  'cluster_down',
  'master_down',
  'master_away',
  'read_only',
  // A server that cannot serve now.
  'loading',
  'busy',
  'out_of_memory',
  'not_writable',
  'too_few_replicas',
  // Data that this version must not touch, or that is not there.
  'newer_format',
  'older_format',
  'data_gone',
  // Data that may be dropped at any moment.
  'evicts_keys',
  // Any other reason.
  'unknown',
] as const;
export type RedisCause = (typeof REDIS_CAUSES)[number];

/** One cause and the end of a sentence about it: the place and the expectation. It contains no credential. */
export interface RedisTrouble {
  readonly cause: RedisCause;
  readonly detail: string;
}

/** The text for readiness and the log: `wrong_password: 10.0.0.7:6379 refuses …`, `loading 43 %, about 12 s left`. */
export function describeTrouble({ cause, detail }: RedisTrouble): string {
  return cause === 'loading' ? `${cause} ${detail}` : `${cause}: ${detail}`;
}

/** Causes and texts for the system error codes of a failed connection attempt. */
const DIAL_CAUSES: Readonly<Record<string, readonly [RedisCause, string]>> = {
  ENOTFOUND: ['unknown_host', 'has a host name that nobody knows'],
  EAI_AGAIN: ['unknown_host', 'has a host name that cannot be looked up now'],
  ECONNREFUSED: ['refused', 'refuses connections: no server listens there'],
  EHOSTUNREACH: ['unreachable', 'cannot be reached: there is no way to the host'],
  ENETUNREACH: ['unreachable', 'cannot be reached: there is no way to its network'],
  EADDRNOTAVAIL: ['unreachable', 'cannot be reached from an address of this machine'],
  ETIMEDOUT: ['connect_timeout', 'does not answer to connecting: a firewall, or a host that is off'],
  ENOENT: ['no_socket', 'is not there: no server has made this socket'],
  EACCES: ['socket_forbidden', 'may not be opened by the user of this process'],
  EPERM: ['socket_forbidden', 'may not be opened by the user of this process'],
};

/** The trouble of a connection attempt to `where` that failed with this code. */
export function troubleOfDialling(where: string, code: string | undefined): RedisTrouble {
  const [cause, means] = DIAL_CAUSES[code ?? ''] ?? ['unknown', `cannot be connected to (${code ?? 'no code'})`];
  return { cause, detail: `${where} ${means}` };
}

/** Prefixes of error replies; the first match counts. */
const REPLY_CAUSES: readonly (readonly [RegExp, RedisCause, string])[] = [
  [/^WRONGPASS|^ERR invalid password/, 'wrong_password', 'refuses the user name or password that it is given'],
  [/^NOAUTH/, 'password_missing', 'wants a password, and is given none'],
  [
    /^NOPERM|^ERR ACL failure|^ERR The user executing the script/,
    'no_permission',
    'does not let the user of REDIS_URL do what the service needs',
  ],
  [/^DENIED/, 'protected_mode', 'is in protected mode: it has no password and takes local connections only'],
  [/^ERR max number of clients/, 'too_many_clients', 'has as many clients as its maxclients allows'],
  [/^LOADING/, 'loading', 'its data'],
  [/^BUSY/, 'busy', 'is busy with a script of somebody'],
  [/^CLUSTERDOWN/, 'cluster_down', 'says that the cluster is down'],
  [/^MASTERDOWN/, 'master_down', 'is a replica whose master is gone'],
  [/^READONLY/, 'read_only', 'is a replica and takes no writes'],
  [/^OOM/, 'out_of_memory', 'has reached its maxmemory and takes no writes'],
  [/^MISCONF/, 'not_writable', 'cannot write to its disk and takes no writes'],
  [/^NOREPLICAS/, 'too_few_replicas', 'has fewer good replicas than min-replicas-to-write and takes no writes'],
];

/** The cause that an error reply names: a Redis that is starting, overloaded, failing over or full, or that refuses us. */
export function causeOfReply(reply: string): RedisCause | undefined {
  return REPLY_CAUSES.find(([pattern]) => pattern.test(reply))?.[1];
}

/** The trouble that an error reply of `where` shows. An unknown reply is reduced to its first word. */
export function troubleOfReply(where: string, reply: string): RedisTrouble {
  const known = causeOfReply(reply);
  if (known) return troubleOfCause(where, known);
  const word = /^[A-Z]{1,20}(?= |$)/.exec(reply)?.[0] ?? 'an error';
  return { cause: 'unknown', detail: `${where} answers ${word}` };
}

const AWAY = 'does not answer; only calls whose data lies there are refused';

/** The trouble of a server whose cause is known from a reply, to us or to a call. */
export function troubleOfCause(where: string, cause: RedisCause): RedisTrouble {
  if (cause === 'master_away') return { cause, detail: `${where} ${AWAY}` };
  const means = REPLY_CAUSES.find(([, known]) => known === cause)?.[2] ?? 'refuses calls';
  return { cause, detail: cause === 'loading' ? means : `${where} ${means}` };
}
