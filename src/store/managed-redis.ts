import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import type { RedisAddress } from './redis-address.ts';

/**
 * The embedded default: a real Redis server as a child on a unix socket, with an append-only file under `DATA_DIR`. It is
 * stopped with the service. One that a killed service left behind is taken over; one that died is started again. No
 * process is ever signalled unless its own title names our socket.
 */
export interface ManagedRedis {
  readonly address: RedisAddress;
  readonly pidFile: string;
  /** Stops the server after it has written everything, if this process still has it. */
  stop(): Promise<void>;
}

/** A unix socket's path fits into 107 bytes; a longer one goes to the temporary folder under a name of its own. */
const MAX_SOCKET_PATH = 100;
const START_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 5000;
const POLL_MS = 20;
const WATCH_MS = 100;
const BINARIES = ['redis-server', 'valkey-server'];

/** Starts or takes over the server of `dataDir`. Throws with one line that says what is missing or failed. */
export async function startManagedRedis(
  dataDir: string,
  searchPath: string,
  onRestart: (reason: string) => void,
): Promise<ManagedRedis> {
  const place = choosePlace(dataDir);
  mkdirSync(place.dir, { recursive: true, mode: 0o700 });
  const binary = findBinary(searchPath);
  let child = await startOrAdopt(place, binary);
  let isStopping = false;
  let isChecking = false;

  // A child's end is seen by its exit; a server taken over from an earlier process, by its silence.
  const watch = setInterval(async () => {
    if (isStopping || isChecking) return;
    isChecking = true;
    try {
      if (child ? child.exitCode === null && child.signalCode === null : isAlive(place)) return;
      onRestart('the managed Redis has ended and is started again');
      child = await startOrAdopt(place, binary);
    } catch (error) {
      onRestart((error as Error).message);
    } finally {
      isChecking = false;
    }
  }, WATCH_MS);

  return {
    address: { kind: 'socket', path: place.socket },
    pidFile: place.pidFile,
    stop: async () => {
      isStopping = true;
      clearInterval(watch);
      await stopServer(place);
    },
  };
}

/** Where the server of a `dataDir` is, whoever runs it. */
export function managedAddress(dataDir: string): RedisAddress {
  return { kind: 'socket', path: choosePlace(dataDir).socket };
}

interface Place {
  readonly dir: string;
  readonly socket: string;
  readonly pidFile: string;
  readonly logFile: string;
}

function choosePlace(dataDir: string): Place {
  const dir = resolve(dataDir, 'redis');
  const inside = join(dir, 'redis.sock');
  const name = `loyalty-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}.sock`;
  const socket = Buffer.byteLength(inside) <= MAX_SOCKET_PATH ? inside : join(tmpdir(), name);
  return { dir, socket, pidFile: join(dir, 'redis.pid'), logFile: join(dir, 'redis.log') };
}

function findBinary(searchPath: string): string {
  for (const folder of searchPath.split(':')) {
    for (const binary of BINARIES) {
      if (existsSync(join(folder, binary))) return join(folder, binary);
    }
  }
  throw new Error(`no ${BINARIES.join(' or ')} on PATH: install redis-server, or set REDIS_URL`);
}

/** Resolves with the child, or with undefined when a server of ours was there already. */
async function startOrAdopt(place: Place, binary: string): Promise<ChildProcess | undefined> {
  if (isAlive(place)) {
    if (await answers(place, START_TIMEOUT_MS)) return undefined;
    // Ours by its title, but it does not answer: stuck for good.
    process.kill(readPid(place) as number, 'SIGKILL');
    while (isAlive(place)) await sleep(POLL_MS);
  }
  rmSync(place.socket, { force: true });
  rmSync(place.pidFile, { force: true });
  const log = openSync(place.logFile, 'a', 0o600);
  const child = spawn(binary, serverArguments(place), { cwd: place.dir, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  // Detached: Ctrl-C goes to the service, which stops Redis last. Unreferenced: it does not keep a failed start alive.
  child.unref();
  child.on('error', () => {
    // Seen below as a server that does not answer.
  });
  if (await answers(place, START_TIMEOUT_MS, child)) return child;
  throw new Error(`the managed Redis did not start; see ${place.logFile}`);
}

/** `appendfsync always` (measured: see docs/performance.md) makes every answered write survive, at a group commit's cost. */
function serverArguments(place: Place): string[] {
  return Object.entries({
    port: '0',
    unixsocket: place.socket,
    unixsocketperm: '700',
    pidfile: place.pidFile,
    dir: place.dir,
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
    'set-proc-title': 'yes',
    'proc-title-template': '{title} {unixsocket}',
  }).flatMap(([name, value]) => [`--${name}`, value]);
}

/** True when the pid file names a living process whose title names our socket: a recycled pid is somebody else's. */
function isAlive(place: Place): boolean {
  const pid = readPid(place);
  return pid !== undefined && ` ${readTitle(pid)} `.includes(` ${place.socket} `);
}

function readPid(place: Place): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(place.pidFile, 'utf8'), 10);
    return pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function readTitle(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    // Not Linux, or gone.
  }
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

/** Waits until the server answers and has loaded its file. */
async function answers(place: Place, patienceMs: number, child?: ChildProcess): Promise<boolean> {
  const client = new Redis({
    path: place.socket,
    retryStrategy: () => POLL_MS,
    lazyConnect: true,
    maxRetriesPerRequest: null,
  });
  client.on('error', () => {
    // The socket is not there yet.
  });
  const endMs = performance.now() + patienceMs;
  try {
    client.connect().catch(() => undefined);
    while (performance.now() < endMs && child?.exitCode == null && child?.signalCode == null) {
      if (client.status === 'ready') return true;
      await sleep(POLL_MS);
    }
    return false;
  } finally {
    client.disconnect();
  }
}

async function stopServer(place: Place): Promise<void> {
  const pid = readPid(place);
  if (pid === undefined || !isAlive(place)) return;
  process.kill(pid, 'SIGTERM');
  const endMs = performance.now() + STOP_TIMEOUT_MS;
  while (isAlive(place) && performance.now() < endMs) await sleep(POLL_MS);
  if (isAlive(place)) process.kill(pid, 'SIGKILL');
  rmSync(place.socket, { force: true });
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((done) => setTimeout(done, durationMs));
}
