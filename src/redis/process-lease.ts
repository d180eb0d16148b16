import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';

/**
 * Leases and the lock of a folder, represented by sockets that processes listen on. The kernel closes a socket with its
 * process, even after kill -9 and across containers that share the folder. A pid in a file would outlive its process
 * and could later name another one. Names are short, because a socket's path has at most 107 bytes.
 */
export interface Lease {
  readonly path: string;
  release(): void;
}

const POLL_MS = 20;
/** A socket that is bound but not yet linked is younger than this; an older one was left by a killed process. */
const LEFTOVER_MS = 60_000;
const [LOCK, OWN, USE] = ['lock-', 'own-', 'use-'];

/**
 * Marks the folder as used by this process, until the lease is released or the process ends. Call it with the lock
 * held.
 */
export function takeLease(folder: string): Promise<Lease> {
  return listen(join(folder, `${USE}${newName()}`));
}

/** Counts the leases of living processes, this one's included. Call it with the lock held. */
export async function countLeases(folder: string): Promise<number> {
  const names = readdirSync(folder).filter((name) => name.startsWith(USE));
  const held = await Promise.all(names.map((name) => isHeld(join(folder, name))));
  for (const [index, name] of names.entries()) if (!held[index]) rmSync(join(folder, name), { force: true });
  return held.filter(Boolean).length;
}

/**
 * Waits until no other process holds the folder's lock, and takes it. Undefined when that takes longer than
 * `patienceMs`.
 *
 * Locks are numbered, and the highest number counts while its process listens. A dead lock is never removed to make
 * room, because another process may take it between the check and the removal. Instead the next number is taken by a
 * hard link, which only one process can make. A process that then finds a number higher than its own came too late.
 */
export async function takeLock(folder: string, patienceMs: number): Promise<Lease | undefined> {
  const endMs = performance.now() + patienceMs;
  const own = await listen(join(folder, `${OWN}${newName()}`));
  while (performance.now() < endMs) {
    const last = highestLock(folder);
    if (last > 0 && (await isHeld(join(folder, `${LOCK}${last}`)))) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      continue;
    }
    const path = join(folder, `${LOCK}${last + 1}`);
    if (!tryLink(own.path, path)) continue;
    if (highestLock(folder) === last + 1) {
      removeLeftovers(folder, last + 1);
      return own;
    }
    rmSync(path, { force: true });
  }
  own.release();
  return undefined;
}

/** True while a process listens on this socket, even one that is too busy to accept. */
export function isHeld(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    const settle = (held: boolean): void => {
      socket.destroy();
      resolve(held);
    };
    socket.once('connect', () => settle(true));
    // EAGAIN: a process listens, and its queue is full.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => settle(code === 'EAGAIN'));
  });
}

function listen(path: string): Promise<Lease> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', reject);
    server.listen(path, () => resolve({ path, release: () => void server.close() }));
  });
}

function newName(): string {
  return randomBytes(4).toString('hex');
}

function highestLock(folder: string): number {
  const numbers = readdirSync(folder).map((name) => Number(/^lock-(\d+)$/.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the files that killed processes left. Locks with lower numbers no longer count, even while they are held. */
function removeLeftovers(folder: string, lock: number): void {
  for (const name of readdirSync(folder)) {
    const isOldLock = name.startsWith(LOCK) && Number(name.slice(LOCK.length)) < lock;
    if (isOldLock || (name.startsWith(OWN) && isLeftover(join(folder, name))))
      rmSync(join(folder, name), { force: true });
  }
}

function isLeftover(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > LEFTOVER_MS;
  } catch {
    return false;
  }
}
