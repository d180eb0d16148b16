import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readSettingsOfService } from '../../../../src/settings.ts';
import { assertInputFile } from './input-file.ts';

/**
 * The service for the demo: a running one whose secret is known, or one of the demo's own. Its own service has a folder,
 * a secret and a Redis of its own and takes nothing from the shell's variables but the search path, so that the demo
 * reaches neither the data nor the Redis of any other service.
 */

const START_TIMEOUT_MS = 15_000;
/** A service ends within 10 s; a killed one would leave its Redis behind. */
const STOP_TIMEOUT_MS = 15_000;
const LOOK_TIMEOUT_MS = 3_000;
const LOCAL = new Set(['127.0.0.1', 'localhost', '[::1]']);

export interface DemoService {
  readonly baseUrl: string;
  readonly secret: string;
  /** The variables with which the demo started it; undefined for a service that was running. */
  readonly env: Readonly<Record<string, string>> | undefined;
  stop(): Promise<void>;
}

export interface ServiceSought {
  /** Undefined when none was named: the usual address is tried, and a service of the demo's own takes any free port. */
  readonly baseUrl?: string;
  readonly secretFile?: string;
  readonly config: string;
}

/** Finds the service, or starts one in `folder`, which ends with the demo. Throws when the named service cannot be used, or when its own fails to start. */
export async function openService(sought: ServiceSought, folder: string): Promise<DemoService> {
  const settings = readSettingsOfService();
  const baseUrl = sought.baseUrl ?? `http://127.0.0.1:${settings.port}`;
  const secretFile = sought.secretFile ?? join(settings.dataDir, 'secret');
  const { isService, why } = await lookAt(baseUrl, secretFile);
  if (isService && why === undefined) {
    assertInputFile(secretFile);
    return { baseUrl, secret: readSecret(secretFile), env: undefined, stop: async () => {} };
  }
  if (sought.baseUrl !== undefined && why !== undefined) throw new Error(why);
  const place = why === undefined ? `Nothing answers at ${baseUrl}` : `${why} It is not used`;
  process.stdout.write(`${place}: starting a service for this demo.\n`);
  return startService(sought, folder, settings.searchPath);
}

/**
 * Asks for a path that the service does not have; its refusal shows that it is one. Nothing signed is sent. `why`: the demo
 * cannot use the service there, nor start one.
 */
async function lookAt(baseUrl: string, secretFile: string): Promise<{ isService: boolean; why?: string }> {
  try {
    const answer = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(LOOK_TIMEOUT_MS) });
    const text = await answer.text();
    const isService =
      answer.headers.get('server-timing')?.startsWith('app;dur=') === true && text.includes('"error":{"code":');
    if (!isService) return { isService, why: `Another program than the loyalty service answers at ${baseUrl}.` };
    if (existsSync(secretFile)) return { isService };
    const why = `A service answers at ${baseUrl}, but ${secretFile} does not exist: name the file with its secret by --secret-file.`;
    return { isService, why };
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (code !== 'ECONNREFUSED') return { isService: false, why: `${baseUrl} gives an answer that cannot be read.` };
    const { hostname, protocol } = new URL(baseUrl);
    if (protocol === 'http:' && LOCAL.has(hostname)) return { isService: false };
    const why = `Nothing answers at ${baseUrl}, and the demo starts services on this machine only.`;
    return { isService: false, why };
  }
}

function readSecret(file: string): string {
  return readFileSync(file, 'utf8').trim();
}

async function startService(
  { baseUrl, config }: ServiceSought,
  folder: string,
  searchPath: string,
): Promise<DemoService> {
  const url = baseUrl === undefined ? undefined : new URL(baseUrl);
  const env = {
    PATH: searchPath,
    HOST: url?.hostname.replace(/^\[|\]$/g, '') ?? '127.0.0.1',
    PORT: url ? url.port || '80' : '0',
    OPS_PORT: '0',
    DATA_DIR: join(folder, 'service'),
    LOYALTY_CONFIG: config,
  };
  // The service gets its own process group: Ctrl-C then only closes the shop, which still needs the service.
  const child = spawn(process.execPath, ['src/main.ts'], { stdio: ['ignore', 'pipe', 'pipe'], env, detached: true });
  process.once('exit', () => void child.kill('SIGTERM'));
  const listening = await untilListening(child);
  const started = { baseUrl: baseUrl ?? listening, secret: readSecret(join(env.DATA_DIR, 'secret')), env };
  return { ...started, stop: () => stop(child) };
}

/** Resolves with the address in the service's log, which is read on so that the service never waits for its reader. */
function untilListening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const errors: string[] = [];
    const fail = () => {
      child.kill('SIGTERM');
      reject(new Error(['the service did not start', ...errors].join('\n')));
    };
    const timer = setTimeout(fail, START_TIMEOUT_MS);
    createInterface({ input: child.stderr! }).on('line', (line) => errors.push(line));
    child.once('close', fail);
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const baseUrl = /"baseUrl":"([^"]+)".*"msg":"listening"/.exec(line)?.[1];
      if (baseUrl === undefined) return;
      clearTimeout(timer);
      child.off('close', fail);
      resolve(baseUrl);
    });
  });
}

/** Ends the service, with its Redis; one that does not end in time is killed. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}
