/** The faults of a stormy history, and how each is brought about on a stage. */

import type { Random } from '../../packages/simulator/src/random.ts';
import type { Ambush } from '../faults/proxy.ts';
import { shaOf } from '../faults/support.ts';
import { SCRIPTS } from '../support/scripts.ts';
import { sleep } from '../support/wait.ts';
import type { Stage } from './stage.ts';

export type Fault =
  /** The next request of this process to Redis that carries the marker falls into an ambush. */
  | { readonly kind: 'ambush'; readonly process: number; readonly marker: Marker; readonly ambush: AmbushKind }
  | { readonly kind: 'latency'; readonly process: number; readonly ms: number }
  | { readonly kind: 'crumbs'; readonly process: number; readonly bytes: number }
  | { readonly kind: 'resets'; readonly process: number; readonly afterMs: number }
  | { readonly kind: 'hang'; readonly process: number; readonly ms: number }
  | { readonly kind: 'stop redis'; readonly ms: number }
  /** Memory is full but for so many bytes: some commands are taken, and others of the same call are refused. */
  | { readonly kind: 'full redis'; readonly roomBytes: number; readonly ms: number }
  | { readonly kind: 'flush scripts' }
  | { readonly kind: 'kill process'; readonly process: number; readonly afterMs: number }
  | { readonly kind: 'kill redis'; readonly afterMs: number };

/** Scripts by name, other commands as they stand on the wire. */
const SCRIPT_MARKERS = [
  'lease-tokens',
  'read-member',
  'claim-index',
  'commit-calculation',
  'settle-sale',
  'release-superseded',
] as const;
const RARER_MARKERS = ['note-receipt', 'hdel', 'note-examination', ':index:'] as const;
type Marker = (typeof SCRIPT_MARKERS)[number] | (typeof RARER_MARKERS)[number];

const AMBUSHES = {
  'reset before': { kind: 'reset before' },
  'reset after': { kind: 'reset after' },
  truncate: { kind: 'truncate', bytes: 1 },
  garbage: { kind: 'garbage', bytes: Buffer.from('\0\xff!nonsense\r\n', 'latin1') },
  hang: { kind: 'hang' },
} as const satisfies Record<string, Ambush>;
type AmbushKind = keyof typeof AMBUSHES;
const AMBUSH_KINDS = Object.keys(AMBUSHES) as AmbushKind[];

/** How much longer a hang lasts than the calls that met it. */
const HANG_ON_MS = 200;

/** Kills are rare: each costs the start of a process. */
export function randomFault(random: Random): Fault {
  const what = random.next();
  const process = random.between(0, 1);
  if (what < 0.45) {
    const marker = random.pick<Marker>([...SCRIPT_MARKERS, ...SCRIPT_MARKERS, ...RARER_MARKERS]);
    return { kind: 'ambush', process, marker, ambush: random.pick(AMBUSH_KINDS) };
  }
  if (what < 0.58) return { kind: 'latency', process, ms: random.between(20, 250) };
  if (what < 0.63) return { kind: 'crumbs', process, bytes: random.between(1, 9) };
  if (what < 0.75) return { kind: 'resets', process, afterMs: random.between(0, 15) };
  if (what < 0.83) return { kind: 'hang', process, ms: random.between(30, 500) };
  if (what < 0.865) return { kind: 'stop redis', ms: random.between(30, 600) };
  if (what < 0.9) return { kind: 'full redis', roomBytes: random.between(0, 8_000), ms: random.between(30, 600) };
  if (what < 0.94) return { kind: 'flush scripts' };
  if (what < 0.98) return { kind: 'kill redis', afterMs: random.between(0, 12) };
  return { kind: 'kill process', process, afterMs: random.between(0, 12) };
}

/** Runs `work` while the fault lasts; when this resolves the fault is over and both processes serve again. */
export async function whileBroken<T>(stage: Stage, fault: Fault, work: () => Promise<T>): Promise<T> {
  const under = bringAbout(stage, fault);
  try {
    return await work();
  } finally {
    await under;
    // What hangs past the deadline of its call must not be carried out any more when it goes on.
    if (fault.kind === 'ambush' && fault.ambush === 'hang') await sleep(HANG_ON_MS);
    for (const proxy of stage.proxies) {
      proxy.disarm();
      proxy.heal();
    }
    await stage.untilServing();
  }
}

/** Starts the fault; what is returned is over when the part of it that ends by itself is. */
function bringAbout(stage: Stage, fault: Fault): Promise<unknown> | undefined {
  const { redis, proxies } = stage;
  switch (fault.kind) {
    case 'ambush': {
      const isScript = SCRIPTS.has(fault.marker);
      proxies[fault.process]!.ambush(isScript ? shaOf(fault.marker) : fault.marker, AMBUSHES[fault.ambush]);
      return undefined;
    }
    case 'latency':
      proxies[fault.process]!.latencyMs = fault.ms;
      return undefined;
    case 'crumbs':
      proxies[fault.process]!.sliceBytes = fault.bytes;
      return undefined;
    case 'resets':
      return after(fault.afterMs, () => proxies[fault.process]!.reset());
    case 'hang':
      proxies[fault.process]!.hang();
      return after(fault.ms, () => proxies[fault.process]!.heal());
    case 'stop redis':
      redis.pause();
      return after(fault.ms, () => redis.resume());
    case 'full redis':
      return fillUp(stage, fault.roomBytes, fault.ms);
    case 'flush scripts':
      return stage.eye.script('FLUSH');
    case 'kill redis':
      return after(fault.afterMs, () => stage.killRedis());
    case 'kill process':
      return after(fault.afterMs, () => stage.killProcess(fault.process));
  }
}

/** Redis is full for a while. What its buffers take counts too, so a busy moment refuses more than a calm one. */
async function fillUp({ eye }: Stage, roomBytes: number, ms: number): Promise<void> {
  const used = Number(/^used_memory:(\d+)/m.exec(await eye.info('memory'))?.[1]);
  await eye.config('SET', 'maxmemory', String(used + roomBytes));
  try {
    await sleep(ms);
  } finally {
    await eye.config('SET', 'maxmemory', '0');
  }
}

async function after(ms: number, act: () => unknown): Promise<void> {
  await sleep(ms);
  await act();
}
