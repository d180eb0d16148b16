/**
 * One of several processes that want the same outbox: `node lock-process.ts <outbox file> <seed>`. For each line `take T` it
 * tries to open the outbox from the instant T on and says `has` or `refused`; for `release` it gives the outbox back.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createInterface } from 'node:readline';
import type { FileStore } from 'loyalty-basket-client';
import { Random } from '../../../packages/simulator/src/random.ts';

const [path = '', seed = '0'] = process.argv.slice(2);
const random = new Random(Number(seed));
/** Pauses are most likely before a name is made or removed, because there a check and its action come apart. */
const pauseChance = (step: string): number => (/^(?:link|rename|rm|unlink|mkdir)/.test(step) ? 0.4 : 0.05);
const LONGEST_PAUSE_MS = 12;
/** A backend that found its outbox taken is restarted again and again. */
const ATTEMPTS = 10;
const clock = new Int32Array(new SharedArrayBuffer(4));

/**
 * A busy machine may take the processor away between any two steps. Here it does so by seeded chance before every step
 * on files, so that the rare orders of several processes' steps become common ones.
 */
function pauseBeforeEveryStep(): void {
  const steps = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of Object.keys(fs).filter((key) => key.endsWith('Sync'))) {
    const step = steps[name]!;
    const chance = pauseChance(name);
    steps[name] = (...args) => {
      if (random.chance(chance)) Atomics.wait(clock, 0, 0, random.next() * LONGEST_PAUSE_MS);
      return step(...args);
    };
  }
  syncBuiltinESMExports();
}

const client = await import('loyalty-basket-client');
pauseBeforeEveryStep();

let held: FileStore | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const [order, atMs] = line.split(' ');
  if (order === 'take') {
    held = undefined;
    Atomics.wait(clock, 0, 0, Math.max(0, Number(atMs) - Date.now()));
    for (let attempt = 0; attempt < ATTEMPTS && !held; attempt += 1) held = await open();
    console.log(held ? 'has' : 'refused');
  } else {
    await held?.close();
    console.log('released');
  }
}

function open(): Promise<FileStore | undefined> {
  const store = new client.FileStore(path);
  return store.load().then(
    () => store,
    () => undefined,
  );
}
