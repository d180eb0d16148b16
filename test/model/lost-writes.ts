/** Kills Redis with SIGKILL under load and counts the acknowledged commits that its restart does not find. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../packages/simulator/src/random.ts';
import { Connection } from '../../src/redis/connection.ts';
import { commitCalculation } from '../../src/store/calculations.ts';
import { createKeys, memberToken } from '../../src/store/keys.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { NOTHING_KEPT } from '../support/nothing-kept.ts';
import { RedisServer } from '../support/redis-server.ts';
import { sleep, until } from '../support/wait.ts';

export interface LostWrites {
  readonly acknowledged: number;
  readonly lost: number;
  /** Commits of which some of the keys were found and others were not. */
  readonly torn: number;
  readonly text: string;
}

/** Callers that commit without a pause, so that the kill always meets some. */
const CALLERS = 64;
const ANSWER_BYTES = 4000;
const LEAST_ACKNOWLEDGED = 200;
const REFUSED_PAUSE_MS = 20;
const PERIODS = { holdMs: 600_000, idempotencyMs: 600_000, retentionMs: 600_000 };

const SLOW_SYNC = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
int fdatasync(int file) {
  usleep(1000 * atoi(getenv("SLOW_SYNC_MS")));
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
`;

/**
 * From now on every redis-server of this process has a disk whose sync takes so much longer, as a busy or a networked one
 * has. Needs a C compiler named \`cc\` and a glibc.
 */
export function slowDisk(syncMs: number): void {
  const directory = temporaryDirectory();
  const [source, library] = [join(directory, 'slow-sync.c'), join(directory, 'slow-sync.so')];
  writeFileSync(source, SLOW_SYNC);
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  process.env['LD_PRELOAD'] = library;
  process.env['SLOW_SYNC_MS'] = String(syncMs);
}

/** One load and one kill per round, `appendfsync` as given. */
export async function countLostWrites(policy: 'always' | 'everysec', rounds: number): Promise<LostWrites> {
  const random = new Random(rounds);
  const sums = { acknowledged: 0, lost: 0, torn: 0 };
  let roundsWithLoss = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { acknowledged, lost, torn } = await killOnce(policy, random.between(300, 2500));
    sums.acknowledged += acknowledged;
    sums.lost += lost;
    sums.torn += torn;
    if (lost > 0) roundsWithLoss += 1;
  }
  const text =
    `appendfsync ${policy}: ${rounds} kills, ${sums.acknowledged} acknowledged commits, ${sums.lost} lost ` +
    `(in ${roundsWithLoss} of the rounds), ${sums.torn} in part`;
  return { ...sums, text };
}

async function killOnce(
  policy: string,
  afterMs: number,
): Promise<{ acknowledged: number; lost: number; torn: number }> {
  const redis = await RedisServer.launch(['--appendfsync', policy]);
  const connection = new Connection({ kind: 'socket', path: redis.socket }, 'lost-writes');
  const store: Store = { connection, keys: createKeys('lost'), periods: PERIODS };
  try {
    await until('the connection to be ready', () => connection.isAvailable);
    const acknowledged: string[] = [];
    let isOver = false;
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const id = randomUUID();
        if (await commit(store, id).catch(() => false)) acknowledged.push(id);
        // A disk that is slow to sync makes Redis silent for a moment, and calls are refused meanwhile.
        else await sleep(REFUSED_PAUSE_MS);
      }
    });
    await sleep(afterMs);
    await until('enough commits to lose some of', () => acknowledged.length >= LEAST_ACKNOWLEDGED);
    await redis.kill();
    isOver = true;
    await Promise.all(callers);
    await redis.start();
    const found = await Promise.all(acknowledged.map((id) => partsOf(redis, store, id)));
    const lost = found.filter((parts) => parts === 0).length;
    return {
      acknowledged: acknowledged.length,
      lost,
      torn: found.filter((parts) => parts === 1 || parts === 2).length,
    };
  } finally {
    connection.close();
    await redis.stop();
  }
}

function memberOf(id: string) {
  return memberToken('lost', id);
}

async function commit(store: Store, id: string): Promise<boolean> {
  const { outcome } = await commitCalculation(store, {
    calculationId: id,
    member: memberOf(id),
    fingerprint: 'print',
    stored: Buffer.from(Array.from({ length: ANSWER_BYTES / 36 }, randomUUID).join('')),
    venueId: 'oslo-central',
    status: 'applied',
    total: 100,
    uses: [{ usageKey: 'coffee:*', units: 1, limit: 1 }],
    supersedes: undefined,
    entry: undefined,
    ...NOTHING_KEPT,
    deadlineMs: Date.UTC(2100, 0, 1),
    remainingMs: () => 400,
  });
  return outcome === 'committed';
}

/** Of the three keys that a commit writes, those that are there. */
async function partsOf(redis: RedisServer, { keys }: Store, id: string): Promise<number> {
  const member = memberOf(id);
  return redis.client.exists(keys.calculation(member, id), keys.answer(member, id), keys.hold(member));
}
