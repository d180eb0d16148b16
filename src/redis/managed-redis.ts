import { closeSync, existsSync, mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisAddress } from './address.ts';
import { openClient } from './client.ts';
import {
  choosePlace,
  findBinary,
  isRunning,
  isThere,
  type Place,
  readLastWords,
  startOrAdopt,
  stopServer,
} from './managed-server.ts';
import { isUsed, takeLease, takeLock } from './process-lease.ts';
import { RestartDelay } from './restart-delay.ts';

/**
 * The embedded default: a real Redis server as a child process on a unix socket, with an append-only file under
 * `DATA_DIR`. Services with the same `DATA_DIR` share it, and the last of them stops it. A server that a killed service
 * left behind is adopted; a server that died is started again, after growing pauses where it dies soon. A process is signalled only if its title names our
 * socket.
 */
export interface ManagedRedis {
  readonly address: RedisAddress;
  /** The path of the server's socket. */
  readonly path: string;
  /** The descriptor of the lease. A process that inherits it uses the server too. */
  readonly lease: number;
  readonly pidFile: string;
  /** Why there is no server; undefined while there is one. */
  readonly trouble: string | undefined;
  /**
   * Resolves when the server has loaded its file, or after `LOADING_PATIENCE_MS`; readiness shows the progress of a
   * large file.
   */
  untilLoaded(): Promise<void>;
  /** Releases the server. The last service that does so stops it; a stopping server writes all its data first. */
  stop(): Promise<void>;
}

const WATCH_MS = 100;
/** How long to wait for the lock. Its holder needs at most 10 s to start a server and 5 s to stop one. */
const LOCK_PATIENCE_MS = 30_000;
/** How long an ending service waits for the lock; systemd would kill it after more. */
const LAST_PATIENCE_MS = 4000;
const LOADING_PATIENCE_MS = 1000;

/**
 * Starts or adopts the server of `dataDir`. Resolves as soon as it accepts connections, even while it is loading.
 * Throws with one line that names the problem. `onNote` is called with later events of the server.
 */
export async function startManagedRedis(
  dataDir: string,
  searchPath: string,
  onNote: (reason: string) => void,
): Promise<ManagedRedis> {
  const place = choosePlace(dataDir);
  mkdirSync(place.dir, { recursive: true, mode: 0o700 });
  const binary = findBinary(searchPath);
  // The lock decides between two services that start, or that find the server dead: one starts it, the other adopts it.
  const underLock = async <T>(work: () => Promise<T>): Promise<T> => {
    const lock = await takeLock(place.dir, LOCK_PATIENCE_MS);
    if (!lock) throw new Error(`DATA_DIR: another service has been starting or ending in ${dataDir} for too long`);
    try {
      return await work();
    } finally {
      lock.release();
    }
  };
  const first = await underLock(async () => {
    const started = await startOrAdopt(place, binary);
    return { child: started, lease: await takeLease(place.dir) };
  });
  const { lease } = first;
  let { child } = first;
  let check: Promise<void> | undefined;
  let trouble: string | undefined;
  let startedMs = performance.now();
  let startsAgainMs = 0;
  const delay = new RestartDelay(0);

  const noteTrouble = (reason: string): void => {
    const pauseMs = delay.take(performance.now() - startedMs);
    trouble = reason;
    startsAgainMs = performance.now() + pauseMs;
    onNote(`${reason}; it is started again in ${pauseMs / 1000} s`);
  };
  const look = async (): Promise<void> => {
    // The end of a child is seen by its exit, the end of an adopted server by its absence.
    if (trouble === undefined && !(child ? isRunning(child) : await isThere(place))) {
      noteTrouble(`the managed Redis has ended${readLastWords(place)}`);
    }
    if (trouble === undefined || performance.now() < startsAgainMs) return;
    startedMs = performance.now();
    try {
      child = await underLock(() => startOrAdopt(place, binary));
      trouble = undefined;
    } catch (error) {
      noteTrouble((error as Error).message);
    }
  };
  const watch = setInterval(() => {
    check ??= look().finally(() => {
      check = undefined;
    });
  }, WATCH_MS);

  return {
    address: { kind: 'socket', path: place.socket },
    path: place.socket,
    lease: lease.descriptor,
    pidFile: place.pidFile,
    get trouble() {
      return trouble;
    },
    untilLoaded: () => untilLoaded({ kind: 'socket', path: place.socket }),
    stop: async () => {
      clearInterval(watch);
      await check;
      if (!existsSync(place.dir)) {
        // Whoever has removed the folder has left nobody anything to share; a server of others is theirs to end.
        lease.release();
        return stopServer(place, child?.pid);
      }
      await releaseServer(place, () => lease.release(), onNote);
    },
  };
}

/**
 * Releases the server of `dataDir` in a process that has inherited the `lease`, and whose primary was killed: nobody else may be left
 * to stop it.
 */
export function releaseInherited(dataDir: string, lease: number): Promise<void> {
  return releaseServer(
    choosePlace(dataDir),
    () => closeSync(lease),
    () => undefined,
  );
}

/** Stops the server unless another process has a lease. */
async function releaseServer(place: Place, release: () => void, onNote: (reason: string) => void): Promise<void> {
  const lock = await takeLock(place.dir, LAST_PATIENCE_MS);
  release();
  // Another service has the lock to start or stop the server, so the server is left to it.
  if (!lock) return onNote('the managed Redis is left to another service that is starting or ending');
  try {
    if (!(await isUsed(place.dir))) await stopServer(place);
  } finally {
    lock.release();
  }
}

/** The address of the server of a `dataDir`, even when another process runs it. */
export function managedAddress(dataDir: string): RedisAddress {
  return { kind: 'socket', path: choosePlace(dataDir).socket };
}

async function untilLoaded(address: RedisAddress): Promise<void> {
  const client = openClient(address, 'loyalty-start');
  client.on('error', () => undefined);
  const loaded = new Promise<void>((resolve) => client.once('ready', resolve));
  await Promise.race([loaded, sleep(LOADING_PATIENCE_MS, undefined, { ref: false })]);
  client.disconnect();
}
