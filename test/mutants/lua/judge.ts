/**
 * Runs the tests of the store against each change of the Lua scripts, in one process. Each test file starts its Redis once; a
 * test runs only where it called a changed script, the quickest first, and those first that found earlier changes of the file.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../../scripts/setup/paths.mjs';
import { loadScripts, type Script } from '../../../src/redis/scripts.ts';
import { RedisServer } from '../../support/redis-server.ts';
import { type CollectedTest, closeAll, collectTests, ownTest } from '../collected.ts';
import { JUDGED } from '../judged.ts';
import { type FileResult, isJudged, keyOf, type Mutant, type Order } from '../mutant.ts';
import { called, changed } from './called.ts';
import { changesOf } from './mutate.ts';

interface Known {
  readonly test: CollectedTest;
  readonly scripts: ReadonlySet<string>;
  readonly ms: number;
  finds: number;
}

/** Tests of growth and of long waits: a change that survives the others is rarely one of theirs, and each takes seconds. */
const QUICK_MS = 2_000;
/** A busy machine is no endless test. */
const PATIENCE_MS = 10_000;
const LONG = /growth|race|pseudonyms|cost-keeper/;

const FOLDER = 'src/store/scripts';
const INCLUDE = /^--- @include "(.+)"$/gm;
const { orders, isNear } = JSON.parse(readFileSync(process.env['MUTANTS_ORDERS']!, 'utf8')) as {
  orders: Order[];
  isNear: boolean;
};
const scripts = loadScripts(new URL(`../../../${FOLDER}/`, import.meta.url));
const texts = new Map(globSync('*.lua', { cwd: join(root, FOLDER) }).map((name) => [name, readText(name)]));

ownTest('changes of the scripts', async () => {
  const tests: CollectedTest[] = [];
  for (const file of globSync('test/store/*.test.ts', { cwd: root }).sort()) {
    if (isNear && LONG.test(file)) continue;
    tests.push(...(await collectTests(join(root, file), true)));
  }
  const known = await learn(tests);
  console.log(`${known.length} tests call scripts`);
  for (const order of orders) {
    const mutants = await judgeFile(order, known);
    const { file, source, tests: asked, path } = order;
    writeFileSync(path, JSON.stringify({ file, source, tests: asked, mutants } satisfies FileResult));
  }
  await close();
});

/** Runs every test once, unchanged. */
async function learn(tests: readonly CollectedTest[]): Promise<Known[]> {
  const known: Known[] = [];
  for (const test of tests) {
    called.clear();
    const startMs = performance.now();
    const fault = await run(test, 60_000);
    if (fault !== undefined) {
      console.log(`left out, because it fails without any change: ${test.name}: ${fault}`);
      continue;
    }
    const entry = { test, scripts: new Set(called), ms: performance.now() - startMs, finds: 0 };
    if (called.size > 0 && (entry.ms < QUICK_MS || !isNear)) known.push(entry);
  }
  return known;
}

async function judgeFile(order: Order, all: readonly Known[]) {
  const name = order.file.slice(FOLDER.length + 1);
  const names = [...scripts.values()].filter((script) => isOf(script, name)).map((script) => script.name);
  const known = all.filter((entry) => names.some((script) => entry.scripts.has(script)));
  const earlier = new Set(order.earlier?.mutants.filter((mutant) => mutant.isFound).map(keyOf));
  const mutants: Mutant[] = [];
  let count = 0;
  const changes = changesOf(texts.get(name)!);
  for (const { source, ...change } of changes) {
    count += 1;
    const mutant: Mutant = { file: order.file, ...change, isFound: false };
    if (earlier.has(keyOf(mutant))) mutants.push({ ...mutant, isFound: true });
    else {
      changed.clear();
      for (const script of names) changed.set(script, changedScript(script, name, source));
      if (!(await isCompiled([...changed.values()][0]!.source))) continue;
      const tests = isJudged(mutant, JUDGED) ? known.filter(({ ms }) => ms < QUICK_MS) : known;
      mutants.push({ ...mutant, isFound: await isFound(tests) });
    }
    if (count % 25 === 0) console.log(`${name}: ${count} of ${changes.length}`);
  }
  const found = mutants.filter((mutant) => mutant.isFound).length;
  console.log(`${order.file}: ${mutants.length} mutants, ${found} found by ${known.length} tests`);
  return mutants;
}

async function isFound(known: readonly Known[]): Promise<boolean> {
  const byPromise = [...known].sort((a, b) => b.finds - a.finds || a.ms - b.ms);
  for (const entry of byPromise) {
    const fault = await run(entry.test, PATIENCE_MS + 10 * entry.ms);
    if (fault === undefined) continue;
    if (process.env['MUTANTS_SAY']) console.log(entry.test.name, fault);
    // What still runs must not meet the next change.
    if (fault === 'no end') await close();
    entry.finds += 1;
    if (entry.finds === 1) await runUnchanged(entry.test);
    return true;
  }
  return false;
}

/** A Redis that no test uses. */
let compiler: RedisServer | undefined;

/** What Redis does not compile is no change. */
async function isCompiled(source: string): Promise<boolean> {
  compiler ??= await RedisServer.launch();
  try {
    await compiler.client.script('LOAD', source);
    return true;
  } catch (error) {
    if (/compiling/.test((error as Error).message)) return false;
    throw error;
  }
}

/** Ends every Redis; each file starts its own again when it is needed. */
async function close(): Promise<void> {
  await closeAll();
  await compiler?.stop();
  compiler = undefined;
}

/** The first time that a test finds a change, it is shown that it passes right after it without the change. */
async function runUnchanged(test: CollectedTest): Promise<void> {
  const now = [...changed];
  changed.clear();
  const fault = await run(test, 60_000);
  if (fault !== undefined) throw new Error(`${test.name}, after a change was taken back: ${fault}`);
  for (const [name, script] of now) changed.set(name, script);
}

/** Undefined when the test passes, otherwise why not. */
async function run(test: CollectedTest, limitMs: number): Promise<string | undefined> {
  const ended = new AbortController();
  const late = sleep(limitMs, 'no end', { signal: ended.signal }).catch(() => undefined);
  try {
    return await Promise.race([test.run().then(() => undefined), late]);
  } catch (error) {
    return String((error as Error).message).split('\n')[0];
  } finally {
    ended.abort();
  }
}

function isOf({ name, keyCount }: Script, file: string): boolean {
  const own = `${name}-${keyCount ?? 'n'}.lua`;
  return own === file || texts.get(own)!.includes(`--- @include "${file.replace('.include.lua', '')}"`);
}

function changedScript(name: string, file: string, text: string): Script {
  const { keyCount } = scripts.get(name)!;
  const read = (other: string) => (other === file ? text : texts.get(other)!);
  const source = read(`${name}-${keyCount ?? 'n'}.lua`).replace(INCLUDE, (_line, include: string) =>
    read(`${include}.include.lua`).trimEnd(),
  );
  return { name, keyCount, source, sha: createHash('sha1').update(source).digest('hex') };
}

function readText(name: string): string {
  return readFileSync(join(root, FOLDER, name), 'utf8');
}
