import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Leases and the lock of a folder: locks of the operating system on two files, which end with their process, even after
 * kill -9, and are shared by containers that share the folder. A pid in a file would outlive its process and could later
 * name another one. The files stay: whoever removed one might remove the lock of the next holder.
 */
export interface Lease {
  release(): void;
}

const POLL_MS = 20;
const [LOCK, USES, SERVER] = ['lock', 'uses', 'server'];

/** A lock that a process inherits with the descriptor, and holds until it ends. */
export interface InheritedLock extends Lease {
  readonly descriptor: number;
}

/** Takes the lock of the folder's server; undefined while a server of the folder lives, from the moment of its fork on. */
export function takeServerLock(folder: string): Promise<InheritedLock | undefined> {
  return lockFile(join(folder, SERVER), false);
}

/**
 * Marks the folder as used by this process and those that inherit the descriptor, until all of them have closed it or ended. Call
 * it with the lock held.
 */
export async function takeLease(folder: string): Promise<InheritedLock> {
  const lease = await lockFile(join(folder, USES), true);
  if (!lease) throw new Error('assertion failed: with the lock held nobody asks whether the folder is used');
  return lease;
}

/** True while a living process has a lease, this one included. Call it with the lock held. */
export async function isUsed(folder: string): Promise<boolean> {
  const whole = await lockFile(join(folder, USES), false);
  whole?.release();
  return whole === undefined;
}

/** Waits until nobody else holds the folder's lock, and takes it. Undefined when that takes longer than `patienceMs`. */
export async function takeLock(folder: string, patienceMs: number): Promise<Lease | undefined> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    const lock = await lockFile(join(folder, LOCK), false);
    if (lock || performance.now() >= endMs) return lock;
    await sleep(POLL_MS);
  }
}

async function lockFile(path: string, isShared: boolean): Promise<InheritedLock | undefined> {
  // Machine code, which a service with a Redis of its own needs alone.
  const { tryLock } = await import('fs-native-extensions');
  const descriptor = openSync(path, 'a+', 0o600);
  if (tryLock(descriptor, { shared: isShared })) return { descriptor, release: () => closeSync(descriptor) };
  closeSync(descriptor);
  return undefined;
}
