import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type InheritedLock, takeServerLock } from './process-lease.ts';

/** One redis-server of a folder: its place, its presence, its start and its end. Callers hold the folder's lock. */
export interface Place {
  readonly dir: string;
  readonly socket: string;
  readonly pidFile: string;
  readonly logFile: string;
}

/**
 * The longest socket path under `DATA_DIR`; a longer one goes to the temporary folder. Systems allow 107 bytes, some
 * only 103.
 */
const MAX_SOCKET_PATH = 100;
/** How long a server may take to open its socket, which it does before it loads its file; after this it is stuck. */
const ACCEPT_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 5000;
const POLL_MS = 20;
const LOG_END_BYTES = 4096;
const MAX_WORDS_CHARACTERS = 300;
const BINARIES = ['redis-server', 'valkey-server'];

export function choosePlace(dataDir: string): Place {
  const dir = resolve(dataDir, 'redis');
  const socket = join(dir, 'redis.sock');
  const name = `loyalty-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`;
  return {
    dir,
    socket: Buffer.byteLength(socket) <= MAX_SOCKET_PATH ? socket : join(tmpdir(), `${name}.sock`),
    pidFile: join(dir, 'redis.pid'),
    logFile: join(dir, 'redis.log'),
  };
}

export function findBinary(searchPath: string): string {
  for (const folder of searchPath.split(':')) {
    for (const binary of BINARIES) {
      if (existsSync(join(folder, binary))) return join(folder, binary);
    }
  }
  throw new Error(`no ${BINARIES.join(' or ')} on PATH: install redis-server, or set REDIS_URL`);
}

/**
 * Starts the server, and resolves with its process as soon as it accepts connections; resolves with undefined when a
 * server of ours was running already. The server may still be loading its file: a large one takes minutes.
 */
export async function startOrAdopt(place: Place, binary: string): Promise<ChildProcess | undefined> {
  const lock = await takeServerLockOf(place);
  if (lock === 'served') return undefined;
  rmSync(place.socket, { force: true });
  rmSync(place.pidFile, { force: true });
  const log = openSync(place.logFile, 'a', 0o600);
  const stdio: StdioOptions = ['ignore', log, log, lock.descriptor];
  const child = spawn(binary, serverArguments(place), { cwd: place.dir, stdio, detached: true });
  closeSync(log);
  lock.release();
  // Detached: Ctrl-C reaches the service alone, which stops Redis last. Unreferenced: after a failed start the service
  // can exit.
  child.unref();
  // The server writes the pid file later than this. Whoever looks for a server in between finds its process here.
  if (child.pid !== undefined) writeFileSync(place.pidFile, `${child.pid}\n`);
  let hasFailed = false;
  child.on('error', () => {
    hasFailed = true;
  });
  const isUp = async () => (await accepts(place)) && isAlive(place);
  if (await waitFor(isUp, ACCEPT_TIMEOUT_MS, () => !hasFailed && isRunning(child))) return child;
  child.kill('SIGKILL');
  throw new Error(`the managed Redis did not start${readLastWords(place)}; see ${place.logFile}`);
}

/**
 * Waits until a server of the folder accepts connections ('served'), or none is left. A process of it may not have written its pid
 * yet, if who started it was killed meanwhile: it has the server's lock. One that is stuck is killed. Throws where a process has
 * the lock and neither answers nor says its pid.
 */
async function takeServerLockOf(place: Place): Promise<InheritedLock | 'served'> {
  let lock: InheritedLock | undefined;
  const isGone = async () => {
    lock ??= await takeServerLock(place.dir);
    return lock !== undefined && !isAlive(place);
  };
  // A process that refuses connections is starting, ending or stuck.
  let isServed = await accepts(place);
  await waitFor(async () => {
    isServed ||= await accepts(place);
    return isServed || (await isGone());
  }, ACCEPT_TIMEOUT_MS);
  if (isServed) {
    lock?.release();
    return 'served';
  }
  if (isAlive(place)) process.kill(readPid(place) as number, 'SIGKILL');
  while (isAlive(place)) await sleep(POLL_MS);
  await waitFor(isGone, STOP_TIMEOUT_MS);
  if (!lock) throw new Error(`a Redis in ${place.dir} neither answers nor says its pid: end it`);
  return lock;
}

/** The last line of the server's log, as the end of a sentence, where it is an error or a warning; otherwise empty. */
export function readLastWords({ logFile }: Place): string {
  const end = Buffer.alloc(LOG_END_BYTES);
  try {
    const file = openSync(logFile, 'r');
    const { size } = fstatSync(file);
    const length = readSync(file, end, 0, LOG_END_BYTES, Math.max(0, size - LOG_END_BYTES));
    closeSync(file);
    const [, words] = / # (.*)$/.exec(end.toString('utf8', 0, length).trimEnd().split('\n').at(-1) ?? '') ?? [];
    return words === undefined ? '' : ` (${words.slice(0, MAX_WORDS_CHARACTERS)})`;
  } catch {
    return '';
  }
}

export function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** True while the server runs, even if another process started it or it is too busy to answer. */
export async function isThere(place: Place): Promise<boolean> {
  return isAlive(place) || (await accepts(place));
}

/** Stops the server, which writes all its data first. */
export async function stopServer(place: Place, pid = readPid(place)): Promise<void> {
  // The process is checked instead of the pid file, which is removed a moment before the process ends.
  const isStillThere = () => pid !== undefined && isServer(place, pid);
  if (pid === undefined || !isStillThere()) return;
  process.kill(pid, 'SIGTERM');
  await waitFor(async () => !isStillThere(), STOP_TIMEOUT_MS, isStillThere);
  if (isStillThere()) process.kill(pid, 'SIGKILL');
  while (isStillThere()) await sleep(POLL_MS);
  rmSync(place.socket, { force: true });
}

/**
 * The server's options. With `appendfsync always` every answered write survives, at the cost of a group
 * commit.
 */
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

/** True when a server accepts connections on our socket, which a loading or hanging server does too. */
function accepts(place: Place): Promise<boolean> {
  return new Promise((resolve) => {
    if (!isOurs(place)) return resolve(false);
    const socket = createConnection(place.socket);
    const settle = (isAccepted: boolean): void => {
      socket.destroy();
      resolve(isAccepted);
    };
    socket.once('connect', () => settle(true));
    // EAGAIN: a process listens, and its queue is full.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => settle(code === 'EAGAIN'));
  });
}

/** In the temporary folder, where every user may write, only a socket of this process' user is ours. */
function isOurs({ dir, socket }: Place): boolean {
  return dirname(socket) === dir || statSync(socket, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/** True when the pid file names a living process whose title names our socket; another title means a recycled pid. */
function isAlive(place: Place): boolean {
  const pid = readPid(place);
  return pid !== undefined && isServer(place, pid);
}

function isServer(place: Place, pid: number): boolean {
  return ` ${readTitle(pid)} `.includes(` ${place.socket} `);
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
    // The system is not Linux, or the process is gone.
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

/** Waits for the condition while `may` holds, for at most `patienceMs`. Returns whether the condition was met. */
async function waitFor(condition: () => Promise<boolean>, patienceMs: number, may = () => true): Promise<boolean> {
  const endMs = performance.now() + patienceMs;
  while (may() && performance.now() < endMs) {
    if (await condition()) return true;
    await sleep(POLL_MS);
  }
  return false;
}
