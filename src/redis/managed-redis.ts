import type { RedisAddress } from './address.ts';
import { diagnose } from './diagnosis.ts';
import {
  choosePlace,
  findBinary,
  isRunning,
  isThere,
  makeFolders,
  startOrAdopt,
  stopServer,
} from './managed-server.ts';
import { countLeases, takeLease, takeLock } from './process-lease.ts';

/**
 * The embedded default: a real Redis server as a child on a unix socket, with an append-only file under `DATA_DIR`.
 * Services of one `DATA_DIR` share it, and the last of them stops it. One that a killed service left behind is taken over;
 * one that died is started again. No process is ever signalled unless its own title names our socket.
 */
export interface ManagedRedis {
  readonly address: RedisAddress;
  readonly pidFile: string;
  /** Resolves when the server has read its file, or after a moment: readiness tells how far it is with a large one. */
  untilLoaded(): Promise<void>;
  /** Gives the server up. The last service that does so stops it, after it has written everything. */
  stop(): Promise<void>;
}

const WATCH_MS = 100;
/** A server that starts takes 10 s at most, one that ends 5 s: whoever holds the lock is done before this. */
const LOCK_PATIENCE_MS = 30_000;
/** A service that ends must not wait longer: its supervisor kills it. */
const LAST_PATIENCE_MS = 4000;
const LOADING_PATIENCE_MS = 1000;
const POLL_MS = 20;

/**
 * Starts or takes over the server of `dataDir`; resolves as soon as it takes connections, though it may still be loading.
 * Throws with one line that says what is missing or failed. `onNote` is told what happens to the server later.
 */
export async function startManagedRedis(
  dataDir: string,
  searchPath: string,
  onNote: (reason: string) => void,
): Promise<ManagedRedis> {
  const place = choosePlace(dataDir);
  makeFolders(place);
  const binary = findBinary(searchPath);
  // Under the lock: of two services that start, or that find the server dead, one starts it, and the other takes it over.
  const underLock = async <T>(work: () => Promise<T>): Promise<T> => {
    const lock = await takeLock(place.leases, LOCK_PATIENCE_MS);
    if (!lock) throw new Error(`DATA_DIR: another service has been starting or ending in ${dataDir} for too long`);
    try {
      return await work();
    } finally {
      lock.release();
    }
  };
  const first = await underLock(async () => {
    const started = await startOrAdopt(place, binary);
    return { child: started, lease: await takeLease(place.leases) };
  });
  const { lease } = first;
  let { child } = first;
  let check: Promise<void> | undefined;

  // A child's end is seen by its exit; a server taken over from another process, by its absence.
  const look = async (): Promise<void> => {
    try {
      if (child ? isRunning(child) : await isThere(place)) return;
      onNote('the managed Redis has ended and is started again');
      child = await underLock(() => startOrAdopt(place, binary));
    } catch (error) {
      onNote((error as Error).message);
    }
  };
  const watch = setInterval(() => {
    check ??= look().finally(() => {
      check = undefined;
    });
  }, WATCH_MS);

  return {
    address: { kind: 'socket', path: place.socket },
    pidFile: place.pidFile,
    untilLoaded: () => untilLoaded({ kind: 'socket', path: place.socket }),
    stop: async () => {
      clearInterval(watch);
      await check;
      const lock = await takeLock(place.leases, LAST_PATIENCE_MS);
      lease.release();
      // Without the lock somebody is starting on this server, or stopping it: it is theirs.
      if (!lock) return onNote('the managed Redis is left to another service that is starting or ending');
      try {
        if ((await countLeases(place.leases)) === 0) await stopServer(place);
      } finally {
        lock.release();
      }
    },
  };
}

/** Where the server of a `dataDir` is, whoever runs it. */
export function managedAddress(dataDir: string): RedisAddress {
  return { kind: 'socket', path: choosePlace(dataDir).socket };
}

async function untilLoaded(address: RedisAddress): Promise<void> {
  const endMs = performance.now() + LOADING_PATIENCE_MS;
  while (performance.now() < endMs && (await diagnose(address))) {
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}
