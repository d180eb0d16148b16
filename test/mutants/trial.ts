import { existsSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CollectedTest, ownTest, vi } from './collected.ts';
import type { Trial, Verdicts } from './trials.ts';

/**
 * Runs the collected tests against one change after the other, in one process. The tests that take least for what they have
 * found come first, and the first one that fails ends a change.
 */

/** What the sources ask of each change: which one is made, and which tests come past which. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> } | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

/** A busy machine is no endless test, nor are servers that a test asks. */
const PATIENCE_MS = 5_000;
const PATIENCE_SYSTEM_MS = 10_000;

/** Some tests stop the clock. */
const { setTimeout: startTimer, clearTimeout: endTimer } = globalThis;

/** A change that a test comes past this often makes a loop endless. */
const MOST_PASSES = 5_000_000;

/** With modules loaded anew, a test first starts what it needs: two services take long on a busy machine. */
const PATIENCE_ANEW_MS = 25_000;

/** Services are taken down and modules loaded anew. */
const PATIENCE_LOADING_MS = 120_000;

/** Of a change that nobody expects to be found only tests that take less are asked. */
const QUICK_MS = 50;

/** Of a system test, which takes seconds, nobody expects that it finds what all others do not. */
const MOST_SYSTEM_MS = 4_000;

const trialPath = process.env['MUTANTS_TRIAL']!;
const { root, files, isSystem, mutants, judged, verdictPath } = JSON.parse(readFileSync(trialPath, 'utf8')) as Trial;
const switches: Switches = {};
Object.assign(globalThis, { __stryker__: switches });
const verdicts = JSON.parse(readFileSync(verdictPath, 'utf8')) as Verdicts;

/** Makes a change or none, and says for which test. Processes that a test has started read it in a file (`switch.mjs`). */
function turn(activeMutant: string | undefined, currentTestId?: string): void {
  const limits = activeMutant === undefined ? [] : [0, MOST_PASSES];
  Object.assign(switches, { activeMutant, currentTestId, hitCount: limits[0], hitLimit: limits[1] });
  if (!isSystem) return;
  writeWhole(`${trialPath}.switch`, `${activeMutant ?? ''} ${currentTestId ?? ''}`);
}

/** What is known of the tests without any change. A process that goes on where another one stood still need not find it out again. */
interface Known {
  readonly tookMs: readonly (readonly [test: number, ms: number])[];
  readonly past: readonly (readonly [change: string, tests: number[]])[];
  readonly whenLoaded: readonly string[];
  readonly leftOut: readonly number[];
}

const knownPath = `${trialPath}.known`;

/** The file of verdicts shows until when this process may be silent. */
function keepQuiet(forMs: number): void {
  const until = new Date(Date.now() + forMs);
  utimesSync(verdictPath, until, until);
}

/** In one step, because others read it at any time. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.draft`, text);
  renameSync(`${path}.draft`, path);
}

/** Takes down what the collected tests have set up. */
let endAll = async (): Promise<void> => undefined;

async function collectAll(): Promise<CollectedTest[]> {
  const { collectTests, closeAll } = await import('./collected.ts');
  endAll = closeAll;
  const tests: CollectedTest[] = [];
  for (const file of files) tests.push(...(await collectTests(join(root, file), isSystem)));
  return tests;
}

/** The collected tests, what each comes past, and those of one change in the order of the time they take. */
class Tests {
  #all: CollectedTest[] = [];
  /** The modules were loaded with a change. */
  #isSpoilt = false;
  /** Tests that have not run since the modules were loaded anew. */
  #fresh = new Set<number>();
  readonly #leftOut = new Set<number>();
  readonly #tookMs = new Map<number, number>();
  /** Changes that each has found. */
  readonly #finds = new Map<number, number>();
  readonly #past = new Map<string, number[]>();
  /** Changes of what is run when a module is loaded. */
  readonly #whenLoaded = new Set<string>();

  /** Collects the tests, and learns what each comes past and how long it takes unless that is known. */
  async begin(): Promise<void> {
    if (!existsSync(knownPath)) return this.#learn();
    turn(undefined);
    this.#all = await collectAll();
    this.#fresh = new Set(this.#all.keys());
    const known = JSON.parse(readFileSync(knownPath, 'utf8')) as Known;
    for (const [at, ms] of known.tookMs) this.#tookMs.set(at, ms);
    for (const [id, tests] of known.past) this.#past.set(id, tests);
    for (const id of known.whenLoaded) this.#whenLoaded.add(id);
    for (const at of known.leftOut) this.#leftOut.add(at);
  }

  /** Runs every test without a change, and those that leave something behind twice, since they will be run again and again. */
  async #learn(): Promise<void> {
    switches.mutantCoverage = { static: {}, perTest: {} };
    const passedPath = `${trialPath}.passed`;
    if (isSystem) writeFileSync(passedPath, '');
    turn(undefined);
    this.#all = await collectAll();
    const { perTest } = switches.mutantCoverage;
    for (const id of Object.keys(switches.mutantCoverage.static)) this.#whenLoaded.add(id);
    for (const at of this.#all.keys()) await this.#meet(at, false);
    if (isSystem) for (const at of this.#all.keys()) if (!this.#leftOut.has(at)) await this.#meet(at, true);
    if (isSystem) {
      const lines = readFileSync(passedPath, 'utf8').split('\n').slice(0, -1);
      for (const [at, id] of lines.map((line) => line.split(' '))) perTest[at!] = { ...perTest[at!], [id!]: 1 };
    }
    for (const [at, ids] of Object.entries(perTest)) {
      if (this.#leftOut.has(Number(at))) continue;
      for (const id of Object.keys(ids)) this.#past.set(id, [...(this.#past.get(id) ?? []), Number(at)]);
    }
    const whole = [...this.#tookMs.values()].reduce((sum, ms) => sum + ms, 0);
    console.log(`${this.#all.length} tests take ${(whole / 1000).toFixed(1)} s`);
    const [tookMs, past] = [[...this.#tookMs], [...this.#past]];
    const known: Known = { tookMs, past, whenLoaded: [...this.#whenLoaded], leftOut: [...this.#leftOut] };
    writeWhole(knownPath, JSON.stringify(known));
  }

  /** Runs a test without a change; one that fails is left out, and a system test that takes long. */
  async #meet(at: number, isAgain: boolean): Promise<void> {
    const { run } = this.#all[at]!;
    turn(undefined, `${at}`);
    const startMs = performance.now();
    const fault = await run().then(
      () => undefined,
      (error: Error) => error.message.split('\n')[0],
    );
    const tookMs = performance.now() - startMs;
    this.#tookMs.set(at, tookMs);
    turn(undefined);
    const isLong = isAgain && tookMs > MOST_SYSTEM_MS;
    if (fault === undefined && !isLong) return;
    this.#leaveOut(at, `${isLong ? 'takes long' : 'fails without any change'}: ${fault ?? ''}`);
  }

  #leaveOut(at: number, why: string): void {
    console.log(`left out: ${this.#all[at]!.name}, which ${why}`);
    this.#leftOut.add(at);
  }

  /** True when a test fails with the change. One of what is run when a module is loaded meets all tests, with all modules loaded anew. */
  async find(id: string): Promise<boolean> {
    const mostMs = judged.includes(id) && !isSystem ? QUICK_MS : Number.POSITIVE_INFINITY;
    const past = (this.#past.get(id) ?? []).filter((at) => this.#tookMs.get(at)! < mostMs);
    if (past.length > 0 && this.#isSpoilt) await this.#load(undefined);
    for (;;) {
      const failing = await this.#failing(id, past);
      if (failing === undefined) break;
      if (!(await this.#fails(failing, undefined)) && (await this.#fails(failing, id))) {
        this.#finds.set(failing, (this.#finds.get(failing) ?? 0) + 1);
        return true;
      }
      // What was run before may fail a test too. It is no witness of this change if it passes with it from the beginning, and of no
      // change if it fails without one.
      if (await this.#failsAnew(failing, undefined)) this.#leaveOut(failing, 'fails again without any change');
      else if (await this.#failsAnew(failing, id)) return true;
      else past.splice(past.indexOf(failing), 1);
      await this.#load(undefined);
    }
    return this.#whenLoaded.has(id) && (await this.#isFoundLoading(id, [...this.#all.keys()]));
  }

  /** With nothing that an earlier run has left; `loaded` is a change that the modules are loaded with. */
  async #failsAnew(at: number, id: string | undefined, loaded?: string): Promise<boolean> {
    await this.#load(loaded);
    return this.#fails(at, id);
  }

  async #isFoundLoading(id: string, order: number[]): Promise<boolean> {
    this.#isSpoilt = true;
    try {
      await this.#load(id);
    } catch {
      return true;
    }
    for (;;) {
      const failing = await this.#failing(id, order);
      if (failing === undefined) return false;
      if (!(await this.#failsAnew(failing, undefined)) && (await this.#failsAnew(failing, id, id))) return true;
      order.splice(order.indexOf(failing), 1);
      await this.#load(id);
    }
  }

  async #load(id: string | undefined): Promise<void> {
    keepQuiet(PATIENCE_LOADING_MS);
    await endAll();
    vi.resetModules();
    turn(id);
    try {
      this.#all = await collectAll();
    } finally {
      turn(undefined);
    }
    this.#isSpoilt = id !== undefined;
    this.#fresh = new Set(this.#all.keys());
  }

  async #failing(id: string, order: readonly number[]): Promise<number | undefined> {
    const msPerFind = (at: number): number => this.#tookMs.get(at)! / (1 + (this.#finds.get(at) ?? 0));
    const sorted = order.filter((at) => !this.#leftOut.has(at)).sort((a, b) => msPerFind(a) - msPerFind(b));
    for (const at of sorted) if (await this.#fails(at, id)) return at;
    return undefined;
  }

  async #fails(at: number, id: string | undefined): Promise<boolean> {
    const isFresh = this.#fresh.delete(at);
    const patienceMs = isSystem ? (isFresh ? PATIENCE_ANEW_MS : PATIENCE_SYSTEM_MS) : PATIENCE_MS;
    const mostMs = patienceMs + 5 * this.#tookMs.get(at)!;
    keepQuiet(mostMs);
    turn(id);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((_resolve, reject) => {
      timer = startTimer(() => reject(new Error('no end')), mostMs);
    });
    try {
      await Promise.race([this.#all[at]!.run(), late]);
      return false;
    } catch {
      return true;
    } finally {
      endTimer(timer);
      turn(undefined);
    }
  }
}

ownTest('each change meets the tests that come past it', async () => {
  const tests = new Tests();
  await tests.begin();
  for (const id of mutants) {
    if (verdicts[id] !== undefined) continue;
    verdicts[id] = 'running';
    writeWhole(verdictPath, JSON.stringify(verdicts));
    verdicts[id] = (await tests.find(id)) ? 'found' : 'survived';
  }
  await endAll();
  writeWhole(verdictPath, JSON.stringify(verdicts));
});
