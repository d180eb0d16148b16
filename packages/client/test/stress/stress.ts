import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../../../../packages/simulator/src/random.ts';
import { forgetProcess, temporaryDirectory, watchProcess } from '../../../../test/support/cleanup.ts';
import { quickStart } from '../../../../test/support/quick-start.ts';
import { RedisServer } from '../../../../test/support/redis-server.ts';
import { until } from '../../../../test/support/wait.ts';
import { StressBooks } from './stress-books.ts';
import type { Line } from './till.ts';
import { playFaults, World, withServiceBooks } from './world.ts';

export interface StressOptions {
  readonly sales: number;
  /** Fewer are enough after so many minutes. */
  readonly minutes: number;
  readonly seed: number;
  readonly tills: number;
  /** Between two faults of the tills, in milliseconds on average; and between two of the service. */
  readonly tillFaultMs: number;
  readonly serviceFaultMs: number;
}

export interface StressRun {
  readonly sales: number;
  readonly calculations: number;
  readonly seconds: number;
  readonly faultsPlayed: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

const PROGRAM = join(import.meta.dirname, 'till.ts');
const DRAIN_PATIENCE_MS = 120_000;
/** How far above its size a full disk still lets the outbox grow: less than a line, or several. */
const MOST_ROOM_BYTES = 2_000;

/** Sells with all faults at random until enough is sold, drains, and compares with the service's own books. */
export async function playStress(options: StressOptions, onProgress: (sold: number) => void): Promise<StressRun> {
  const redis = await RedisServer.launch(['--appendfsync', 'always']);
  const world = await World.open(redis);
  const stage = new Stage(world, options);
  const startMs = performance.now();
  const endMs = startMs + options.minutes * 60_000;
  const isSelling = (): boolean =>
    (stage.sold < options.sales && performance.now() < endMs) || !stage.hasPlayedAll || world.faultsPlayed === 0;
  try {
    const serviceFaults = playFaults(world, options.serviceFaultMs, isSelling);
    await stage.openTills();
    while (isSelling()) {
      await stage.playFault();
      onProgress(stage.sold);
    }
    await serviceFaults;
    await stage.drain();
    const faults = await withServiceBooks(redis, (service) => stage.books.findFaults(service));
    return {
      sales: stage.sold,
      calculations: stage.books.calculations,
      seconds: (performance.now() - startMs) / 1000,
      faultsPlayed: { ...stage.faultsPlayed, service: world.faultsPlayed },
      counts: stage.books.counts,
      faults: [...stage.complaints, ...faults],
    };
  } finally {
    stage.killAll();
    await world.close();
    await redis.stop();
  }
}

/** The worst is all at once: what a full disk refused is not sent either before the till is killed. */
const FAULTS = {
  killed: { isDiskFull: false, isServiceHung: false, ending: 'killed' },
  diskFull: { isDiskFull: true, isServiceHung: false, ending: 'room' },
  diskFullAndKilled: { isDiskFull: true, isServiceHung: false, ending: 'killed' },
  allAtOnce: { isDiskFull: true, isServiceHung: true, ending: 'killed' },
  intruder: { isDiskFull: false, isServiceHung: false, ending: 'intruder' },
} as const;

type TillProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** One till over all its lives. */
interface Till {
  readonly outbox: string;
  readonly orders: string;
  child: TillProcess;
  isDrained: boolean;
}

class Stage {
  readonly books = new StressBooks();
  readonly complaints: string[] = [];
  readonly faultsPlayed: Record<keyof typeof FAULTS, number> = {
    killed: 0,
    diskFull: 0,
    diskFullAndKilled: 0,
    allAtOnce: 0,
    intruder: 0,
  };
  readonly #world: World;
  readonly #options: StressOptions;
  readonly #random: Random;
  readonly #tills: Till[] = [];

  constructor(world: World, options: StressOptions) {
    this.#world = world;
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  get sold(): number {
    return this.books.counts['sold'] ?? 0;
  }

  async openTills(): Promise<void> {
    for (let count = 0; count < this.#options.tills; count += 1) {
      const folder = temporaryDirectory();
      const till = { outbox: join(folder, 'outbox.log'), orders: join(folder, 'orders.json'), isDrained: false };
      this.#tills.push(await this.#live(till));
    }
  }

  /** Each kind of fault once, and then by chance. */
  get hasPlayedAll(): boolean {
    return Object.values(this.faultsPlayed).every((count) => count > 0);
  }

  /** The next fault of a till. It ends with the till selling again. */
  async playFault(): Promise<void> {
    const random = this.#random;
    await pause(2 * random.next() * this.#options.tillFaultMs);
    const till = random.pick(this.#tills);
    const kinds = Object.keys(FAULTS) as (keyof typeof FAULTS)[];
    const kind = kinds.find((name) => this.faultsPlayed[name] === 0) ?? random.pick(kinds);
    this.faultsPlayed[kind] += 1;
    const { isDiskFull, isServiceHung, ending } = FAULTS[kind];
    const play = async (): Promise<void> => {
      if (isDiskFull) {
        limitFiles(till, statSync(till.outbox).size + random.between(0, MOST_ROOM_BYTES));
        await pause(random.between(50, 1_500));
      }
      if (ending === 'intruder') await this.#intrude(till);
      if (ending === 'killed') await kill(till);
    };
    await (isServiceHung ? this.#world.hangService(play) : play());
    if (ending === 'killed') await this.#live(till);
    else limitFiles(till, 'unlimited');
  }

  /** Everything that is pending is delivered once the tills close while all is well. */
  async drain(): Promise<void> {
    for (const till of this.#tills) till.child.stdin.end();
    await until('every till to drain', () => this.#tills.every(({ isDrained }) => isDrained), DRAIN_PATIENCE_MS);
  }

  killAll(): void {
    for (const { child } of this.#tills) if (child.exitCode === null) child.kill('SIGKILL');
  }

  /** A second process on an outbox that is in use must be refused. */
  async #intrude(till: Till): Promise<void> {
    const intruder = this.#spawn(till);
    intruder.stdin.end();
    let said = '';
    for (const stream of [intruder.stdout, intruder.stderr]) stream.on('data', (chunk) => (said += chunk));
    await once(intruder, 'close');
    if (!said.includes('uses this outbox')) this.complaints.push(`an intruder was let in: ${said.slice(0, 500)}`);
  }

  /** Resolves when it has the outbox. */
  async #live(till: Omit<Till, 'child'> & { child?: TillProcess }): Promise<Till> {
    writeFileSync(till.orders, JSON.stringify(this.books.orders));
    const child = this.#spawn(till);
    child.stderr.on('data', (chunk: Buffer) => this.complaints.push(chunk.toString()));
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      this.books.note(line);
      if (line.step === 'drained') till.isDrained = true;
    });
    await once(child.stdout, 'data');
    return Object.assign(till, { child });
  }

  #spawn({ outbox, orders }: Pick<Till, 'outbox' | 'orders'>): TillProcess {
    const seed = String(this.#random.between(1, 1e9));
    const args = [PROGRAM, this.#world.baseUrl, this.#world.secret, outbox, orders, seed, `till-${this.#tills.length}`];
    const child = spawn(process.execPath, args, { env: quickStart(process.env), stdio: ['pipe', 'pipe', 'pipe'] });
    const { pid } = child;
    watchProcess(pid!);
    child.once('exit', () => forgetProcess(pid!));
    return child;
  }
}

async function kill({ child }: Till): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

function limitFiles({ child }: Till, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`]);
}
