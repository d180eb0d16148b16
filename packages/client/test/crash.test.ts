/** A POS backend that is killed again and again: no event that was taken is lost, and few are sent twice. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { Random } from '../../../packages/simulator/src/random.ts';
import { forgetProcess, temporaryDirectory, watchProcess } from '../../../test/support/cleanup.ts';
import { timesCases } from '../../../test/support/effort.ts';
import { quickStart } from '../../../test/support/quick-start.ts';
import { SECRET, useDouble } from './fixture.ts';

const stage = useDouble();
const ROUNDS = timesCases(1);
/** The outbox sends this many events at once, so as many may have been answered when the process was killed. */
const UNDER_WAY = 4;

interface Life {
  readonly taken: string[];
  readonly isDrained: boolean;
}

/** One life of the process; it ends by itself, or by SIGKILL after so many sales were taken. */
async function live(outbox: string, sales: number, killAfter?: number): Promise<Life> {
  const args = [
    'packages/client/test/till-process.ts',
    stage.double.baseUrl,
    SECRET.toString('hex'),
    outbox,
    String(sales),
  ];
  const child = spawn(process.execPath, args, {
    env: quickStart(process.env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  watchProcess(child.pid!);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (lines.length === killAfter) child.kill('SIGKILL');
  });
  await once(child, 'close');
  forgetProcess(child.pid!);
  return { taken: lines.filter((line) => line !== 'drained'), isDrained: lines.includes('drained') };
}

test(`killed ${ROUNDS} times`, async () => {
  const outbox = join(temporaryDirectory(), 'outbox.log');
  const random = new Random(11);
  const taken: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const life = await live(outbox, 10_000, random.between(1, 60));
    taken.push(...life.taken);
    expect(life.isDrained).toBe(false);
  }
  expect(await live(outbox, 0)).toEqual({ taken: [], isDrained: true });

  const sent = stage.double.seen
    .filter(({ path }) => path === '/v1/pos/sale')
    .map(({ idempotencyKey }) => idempotencyKey);
  const distinct = new Set(sent);
  expect(taken.length).toBeGreaterThan(2 * ROUNDS);
  expect(taken.filter((calculationId) => !distinct.has(calculationId))).toEqual([]);
  expect(sent.length - distinct.size).toBeLessThanOrEqual(ROUNDS * UNDER_WAY);
  // Everything is sent, and a later life sends nothing again.
  expect(await live(outbox, 0)).toEqual({ taken: [], isDrained: true });
  expect(stage.double.seen.filter(({ path }) => path === '/v1/pos/sale')).toHaveLength(sent.length);
}, 90_000);
