/**
 * Stands in for vitest while scripts are changed: the tests of a file are collected once, and each can then be run as often as
 * there are changes, in the same process and against the same Redis.
 */
type Step = () => unknown;

export interface CollectedTest {
  readonly name: string;
  readonly suite: Suite;
  /** Of the file and of the blocks around the test, outermost first. */
  readonly before: readonly Step[][];
  readonly run: Step;
}

export class Suite {
  readonly tests: CollectedTest[] = [];
  readonly steps = {
    beforeAll: [] as Step[],
    beforeEach: [] as Step[],
    afterEach: [] as Step[],
    afterAll: [] as Step[],
  };
  isOpen = false;

  async open(): Promise<void> {
    if (this.isOpen) return;
    this.isOpen = true;
    for (const step of this.steps.beforeAll) await step();
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const step of this.steps.afterAll) await step();
  }
}

let current = new Suite();
let before: Step[][] = [];

/** Imports a test file, which registers its tests below. */
export async function collect(load: () => Promise<unknown>): Promise<Suite> {
  current = new Suite();
  before = [[]];
  await load();
  return current;
}

/** Vitest's own; a file that is its test itself is one of `ownTest`. */
export const { expect, test: ownTest } = globalThis as unknown as typeof import('vitest');

export function test(name: string, run: Step): void {
  current.tests.push({ name, suite: current, before, run });
}

test.each =
  (table: readonly unknown[]) =>
  (name: string, run: (...row: unknown[]) => unknown): void => {
    for (const row of table) test(name, () => (Array.isArray(row) ? run(...row) : run(row)));
  };

export function describe(_name: string, register: () => void): void {
  const around = before;
  before = [...around, []];
  register();
  before = around;
}

export const beforeAll = (step: Step) => current.steps.beforeAll.push(step);
export const beforeEach = (step: Step) => before.at(-1)!.push(step);
export const afterEach = (step: Step) => current.steps.afterEach.push(step);
export const afterAll = (step: Step) => current.steps.afterAll.push(step);
