import { Piscina } from 'piscina';
import type { ReplayTask, Task, TaskResult } from '../calls/messages.ts';
import type { Replayed } from '../calls/stored/stored-answer.ts';
import { PoolUnavailable } from '../contract/unavailable.ts';
import type { PoolState } from '../telemetry/exposition.ts';
import { monotonicMs } from '../telemetry/stopwatch.ts';
import { CODE_AT_START, CODE_CHANGED, hasCodeChanged } from './code-identity.ts';
import { createPulseMemory, PulseWatch } from './pulse.ts';
import { QueuePace } from './queue-pace.ts';
import type { WorkerData } from './worker-data.ts';

/**
 * Calls that one thread runs at once: while one waits for Redis, another is parsed (measured: 1 is the worst value).
 */
const TASKS_PER_WORKER = 8;

/** Calls that may wait for a thread, however fast the threads are. */
const MAX_QUEUED_TASKS = 1024;

const CLOSE_TIMEOUT_MS = 5000;
const WATCH_MS = 250;

/** Threads that failed to start are started again after this pause; an immediate retry would only burn CPU. */
const RETRY_MS = 2000;

/** What its threads start with, replaced as a whole on reload. */
export type PoolWork = Omit<WorkerData, 'pulse' | 'code'>;

type Threads = Piscina<Task | ReplayTask | 'ping', unknown>;

/**
 * The worker threads that price baskets and settle sales. Piscina replaces a thread that dies. We terminate a thread
 * that is stuck in a loop, and start the pool anew when threads fail while they start, because piscina then gives up.
 */
export class PricingPool {
  readonly #workers: number;
  readonly #memory = createPulseMemory();
  readonly #onFault: (error: Error) => void;
  readonly #pulse: PulseWatch;
  readonly #pace: QueuePace;
  readonly #watch: NodeJS.Timeout;
  #work: PoolWork;
  #threads: Threads;
  #isReady = false;
  /** True when threads are missing that would start with other code than this process runs. */
  #isCodeOther = false;
  #isClosing = false;
  /** Threads seen in the last pass of the watch; true: it was stuck and is being ended. */
  #seen = new Map<number, boolean>();
  readonly #lost = { stuck: 0, ended: 0 };
  #handedOver = 0;

  constructor(workers: number, work: PoolWork, onFault: (error: Error) => void) {
    this.#workers = workers;
    this.#work = work;
    this.#onFault = onFault;
    this.#pulse = new PulseWatch(this.#memory);
    this.#pace = new QueuePace(workers);
    this.#threads = this.#createThreads(this.#work);
    this.#watch = setInterval(() => this.#endStuckThreads(), WATCH_MS);
    this.#watch.unref();
  }

  /** True while every thread has loaded its code. */
  get isReady(): boolean {
    return this.#isReady && this.#threads.threads.length >= this.#workers;
  }

  /** The reason why the threads are not ready; undefined when they are. */
  get trouble(): string | undefined {
    if (this.isReady) return undefined;
    return this.#isCodeOther ? CODE_CHANGED : 'threads are not ready';
  }

  /** Threads alive and expected, calls that wait for a thread, threads lost, and baskets handed over. */
  get state(): PoolState {
    return {
      threads: this.#threads.threads.length,
      expected: this.#workers,
      queued: this.#threads.queueSize,
      lost: this.#lost,
      handedOver: this.#handedOver,
    };
  }

  /** Runs a call in a thread. It loses its body, which is transferred. Throws `PoolUnavailable`, or the error that ended the thread. */
  async run(task: Task): Promise<TaskResult> {
    if (task.opened) this.#handedOver += 1;
    this.#requireRoom();
    const left = task.deadlineMs - monotonicMs();
    if (!this.#pace.hasTime(left)) throw new PoolUnavailable('The worker queue is too slow.');
    const body = ownBytes(task.body);
    return this.#pace.observe(() => this.#inThread({ ...task, body }, [body.buffer]) as Promise<TaskResult>);
  }

  /** Renders a large stored answer again in a thread. The request is transferred. Throws as `run` does. */
  async replay(stored: Buffer, request: Uint8Array<ArrayBuffer>): Promise<Replayed> {
    this.#requireRoom();
    const task: ReplayTask = { stored: new Uint8Array(stored), request: ownBytes(request) };
    const transferList = [task.stored.buffer, task.request.buffer];
    return (await this.#inThread(task, transferList)) as Replayed;
  }

  /**
   * A call may be repeated if its thread was ended because another call was stuck in it. An error, or an
   * end that has another cause, may be the call's own, which another thread should not meet.
   */
  async #inThread(task: Task | ReplayTask, transferList: ArrayBuffer[]): Promise<unknown> {
    try {
      return await this.#threads.run(task, { transferList });
    } catch (error) {
      const isEnd = error instanceof Error && error.message.startsWith('worker exited with code');
      // A thread that was ended as stuck is among these until the next pass of the watch.
      if (!isEnd || ![...this.#seen.values()].includes(true)) throw error;
      throw new PoolUnavailable('The thread of the call was ended.', { cause: error });
    }
  }

  #requireRoom(): void {
    if (!this.#isReady) throw new PoolUnavailable('The worker threads are not ready.');
    if (this.#threads.queueSize >= MAX_QUEUED_TASKS) throw new PoolUnavailable('The worker queue is full.');
  }

  /**
   * Waits until the threads have loaded their code. Returns false when they failed; they are then started again after a
   * pause.
   */
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
   * Replaces the threads by threads with other work, e.g. another configuration. The new threads take over between two
   * calls, once all of them are ready; the old ones finish their calls. When a new thread fails to start, this throws
   * its error and the old threads stay.
   */
  async replace(work: PoolWork): Promise<void> {
    if (hasCodeChanged()) throw new Error(CODE_CHANGED);
    const threads = this.#createThreads(work);
    try {
      await this.#pingEach(threads);
    } catch (error) {
      await threads.destroy().catch(() => undefined);
      throw error;
    }
    const old = this.#threads;
    this.#seen = new Map();
    [this.#threads, this.#work, this.#isReady] = [threads, work, true];
    // Not awaited: a hanging call may keep an old thread, which piscina ends after `CLOSE_TIMEOUT_MS`.
    old.close().catch(this.#onFault);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#watch);
    await this.#threads.close();
  }

  async #startAnew(failed: Threads): Promise<void> {
    if (this.#isClosing || this.#threads !== failed) return;
    this.#isCodeOther = hasCodeChanged();
    if (this.#isCodeOther) {
      // The threads that are left go on, and the files may come back.
      setTimeout(() => void this.#startAnew(failed), RETRY_MS).unref();
      return;
    }
    this.#isReady = false;
    this.#threads = this.#createThreads(this.#work);
    await failed.destroy().catch(() => undefined);
    await this.start();
  }

  /** Resolves once every thread has loaded its code; rejects with the error of a thread that failed. */
  async #pingEach(threads: Threads): Promise<void> {
    await Promise.all(Array.from({ length: this.#workers }, () => threads.run('ping')));
  }

  #createThreads(work: PoolWork): Threads {
    const threads: Threads = new Piscina<Task | ReplayTask | 'ping', unknown>({
      filename: new URL('../../workers/pricing.ts', import.meta.url).href,
      name: 'default',
      minThreads: this.#workers,
      maxThreads: this.#workers,
      // Threads never idle out: the first call after a quiet hour must not wait for a thread to start.
      idleTimeout: Number.POSITIVE_INFINITY,
      maxQueue: MAX_QUEUED_TASKS,
      concurrentTasksPerWorker: TASKS_PER_WORKER,
      // Waiting with Atomics would block a thread between tasks, and its Redis connection too.
      atomics: 'disabled',
      workerData: { ...work, pulse: this.#memory, code: CODE_AT_START },
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
      this.#seen.set(thread.threadId, true);
      void thread.terminate();
    }
    // Fewer threads than expected mean that piscina has given up, because one failed while it started.
    if (this.#isReady && alive.size < this.#workers) {
      const threads = this.#threads;
      if (alive.size > 0 && hasCodeChanged()) {
        if (!this.#isCodeOther) this.#onFault(new Error(CODE_CHANGED));
        this.#isCodeOther = true;
        return;
      }
      this.#isReady = false;
      setTimeout(() => void this.#startAnew(threads), RETRY_MS).unref();
    }
  }

  /** Counts the threads that ended unexpectedly. Threads that a reload replaced are not counted. */
  #countLost(alive: ReadonlySet<number>): void {
    for (const [threadId, isStuck] of this.#seen) {
      if (!alive.has(threadId)) this.#lost[isStuck ? 'stuck' : 'ended'] += 1;
    }
    this.#seen = new Map([...alive].map((threadId) => [threadId, this.#seen.get(threadId) ?? false]));
  }
}

/** Bytes with memory of their own, which can be transferred. */
function ownBytes(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
}
