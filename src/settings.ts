import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { MAX_BODY_BYTES, MIN_SECRET_BYTES } from './contract/limits.ts';
import { decodeSecret } from './contract/signature.ts';
import { parseRedisAddress, REDIS_URL_FORMS, type RedisAddress } from './store/redis-address.ts';

/** The process' own settings, from its environment variables. The only file that reads `process.env`. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly opsHost: string;
  readonly opsPort: number;
  readonly opsTokens: readonly OpsToken[];
  /** Undefined: the service runs a Redis of its own under `dataDir`. */
  readonly redis: RedisAddress | undefined;
  readonly environmentFile: string;
  readonly secrets: readonly Uint8Array[];
  /** A file of secrets beside or instead of the variable; unlike it, read again on reload. */
  readonly secretsFile: string | undefined;
  readonly bearerTokens: readonly string[];
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Service processes that share the port. */
  readonly processes: number;
  /** True in a process that a supervisor has started. */
  readonly isSupervised: boolean;
  /** Its number among them, from 1. */
  readonly processNumber: number;
  /** The file that this process was started with. */
  readonly entryFile: string;
  /** The variables as they came, for the processes that a supervisor starts. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  readonly workers: number;
  /** Bodies up to this many bytes are priced by the front end itself; 0: every one goes to a worker. */
  readonly inlineBytes: number;
  readonly logLevel: LogLevel;
  readonly logDir: string | undefined;
  readonly dataDir: string;
  /** Where answered baskets are recorded, and the share of them from 0 to 1; undefined: nowhere. */
  readonly recording: { readonly file: string; readonly sample: number } | undefined;
  /** Where programs are looked for: the managed Redis' server. */
  readonly searchPath: string;
}

/** A token of the administration, and who is meant to have it: the name stands in the log beside every change. */
export interface OpsToken {
  readonly name: string;
  readonly token: string;
}

/** Whoever comes with a token that has no name. */
export const OPERATOR = 'operator';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MIN_BEARER_CHARACTERS = 32;
const MIN_OPS_TOKEN_CHARACTERS = 16;
const MAX_WORKERS = 256;
const MAX_PROCESSES = 64;
const EVERY_HOST = /^(?:0\.0\.0\.0|\[?::\]?)$/;

/** About 40 lines: above it, pricing holds the event loop for longer than a hand-over costs (docs/performance.md). */
const DEFAULT_INLINE_BYTES = 16 * 1024;

/** One basket in a hundred says what a programme costs, and fills no disk. */
const DEFAULT_RECORD_SAMPLE = 0.01;

/** A setting that cannot be used. The message is one line that names the variable, what was found and what is allowed. */
export class SettingsError extends Error {
  constructor(variable: string, found: string, allowed: string) {
    super(`${variable}: found ${found}, allowed: ${allowed}`);
    this.name = 'SettingsError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and checks every variable. Throws `SettingsError` on the first one that cannot be used. */
export function readSettings(env: Environment = process.env): Settings {
  const settings = readEach(env);
  checkPorts(settings);
  checkTokens(settings);
  return settings;
}

function readEach(env: Environment): Settings {
  return {
    host: env['HOST'] || '127.0.0.1',
    port: readPort(env, 'PORT', 8080),
    opsHost: env['OPS_HOST'] || '127.0.0.1',
    opsPort: readPort(env, 'OPS_PORT', 9090),
    opsTokens: readOpsTokens(env['OPS_TOKEN']),
    redis: readRedis(env),
    environmentFile: readFile(env, 'LOYALTY_CONFIG', 'config/staging.yaml'),
    secrets: readSecrets(env['LOYALTY_SECRETS']),
    secretsFile: env['LOYALTY_SECRETS_FILE'] ? readFile(env, 'LOYALTY_SECRETS_FILE', '') : undefined,
    bearerTokens: readBearerTokens(env['LOYALTY_BEARER_TOKENS']),
    tls: readTls(env),
    processes: readCount(env, 'PROCESSES', 1, MAX_PROCESSES) ?? Math.max(1, Math.floor(availableParallelism() / 2)),
    isSupervised: env['LOYALTY_SUPERVISED'] !== undefined,
    processNumber: Number(env['LOYALTY_SUPERVISED'] ?? 1),
    entryFile: process.argv[1] ?? '',
    inherited: env,
    workers: readCount(env, 'WORKERS', 1, MAX_WORKERS) ?? Math.max(1, availableParallelism() - 1),
    inlineBytes: readCount(env, 'INLINE_BYTES', 0, MAX_BODY_BYTES) ?? DEFAULT_INLINE_BYTES,
    logLevel: readLogLevel(env['LOG_LEVEL']),
    logDir: env['LOG_DIR'] ? readFolder(env, 'LOG_DIR', '') : undefined,
    dataDir: readFolder(env, 'DATA_DIR', '.data'),
    recording: readRecording(env),
    searchPath: env['PATH'] || '/usr/bin:/bin',
  };
}

function readPort(env: Environment, variable: string, fallback: number): number {
  const text = env[variable];
  if (!text) return fallback;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535)
    throw new SettingsError(variable, quote(text), 'a port from 0 to 65535 (0 = any free one)');
  return port;
}

/** Named together with what it contradicts: the operating system would only say that the address is in use. */
function checkPorts({ host, port, opsHost, opsPort }: Settings): void {
  if (port !== opsPort || port === 0) return;
  const [name, opsName] = [host, opsHost].map((text) => text.toLowerCase().replace(/^localhost$/, '127.0.0.1'));
  if (name !== opsName && !EVERY_HOST.test(host) && !EVERY_HOST.test(opsHost)) return;
  throw new SettingsError('OPS_PORT', quote(String(opsPort)), `another port than PORT (${port}) on the same host`);
}

/** No token may open two doors: neither a caller's the administration, nor one person's the name of another in the log. */
function checkTokens({ opsTokens, bearerTokens }: Settings): void {
  for (const [index, { name, token }] of opsTokens.entries()) {
    if (bearerTokens.includes(token)) {
      throw new SettingsError('OPS_TOKEN', `token ${index + 1} in LOYALTY_BEARER_TOKENS too`, 'a token of its own');
    }
    const other = opsTokens.findIndex((earlier) => earlier.token === token);
    if (opsTokens[other]?.name !== name) {
      const found = `token ${index + 1} equal to token ${other + 1}, which has another name`;
      throw new SettingsError('OPS_TOKEN', found, 'a token of its own for each name');
    }
  }
}

function readRedis(env: Environment): RedisAddress | undefined {
  const text = env['REDIS_URL'];
  if (!text) return undefined;
  const address = parseRedisAddress(text);
  // The value is not quoted: it may hold a password.
  if (!address) throw new SettingsError('REDIS_URL', 'something else', REDIS_URL_FORMS);
  return address;
}

function readFile(env: Environment, variable: string, fallback: string): string {
  const path = env[variable] || fallback;
  if (!existsSync(path)) throw new SettingsError(variable, quote(path), 'a file that exists');
  return path;
}

function readRecording(env: Environment): Settings['recording'] {
  const file = env['RECORD_FILE'];
  const text = env['RECORD_SAMPLE'] || String(DEFAULT_RECORD_SAMPLE);
  const sample = /^(?:\d+|\d*\.\d+)$/.test(text) ? Number(text) : -1;
  if (sample < 0 || sample > 1) throw new SettingsError('RECORD_SAMPLE', quote(text), 'a share from 0 to 1');
  if (!file) return undefined;
  readFolder({ RECORD_FILE: dirname(file) }, 'RECORD_FILE', '');
  return { file, sample };
}

/** The folder is made when it is missing: what cannot be written to is found now, not with the first write. */
function readFolder(env: Environment, variable: string, fallback: string): string {
  const path = env[variable] || fallback;
  try {
    makeFolder(resolve(path));
    // The dot makes a file of that name a fault.
    accessSync(`${path}/.`, constants.W_OK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'an error';
    throw new SettingsError(variable, `${quote(path)} (${reason})`, 'a folder that this process may write to');
  }
  return path;
}

/** One by one: made recursively, a folder below /proc keeps Node (22.23) busy for ever. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function readTls(env: Environment): Settings['tls'] {
  const [certFile, keyFile] = [env['TLS_CERT_FILE'], env['TLS_KEY_FILE']];
  if (!certFile && !keyFile) return undefined;
  if (!certFile) throw new SettingsError('TLS_CERT_FILE', 'nothing beside TLS_KEY_FILE', 'both or neither');
  if (!keyFile) throw new SettingsError('TLS_KEY_FILE', 'nothing beside TLS_CERT_FILE', 'both or neither');
  const tls = { certFile: readFile(env, 'TLS_CERT_FILE', ''), keyFile: readFile(env, 'TLS_KEY_FILE', '') };
  checkPem('TLS_CERT_FILE', tls.certFile, 'a certificate in PEM form', (pem) => new X509Certificate(pem));
  checkPem('TLS_KEY_FILE', tls.keyFile, 'a private key in PEM form', (pem) => createPrivateKey(pem));
  if (!new X509Certificate(readFileSync(tls.certFile)).checkPrivateKey(createPrivateKey(readFileSync(tls.keyFile)))) {
    throw new SettingsError('TLS_KEY_FILE', quote(tls.keyFile), 'the private key of the certificate in TLS_CERT_FILE');
  }
  return tls;
}

/** The library that serves TLS does not say which of its files it could not use. */
function checkPem(variable: string, path: string, allowed: string, parse: (pem: Buffer) => unknown): void {
  try {
    parse(readFileSync(path));
  } catch {
    throw new SettingsError(variable, `${quote(path)}, which is none`, allowed);
  }
}

/** A whole number between two bounds; undefined when the variable is unset. */
function readCount(env: Environment, variable: string, minimum: number, maximum: number): number | undefined {
  const text = env[variable];
  if (!text) return undefined;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (count < minimum || count > maximum) {
    throw new SettingsError(variable, quote(text), `a whole number from ${minimum} to ${maximum}`);
  }
  return count;
}

function readLogLevel(text: string | undefined): LogLevel {
  const level = LOG_LEVELS.find((known) => known === (text || 'info'));
  if (!level) throw new SettingsError('LOG_LEVEL', quote(text ?? ''), LOG_LEVELS.join(', '));
  return level;
}

/**
 * Decodes a comma-separated list of secrets, each hex or base64 (specification, section 5). Never quotes a secret.
 * Returns an empty list when the variable is unset.
 */
export function readSecrets(text: string | undefined, variable = 'LOYALTY_SECRETS'): Uint8Array[] {
  if (!text) return [];
  return text.split(',').map((item, index) => {
    const secret = decodeSecret(item.trim());
    const where = `secret ${index + 1}`;
    if (!secret) throw new SettingsError(variable, `${where} that is neither`, 'hex or base64, separated by commas');
    if (secret.length < MIN_SECRET_BYTES) {
      throw new SettingsError(
        variable,
        `${where} of ${secret.length} bytes`,
        `at least ${MIN_SECRET_BYTES} bytes each`,
      );
    }
    return secret;
  });
}

function readBearerTokens(text: string | undefined): string[] {
  if (!text) return [];
  return text.split(',').map((item, index) => {
    const token = item.trim();
    if (token.length < MIN_BEARER_CHARACTERS || !/^[\x21-\x7e]+$/.test(token)) {
      const found = `token ${index + 1} of ${token.length} characters`;
      throw new SettingsError(
        'LOYALTY_BEARER_TOKENS',
        found,
        `at least ${MIN_BEARER_CHARACTERS} visible ASCII characters each`,
      );
    }
    return token;
  });
}

/**
 * Reads `name:token,name:token`; a token without a name is the operator's. Several tokens may share a name, for a change
 * of tokens without a gap. Never quotes a token.
 */
export function readOpsTokens(text: string | undefined, variable = 'OPS_TOKEN'): OpsToken[] {
  if (!text) return [];
  return text.split(',').map((item, index) => {
    const [, name = OPERATOR, token = ''] = /^(?:([A-Za-z0-9._-]{1,64}):)?(.*)$/.exec(item.trim()) ?? [];
    if (token.length < MIN_OPS_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(token)) {
      const found = `token ${index + 1} of ${token.length} characters`;
      const allowed = `name:token, separated by commas, with at least ${MIN_OPS_TOKEN_CHARACTERS} visible ASCII characters in each token`;
      throw new SettingsError(variable, found, allowed);
    }
    return { name, token };
  });
}

function quote(text: string): string {
  return JSON.stringify(text);
}
