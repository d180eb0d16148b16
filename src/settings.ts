import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { MAX_BODY_BYTES } from '@loyalty/contract/limits';
import { describeUnreadable } from '@loyalty/contract/unreadable';
import type { RedisAddress } from './redis/address.ts';
import { type LogLevel, readLogLevel } from './settings/log-level.ts';
import { readRedis } from './settings/redis.ts';
import { readSecrets } from './settings/secrets.ts';
import { quote, SettingsError, type Variables } from './settings/settings-error.ts';
import { readSystemd, type Systemd } from './settings/systemd.ts';
import { checkTlsFiles, type TlsFiles } from './settings/tls.ts';
import { checkTokens, type OpsToken, readBearerTokens, readOpsTokens } from './settings/tokens.ts';

/** The process' settings, from its environment variables. The only file that reads `process.env`. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly opsHost: string;
  readonly opsPort: number;
  /** Host names that the operations listener accepts, beside its own, localhost and every IP address. */
  readonly opsAllowedHosts: readonly string[];
  readonly opsTokens: readonly OpsToken[];
  /** Undefined when the service runs a Redis of its own under `dataDir`. */
  readonly redis: RedisAddress | undefined;
  /** In a gateway: the inherited descriptor of the lease on the service's own Redis; undefined where it has none. */
  readonly redisLease: number | undefined;
  /** A file, or a folder whose files are one environment. */
  readonly environmentFile: string;
  readonly secrets: readonly Uint8Array[];
  /** A file of secrets, beside or instead of `LOYALTY_SECRETS`; a reload reads it again. */
  readonly secretsFile: string | undefined;
  readonly bearerTokens: readonly string[];
  readonly tls: TlsFiles | undefined;
  /** Gateways that share the port. */
  readonly processes: number;
  /** The number of this gateway among them, from 1; 0 in the primary. */
  readonly processNumber: number;
  /** Pricing threads of each gateway. */
  readonly workers: number;
  /** The cores that this process may use. */
  readonly cores: number;
  /** Bodies up to this many bytes are priced in the gateway's own thread; with 0 every body goes to a worker. */
  readonly inlineBytes: number;
  readonly logLevel: LogLevel;
  readonly logDir: string | undefined;
  readonly dataDir: string;
  /** The file for recorded baskets and the share of them from 0 to 1; undefined when recording is off. */
  readonly recording: { readonly file: string; readonly sample: number } | undefined;
  /** The collector of traces; undefined when none are sent. */
  readonly traceEndpoint: string | undefined;
  /** What systemd asks of the process that it started; undefined without systemd. */
  readonly systemd: Systemd | undefined;
  /** The commit that an image was built from; undefined where the files themselves name it. */
  readonly commit: string | undefined;
  /** Where callers read docs/errors.md; undefined when the Error body names no page. */
  readonly docsUrl: string | undefined;
  /** Whether the public listener shows `/docs` and `/openapi.json` too. */
  readonly isDocsPublic: boolean;
  /** Whether members were imported: Redis without data is then an emptied one. */
  readonly hasImports: boolean;
  /** The search path for programs: the managed Redis' server. */
  readonly searchPath: string;
}

/** Where the set-up puts a Redis server for a user who may not install one. */
const OWN_PROGRAMS = resolve(import.meta.dirname, '..', '.toolchain', 'bin');

const MAX_PORT = 65_535;
const PORT_FORM = `a port from 0 to ${MAX_PORT} (0: any free port)`;
const MAX_WORKERS = 256;
const MAX_PROCESSES = 64;
const EVERY_HOST = /^(?:0\.0\.0\.0|\[?::\]?)$/;

/** About 40 lines. Above it, pricing blocks the event loop for longer than a transfer costs. */
const DEFAULT_INLINE_BYTES = 16 * 1024;

/** One basket in a hundred shows the cost of a programme and fills no disk. */
const DEFAULT_RECORD_SAMPLE = 0.01;

/** An Error body stays small. */
const MAX_DOCS_URL_CHARACTERS = 500;

/** Reads and checks every variable, and makes missing folders. Throws `SettingsError` on the first variable that cannot be used. */
export function readSettings(env: Variables = process.env, cores = availableParallelism()): Settings {
  return readAll(env, cores, readFolder);
}

/** The same for a command, which writes nothing into the service's folders: it makes none, and may run as another user. */
export function readSettingsOfService(env: Variables = process.env): Settings {
  return readAll(env, availableParallelism(), (own, variable, fallback) => own[variable] || fallback);
}

function readAll(env: Variables, cores: number, folderOf: typeof readFolder): Settings {
  const settings = readEach(env, cores, folderOf);
  checkPorts(settings);
  checkTokens(settings.opsTokens, settings.bearerTokens);
  return settings;
}

function readEach(env: Variables, cores: number, folderOf: typeof readFolder): Settings {
  const processes = readCount(env, 'PROCESSES', 1, MAX_PROCESSES) ?? Math.max(1, Math.floor(cores / 2));
  return {
    host: env['HOST'] || '127.0.0.1',
    port: readCount(env, 'PORT', 0, MAX_PORT, PORT_FORM) ?? 8080,
    opsHost: env['OPS_HOST'] || '127.0.0.1',
    opsPort: readCount(env, 'OPS_PORT', 0, MAX_PORT, PORT_FORM) ?? 9090,
    opsAllowedHosts: readHostNames(env, 'OPS_ALLOWED_HOSTS'),
    opsTokens: readOpsTokens(env['OPS_TOKEN']),
    redis: readRedis(env),
    redisLease: readCount(env, 'LOYALTY_LEASE', 0, MAX_PORT),
    environmentFile: readFile(env, 'LOYALTY_CONFIG', 'config/staging.yaml'),
    secrets: readSecrets(env['LOYALTY_SECRETS']),
    secretsFile: env['LOYALTY_SECRETS_FILE'] ? readFile(env, 'LOYALTY_SECRETS_FILE', '') : undefined,
    bearerTokens: readBearerTokens(env['LOYALTY_BEARER_TOKENS']),
    tls: readTls(env),
    processes,
    processNumber: Number(env['LOYALTY_GATEWAY'] ?? 0),
    workers: readCount(env, 'WORKERS', 1, MAX_WORKERS) ?? shareThreads(cores, processes),
    cores,
    inlineBytes: readCount(env, 'INLINE_BYTES', 0, MAX_BODY_BYTES) ?? DEFAULT_INLINE_BYTES,
    logLevel: readLogLevel(env['LOG_LEVEL']),
    logDir: env['LOG_DIR'] ? folderOf(env, 'LOG_DIR', '') : undefined,
    dataDir: folderOf(env, 'DATA_DIR', '.data'),
    recording: readRecording(env, folderOf),
    traceEndpoint: readTraceEndpoint(env),
    searchPath: `${env['PATH'] || '/usr/bin:/bin'}:${OWN_PROGRAMS}`,
    docsUrl: readDocsUrl(env),
    isDocsPublic: readSwitch(env, 'DOCS_PUBLIC'),
    hasImports: readSwitch(env, 'MEMBERS_IMPORTED'),
    commit: readCommit(env['LOYALTY_COMMIT']),
    systemd: readSystemd(env),
  };
}

/**
 * The pricing threads of each process. The processes share the machine's cores and leave one for Redis, the kernel and
 * the event loops. Each thread costs tens of megabytes, so their number must not grow with the square of the cores.
 */
function shareThreads(cores: number, processes: number): number {
  return Math.max(1, Math.floor((cores - 1) / processes));
}

/** Refuses equal ports with both names; the operating system would only report that the address is in use. */
function checkPorts({ host, port, opsHost, opsPort }: Settings): void {
  if (port !== opsPort || port === 0) return;
  const [name, opsName] = [host, opsHost].map((text) => text.toLowerCase().replace(/^localhost$/, '127.0.0.1'));
  if (name !== opsName && !EVERY_HOST.test(host) && !EVERY_HOST.test(opsHost)) return;
  throw new SettingsError('OPS_PORT', `${opsPort} is also PORT on the same host; use two ports`);
}

const TLS_FILES = ['TLS_CERT_FILE', 'TLS_KEY_FILE'] as const;

function readTls(env: Variables): TlsFiles | undefined {
  const [set, unset] = [true, false].map((isSet) => TLS_FILES.find((name) => isSet === Boolean(env[name])));
  if (!set) return undefined;
  if (unset) throw new SettingsError(unset, `it is not set although ${set} is; set both or neither`);
  const tls = { certFile: readFile(env, 'TLS_CERT_FILE', ''), keyFile: readFile(env, 'TLS_KEY_FILE', '') };
  checkTlsFiles(tls);
  return tls;
}

function readHostNames(env: Variables, variable: string): string[] {
  const text = env[variable];
  if (!text) return [];
  return text.split(',').map((item) => {
    const name = item.trim();
    if (/^[\w-]+(?:\.[\w-]+)*$/.test(name)) return name;
    throw new SettingsError(variable, quote(name), 'host names without a port, separated by commas');
  });
}

function readFile(env: Variables, variable: string, fallback: string): string {
  const path = env[variable] || fallback;
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw new SettingsError(variable, describeUnreadable(path, error));
  }
  return path;
}

function readRecording(env: Variables, folderOf: typeof readFolder): Settings['recording'] {
  const file = env['RECORD_FILE'];
  const text = env['RECORD_SAMPLE'] || String(DEFAULT_RECORD_SAMPLE);
  const sample = /^(?:\d+|\d*\.\d+)$/.test(text) ? Number(text) : -1;
  if (sample < 0 || sample > 1) throw new SettingsError('RECORD_SAMPLE', quote(text), 'a share from 0 to 1');
  if (!file) return undefined;
  folderOf({ RECORD_FILE: dirname(file) }, 'RECORD_FILE', '');
  return { file, sample };
}

function readTraceEndpoint(env: Variables): string | undefined {
  const text = env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (!text) return undefined;
  const isUrl = /^https?:$/.test(URL.parse(text)?.protocol ?? '');
  // The value is not quoted, because it may contain a password.
  if (!isUrl)
    throw new SettingsError('OTEL_EXPORTER_OTLP_ENDPOINT', 'the address must be http://host:4318 or https://…');
  return text.replace(/\/+$/, '');
}

/** Off unless it is 1. */
function readSwitch(env: Variables, name: string): boolean {
  const text = env[name];
  if (!text || text === '0') return false;
  if (text === '1') return true;
  throw new SettingsError(name, quote(text), '1, or unset');
}

/** The address of a page; its anchors are those of docs/errors.md, so it has none of its own. */
function readDocsUrl(env: Variables): string | undefined {
  const text = env['DOCS_URL'];
  if (!text) return undefined;
  const url = URL.parse(text);
  const isPage = /^https?:$/.test(url?.protocol ?? '') && url?.hash === '' && !text.endsWith('#') && !url.username;
  if (isPage && text.length <= MAX_DOCS_URL_CHARACTERS) return text;
  const allowed = `http://… or https://… of the page errors.md, without # and at most ${MAX_DOCS_URL_CHARACTERS} characters`;
  throw new SettingsError('DOCS_URL', quote(text.slice(0, MAX_DOCS_URL_CHARACTERS)), allowed);
}

/** It becomes a label of a metric. */
function readCommit(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (/^[\w.+-]{1,80}$/.test(text)) return text;
  throw new SettingsError(
    'LOYALTY_COMMIT',
    quote(text.slice(0, 80)),
    'a commit of letters, digits and . + - _, at most 80',
  );
}

/** Makes the folder if it is missing, so that an unwritable one is found now and not with the first write. */
function readFolder(env: Variables, variable: string, fallback: string): string {
  const path = env[variable] || fallback;
  try {
    makeFolder(resolve(path));
    // The dot makes a file of that name an error.
    accessSync(`${path}/.`, constants.W_OK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'an error';
    throw new SettingsError(variable, `this process cannot write to the folder ${quote(path)} (${reason})`);
  }
  return path;
}

/** Makes folders one by one: for a path below /proc, Node's recursive option loops endlessly (22.23). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** A whole number between two bounds; undefined when the variable is unset. */
function readCount(
  env: Variables,
  variable: string,
  minimum: number,
  maximum: number,
  allowed = `a whole number from ${minimum} to ${maximum}`,
): number | undefined {
  const text = env[variable];
  if (!text) return undefined;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (count < minimum || count > maximum) throw new SettingsError(variable, quote(text), allowed);
  return count;
}
