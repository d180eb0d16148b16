/**
 * Stands in for vitest while sources are changed: the tests of a file are collected once, and each can then be run as often as there are
 * changes, in the same process.
 */

/** Vitest's own; a file that is its test itself is one of `ownTest`. */
export const { assert, expect, vi, test: ownTest } = globalThis as unknown as typeof import('vitest');

type Run = (...values: never[]) => unknown;

interface Scope {
  readonly names: readonly string[];
  readonly above: Scope | undefined;
  readonly before: Run[];
  readonly after: Run[];
  /** What is set up once for all tests, and stays: a Redis is not started for each test. */
  readonly first: Run[];
  readonly last: Run[];
  isOpen: boolean;
}

/** A test of a file, with everything that is to be run before and after it. */
export interface CollectedTest {
  readonly name: string;
  readonly run: () => Promise<void>;
}

let scope: Scope;
let ends: Run[] = [];
let collected: CollectedTest[] = [];
let isLasting = false;
const opened: Scope[] = [];

const scopeOf = (names: readonly string[], above?: Scope): Scope => ({
  ...{ names, above, before: [], after: [], first: [], last: [], isOpen: false },
});

/** Imports a test file and returns its tests. With `lasts`, what is set up for all tests of a file lasts until `closeAll`. */
export async function collectTests(file: string, lasts: boolean): Promise<CollectedTest[]> {
  isLasting = lasts;
  scope = scopeOf([file]);
  collected = [];
  await import(/* @vite-ignore */ file);
  return collected;
}

/** Takes down what was set up; a test sets it up again. What cannot be taken down any more is left. */
export async function closeAll(): Promise<void> {
  for (const own of opened.splice(0).reverse()) {
    own.isOpen = false;
    for (const run of own.last) await Promise.resolve(run()).catch(() => undefined);
  }
}

async function open(own: Scope): Promise<void> {
  if (own.isOpen) return;
  own.isOpen = true;
  opened.push(own);
  for (const run of own.first) await run();
}

function addTest(name: unknown, ...rest: unknown[]): void {
  const own = scope;
  const body = bodyOf(rest);
  if (body === undefined) return;
  collected.push({
    name: [...own.names, name].join(' > '),
    run: async () => {
      ends = [];
      try {
        for (const around of chainOf(own).reverse()) {
          await open(around);
          for (const run of around.before) await run();
        }
        await body(...([{}] as never[]));
      } finally {
        for (const run of ends) await run();
        for (const { after } of chainOf(own)) for (const run of after) await run();
      }
    },
  });
}

function addGroup(name: unknown, ...rest: unknown[]): void {
  const above = scope;
  scope = scopeOf([...above.names, String(name)], above);
  bodyOf(rest)?.();
  scope = above;
}

function chainOf(own: Scope): Scope[] {
  const chain: Scope[] = [];
  for (let at: Scope | undefined = own; at; at = at.above) chain.push(at);
  return chain;
}

function bodyOf(values: readonly unknown[]): Run | undefined {
  return values.find((value): value is Run => typeof value === 'function');
}

type Add = (name: unknown, ...rest: unknown[]) => void;

/** A row that is a list is a list of arguments. */
function perRow(add: Add) {
  return (rows: Iterable<unknown>) =>
    (name: unknown, ...rest: unknown[]): void => {
      const body = bodyOf(rest);
      for (const row of rows) {
        const values = (Array.isArray(row) ? row : [row]) as never[];
        add(name, () => body?.(...values));
      }
    };
}

function perValue(add: Add) {
  return (rows: Iterable<unknown>) =>
    (name: unknown, ...rest: unknown[]): void => {
      const body = bodyOf(rest);
      for (const row of rows) add(name, () => body?.(row as never));
    };
}

function withForms(add: Add): unknown {
  const own: Record<string, unknown> = { each: perRow(add), for: perValue(add) };
  const never: unknown = Object.assign(() => undefined, { each: () => () => undefined, for: () => () => undefined });
  const all: unknown = Object.assign((name: unknown, ...rest: unknown[]) => add(name, ...rest), own, {
    skip: never,
    skipIf: (isSkipped: unknown) => (isSkipped ? never : all),
    runIf: (isRun: unknown) => (isRun ? all : never),
  });
  return all;
}

export const it = withForms(addTest);
export const test = it;
export const describe = withForms(addGroup);

export const beforeEach = (run: Run): number => scope.before.push(run);
export const afterEach = (run: Run): number => scope.after.unshift(run);
// Tests of several files take turns, so what is set up for all tests of a file is set up for each, unless it lasts.
export const beforeAll = (run: Run): number => (isLasting ? scope.first : scope.before).push(run);
export const afterAll = (run: Run): number => (isLasting ? scope.last : scope.after).unshift(run);
export const onTestFinished = (run: Run): number => ends.push(run);
