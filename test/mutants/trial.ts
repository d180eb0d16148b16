import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CollectedTest, ownTest, vi } from './collected.ts';
import type { Trial, Verdicts } from './trials.ts';

/**
 * Runs the collected tests against one change after the other, in one process. The tests that take least come first, and the first one
 * that fails ends a change.
 */

/** What the sources ask of each change: which one is made, and which tests come past which. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> } | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

/** A busy machine is no endless test. */
const PATIENCE_MS = 10_000;

/** Some tests stop the clock. */
const { setTimeout: startTimer, clearTimeout: endTimer } = globalThis;

/** A change that a test comes past this often makes a loop endless. */
const MOST_PASSES = 5_000_000;

/** Of a change that nobody expects to be found only tests that take less are asked. */
const QUICK_MS = 50;

const switches: Switches = {};
Object.assign(globalThis, { __stryker__: switches });

const { root, files, mutants, judged, verdictPath } = JSON.parse(
  readFileSync(process.env['MUTANTS_TRIAL']!, 'utf8'),
) as Trial;
const verdicts = JSON.parse(readFileSync(verdictPath, 'utf8')) as Verdicts;

async function collectAll(): Promise<CollectedTest[]> {
  const { collectTests } = await import('./collected.ts');
  const tests: CollectedTest[] = [];
  for (const file of files) tests.push(...(await collectTests(join(root, file))));
  return tests;
}

/** The collected tests, what each comes past, and those of one change in the order of the time they take. */
class Tests {
  #all: CollectedTest[] = [];
  /** The modules were loaded with a change. */
  #isSpoilt = false;
  readonly #leftOut = new Set<number>();
  readonly #tookMs = new Map<number, number>();
  readonly #past = new Map<string, number[]>();
  /** Changes of what is run when a module is loaded. */
  readonly #whenLoaded = new Set<string>();

  /** Runs every test once without a change. */
  async begin(): Promise<void> {
    switches.mutantCoverage = { static: {}, perTest: {} };
    this.#all = await collectAll();
    for (const [at, { name, run }] of this.#all.entries()) {
      switches.currentTestId = `${at}`;
      const startMs = performance.now();
      const fault = await run().then(
        () => undefined,
        (error: Error) => error.message.split('\n')[0],
      );
      this.#tookMs.set(at, performance.now() - startMs);
      switches.currentTestId = undefined;
      if (fault !== undefined) {
        console.log(`left out, because it fails without any change: ${name}: ${fault}`);
        this.#leftOut.add(at);
        continue;
      }
      for (const id of Object.keys(switches.mutantCoverage.perTest[at] ?? {})) {
        this.#past.set(id, [...(this.#past.get(id) ?? []), at]);
      }
    }
    for (const id of Object.keys(switches.mutantCoverage.static)) this.#whenLoaded.add(id);
    const whole = [...this.#tookMs.values()].reduce((sum, ms) => sum + ms, 0);
    console.log(`${this.#all.length} tests take ${(whole / 1000).toFixed(1)} s`);
  }

  /** True when a test fails with the change. One of what is run when a module is loaded meets all tests, with all modules loaded anew. */
  async find(id: string): Promise<boolean> {
    const mostMs = judged.includes(id) ? QUICK_MS : Number.POSITIVE_INFINITY;
    const past = (this.#past.get(id) ?? []).filter((at) => this.#tookMs.get(at)! < mostMs);
    if (past.length > 0) {
      if (this.#isSpoilt) await this.#load(undefined);
      const first = await this.#failing(id, past);
      if (first !== undefined) {
        // A change may have left something behind: then it is made once more, with nothing of earlier ones.
        if (!(await this.#fails(first, undefined))) return true;
        await this.#load(undefined);
        return (await this.#failing(id, past)) !== undefined;
      }
    }
    return this.#whenLoaded.has(id) && (await this.#isFoundLoading(id, [...this.#all.keys()]));
  }

  async #isFoundLoading(id: string, order: readonly number[]): Promise<boolean> {
    this.#isSpoilt = true;
    try {
      await this.#load(id);
    } catch {
      return true;
    }
    return (await this.#failing(id, order)) !== undefined;
  }

  async #load(id: string | undefined): Promise<void> {
    vi.resetModules();
    switches.activeMutant = id;
    try {
      this.#all = await collectAll();
    } finally {
      switches.activeMutant = undefined;
    }
    this.#isSpoilt = id !== undefined;
  }

  async #failing(id: string, order: readonly number[]): Promise<number | undefined> {
    const sorted = order
      .filter((at) => !this.#leftOut.has(at))
      .sort((a, b) => this.#tookMs.get(a)! - this.#tookMs.get(b)!);
    for (const at of sorted) if (await this.#fails(at, id)) return at;
    return undefined;
  }

  async #fails(at: number, id: string | undefined): Promise<boolean> {
    // All tests of a room may take longer than one that never ends is waited for.
    utimesSync(verdictPath, new Date(), new Date());
    Object.assign(switches, { activeMutant: id, hitCount: 0, hitLimit: MOST_PASSES });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((_resolve, reject) => {
      timer = startTimer(() => reject(new Error('no end')), PATIENCE_MS + 20 * this.#tookMs.get(at)!);
    });
    try {
      await Promise.race([this.#all[at]!.run(), late]);
      return false;
    } catch {
      return true;
    } finally {
      endTimer(timer);
      Object.assign(switches, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    }
  }
}

ownTest('each change meets the tests that come past it', async () => {
  const tests = new Tests();
  await tests.begin();
  for (const id of mutants) {
    if (verdicts[id] !== undefined) continue;
    verdicts[id] = 'running';
    writeFileSync(verdictPath, JSON.stringify(verdicts));
    verdicts[id] = (await tests.find(id)) ? 'found' : 'survived';
  }
  writeFileSync(verdictPath, JSON.stringify(verdicts));
});
