import { Piscina } from 'piscina';
import type { InlineRunner, Task, TaskResult } from '../calls/messages.ts';
import type { PoolState } from '../telemetry/exposition.ts';
import { createPulseMemory, PulseWatch } from './pulse.ts';
import type { WorkerData } from './worker-data.ts';

/** Calls one thread works on at once: while one waits for Redis, another is parsed (measured: 1 is the worst case). */
const TASKS_PER_WORKER = 8;

/** Calls that may wait for a thread. What waits longer than this queue is refused: it would miss its deadline anyway. */
const MAX_QUEUED_TASKS = 1024;

const CLOSE_TIMEOUT_MS = 5000;
const WATCH_MS = 250;

/** Threads that cannot be started are tried again after this long: at once would only heat the machine. */
const RETRY_MS = 2000;

/** The pool did not take the call: its queue is full, or its threads are not there. */
export class PoolUnavailable extends Error {}

/** What a pool works with, replaced as a whole on reload. */
export interface PoolWork {
  readonly workerData: Omit<WorkerData, 'pulse'>;
  /** Runs small calls here: handing them over costs more than pricing them. Those that turn out dear it leaves to threads. */
  readonly runInline: InlineRunner;
}

export interface PoolSize {
  readonly workers: number;
  /**
   * A body up to this size begins in this thread. What is larger goes to a worker at once, because reading it alone would
   * hold the event loop, and every other call with it.
   */
  readonly inlineBytes: number;
}

type Threads = Piscina<Task | 'ping', unknown>;

/**
 * The worker threads that price baskets and settle sales. A thread that dies is replaced by piscina, one that is stuck in
 * a loop is ended by us, and threads that fail while they start, which piscina gives up, are started anew after a pause.
 */
export class PricingPool {
  readonly #size: PoolSize;
  readonly #memory = createPulseMemory();
  readonly #onFault: (error: Error) => void;
  readonly #pulse: PulseWatch;
  readonly #watch: NodeJS.Timeout;
  #work: PoolWork;
  #threads: Threads;
  #isReady = false;
  #isClosing = false;
  /** Threads seen by the last look of the watch, and those of them that were told to end because they were stuck. */
  #seen: ReadonlySet<number> = new Set();
  readonly #stuck = new Set<number>();
  readonly #lost = { stuck: 0, ended: 0 };
  #handedOver = 0;

  constructor(size: PoolSize, work: PoolWork, onFault: (error: Error) => void) {
    this.#size = size;
    this.#work = work;
    this.#onFault = onFault;
    this.#pulse = new PulseWatch(this.#memory);
    this.#threads = this.#createThreads(this.#work);
    this.#watch = setInterval(() => this.#endStuckThreads(), WATCH_MS);
    this.#watch.unref();
  }

  /** True while every thread has loaded its code. */
  get isReady(): boolean {
    return this.#isReady && this.#threads.threads.length >= this.#size.workers;
  }

  /** Threads alive and wanted, calls that wait for one, how many threads were lost and how many baskets handed over. */
  get state(): PoolState {
    return {
      threads: this.#threads.threads.length,
      expected: this.#size.workers,
      queued: this.#threads.queueSize,
      lost: this.#lost,
      handedOver: this.#handedOver,
    };
  }

  /** Runs a call; one that is handed over loses its body. Throws `PoolUnavailable`, or what ended the thread. */
  async run(task: Task): Promise<TaskResult> {
    if (task.body.byteLength <= this.#size.inlineBytes) {
      const result = await this.#work.runInline(task);
      if (result !== 'too much work') return result;
      this.#handedOver += 1;
    }
    if (!this.#isReady) throw new PoolUnavailable('The worker threads are not ready.');
    if (this.#threads.queueSize >= MAX_QUEUED_TASKS) throw new PoolUnavailable('The worker queue is full.');
    return (await this.#threads.run(task, { transferList: [task.body] })) as TaskResult;
  }

  /** Waits until the threads have loaded their code. False when they failed to; they are then tried again by themselves. */
  async start(): Promise<boolean> {
    const threads = this.#threads;
    try {
      await this.#pingEach(threads);
      this.#isReady = true;
    } catch (error) {
      if (this.#isClosing) return false;
      this.#onFault(error as Error);
      setTimeout(() => void this.#startAnew(threads), RETRY_MS).unref();
    }
    return this.#isReady;
  }

  /**
   * Replaces the threads by ones with other data, e.g. another configuration. The new ones take over between two calls,
   * once all of them can work; the old ones finish what they have. Throws what kept the new ones from starting; the old
   * ones then stay.
   */
  async replace(work: PoolWork): Promise<void> {
    const threads = this.#createThreads(work);
    try {
      await this.#pingEach(threads);
    } catch (error) {
      await threads.destroy().catch(() => undefined);
      throw error;
    }
    const old = this.#threads;
    this.#seen = new Set();
    [this.#threads, this.#work, this.#isReady] = [threads, work, true];
    // Not awaited: a call that hangs may keep an old thread until the watch ends it.
    old.close().catch(this.#onFault);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#watch);
    await this.#threads.close();
  }

  async #startAnew(failed: Threads): Promise<void> {
    if (this.#isClosing || this.#threads !== failed) return;
    this.#isReady = false;
    this.#threads = this.#createThreads(this.#work);
    await failed.destroy().catch(() => undefined);
    await this.start();
  }

  /** Resolves once every thread has loaded its code; rejects with what kept one from it. */
  async #pingEach(threads: Threads): Promise<void> {
    await Promise.all(Array.from({ length: this.#size.workers }, () => threads.run('ping')));
  }

  #createThreads(work: PoolWork): Threads {
    const threads: Threads = new Piscina<Task | 'ping', unknown>({
      filename: new URL('../../workers/pricing.ts', import.meta.url).href,
      name: 'default',
      minThreads: this.#size.workers,
      maxThreads: this.#size.workers,
      // Threads never idle out: a first call after a quiet hour must not wait for a thread to start.
      idleTimeout: Number.POSITIVE_INFINITY,
      maxQueue: MAX_QUEUED_TASKS,
      concurrentTasksPerWorker: TASKS_PER_WORKER,
      // Atomics would park a thread between tasks, and its Redis connection with it.
      atomics: 'disabled',
      workerData: { ...work.workerData, pulse: this.#memory },
      recordTiming: false,
      workerHistogram: false,
      trackUnmanagedFds: false,
      closeTimeout: CLOSE_TIMEOUT_MS,
    });
    threads.on('error', (error: Error) => this.#onFault(error));
    return threads;
  }

  #endStuckThreads(): void {
    const nowMs = performance.now();
    const alive = new Set(this.#threads.threads.map(({ threadId }) => threadId));
    this.#countLost(alive);
    this.#pulse.forgetAllBut(alive);
    for (const thread of this.#threads.threads) {
      if (!this.#pulse.isStuck(thread.threadId, nowMs)) continue;
      this.#onFault(new Error(`Thread ${thread.threadId} was stuck and is replaced.`));
      this.#stuck.add(thread.threadId);
      void thread.terminate();
    }
    // Fewer threads than asked for means that piscina has given up: one of them failed while it started.
    if (this.#isReady && alive.size < this.#size.workers) {
      this.#isReady = false;
      const threads = this.#threads;
      setTimeout(() => void this.#startAnew(threads), RETRY_MS).unref();
    }
  }

  /** Threads that are gone although nobody closed them. Those that a reload replaces are not looked for. */
  #countLost(alive: ReadonlySet<number>): void {
    for (const threadId of this.#seen) {
      if (!alive.has(threadId)) this.#lost[this.#stuck.delete(threadId) ? 'stuck' : 'ended'] += 1;
    }
    this.#seen = alive;
  }
}
