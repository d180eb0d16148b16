/**
 * The reasons why Redis cannot be used, a bounded set: a label of a metric, a key of the table in deploy/prometheus/runbook.md.
 * The sentence beside a cause is ours. It quotes no server or library but for an error's code, because their errors repeat
 * the arguments of a command, and a password is one.
 */
export const REDIS_CAUSES = [
  // No connection: name, network, port or socket; a connection that is closed at once; no common TLS.
  'unreachable',
  'tls_failed',
  // REDIS_URL does not fit what listens there: no Redis, no cluster, no Sentinel, no such master or database.
  'wrong_address',
  'wrong_password',
  'no_permission',
  // A server that cannot serve now.
  'no_answer',
  'loading',
  'busy',
  'read_only',
  'out_of_memory',
  'not_writable',
  // A cluster as a whole, and one of its masters.
  'cluster_down',
  'master_away',
  // Data that this version must not touch, that is not there, or that may be dropped at any moment.
  'newer_format',
  'older_format',
  'data_gone',
  'evicts_keys',
  // Any other reason.
  'unknown',
] as const;
export type RedisCause = (typeof REDIS_CAUSES)[number];

/** A trouble: one cause and the end of a sentence about it: the place and the expectation. It contains no credential. */
export interface RedisTrouble {
  readonly cause: RedisCause;
  readonly detail: string;
}

/** The text for readiness and the log: `wrong_password: 10.0.0.7:6379 refuses …`, `loading 43 %, about 12 s left`. */
export function describeTrouble({ cause, detail }: RedisTrouble): string {
  return cause === 'loading' ? `${cause} ${detail}` : `${cause}: ${detail}`;
}

type Row = readonly [pattern: RegExp, cause: RedisCause, means: string];

/** Error replies, to calls and to a new connection, by their first words. */
const REPLIES: readonly Row[] = [
  [/^(?:WRONGPASS|NOAUTH|ERR invalid password)/, 'wrong_password', 'refuses the user name or password, or wants one'],
  [
    /^(?:NOPERM|DENIED|ERR ACL failure|ERR The user executing the script)/,
    'no_permission',
    'does not let the user of REDIS_URL do what the service needs',
  ],
  [/^LOADING/, 'loading', 'its data'],
  [/^BUSY/, 'busy', 'is busy with a script of somebody'],
  [/^(?:READONLY|MASTERDOWN)/, 'read_only', 'is a replica and takes no writes'],
  [/^OOM/, 'out_of_memory', 'has reached its maxmemory and takes no writes'],
  [/^(?:MISCONF|NOREPLICAS)/, 'not_writable', 'takes no writes: its disk is full, or it has too few good replicas'],
  [/^CLUSTERDOWN/, 'cluster_down', 'says that the cluster is down'],
];

/** A code of the operating system, alone or in a message. */
const CODE = /\bE[A-Z]{4,}\b/;
const CLOSED = /ECONNRESET|EPIPE|^Connection is closed/;

const NO_TLS = 'and the service find no common TLS, or a certificate is refused';

/** Errors of ioredis while it connects, by their code or message, where no row above fits. */
const CONNECTING: readonly Row[] = [
  [/CERT|SSL|SIGNATURE|ISSUER/, 'tls_failed', NO_TLS],
  [/^ERR max number of clients/, 'unreachable', 'has as many clients as its maxclients allows'],
  [/^ERR (?:invalid )?DB index|^ERR SELECT/, 'wrong_address', 'has no such database'],
  [/^ERR unknown command/i, 'wrong_address', 'is no Sentinel'],
  [/No such master|invalid reply/, 'wrong_address', 'knows no master of the name in REDIS_URL'],
  [/cluster support disabled/, 'wrong_address', 'is no cluster'],
  [/RESP type/, 'wrong_address', 'is no Redis'],
  [/^(?:timeout|Command timed out)$/, 'no_answer', 'takes the connection and does not answer'],
  [CLOSED, 'unreachable', 'cannot be reached, or closes the connection'],
  [CODE, 'unreachable', 'cannot be reached'],
];

/** The cause that an error reply names: a Redis that is starting, overloaded, failing over or full, or that refuses us. */
export function causeOfReply(reply: string): RedisCause | undefined {
  return REPLIES.find(([pattern]) => pattern.test(reply))?.[1];
}

/** The trouble that an error reply of `where` shows. An unknown reply is reduced to its first word. */
export function troubleOfReply(where: string, reply: string): RedisTrouble {
  const known = causeOfReply(reply);
  if (known) return troubleOfCause(where, known);
  const word = /^[A-Z]{1,20}(?= |$)/.exec(reply)?.[0] ?? 'an error';
  return { cause: 'unknown', detail: `${where} answers ${word}` };
}

/** The trouble of a server whose cause is known from a reply, to us or to a call. */
export function troubleOfCause(where: string, cause: RedisCause): RedisTrouble {
  const means =
    cause === 'master_away'
      ? 'does not answer; only calls whose data lies there are refused'
      : (REPLIES.find(([, known]) => known === cause)?.[2] ?? 'refuses calls');
  return { cause, detail: cause === 'loading' ? means : `${where} ${means}` };
}

/** An error of ioredis; `command` is there if a reply was the error. */
interface ConnectError {
  readonly message: string;
  readonly code?: string;
  readonly command?: { readonly name: string; readonly args: readonly unknown[] };
}

/** The trouble of a connection attempt to `where`, in TLS or without, that ended with this error. */
export function troubleOfConnecting(where: string, isTls: boolean, error: ConnectError): RedisTrouble {
  const { message, code, command } = error;
  if (causeOfReply(message)) return troubleOfReply(where, message);
  const shown = command?.name === 'select' ? `database ${command.args[0]}` : (code ?? CODE.exec(message)?.[0]);
  const of = (cause: RedisCause, means: string) => {
    return { cause, detail: `${where} ${means}${shown === undefined ? '' : ` (${shown})`}` };
  };
  // A server that refuses our certificate, or the lack of one, closes the connection, and its alert may come too late.
  if (isTls && CLOSED.test(code ?? message)) return of('tls_failed', NO_TLS);
  const row = CONNECTING.find(([pattern]) => pattern.test(code ?? message));
  return row ? of(row[1], row[2]) : troubleOfReply(where, message);
}
