import { PoolUnavailable } from '@loyalty/contract/unavailable';
import { Piscina } from 'piscina';
import type { PricingThreads } from '../calls/call.ts';
import type { PricedCall, PricingTask } from '../calls/pricing.ts';
import type { Replayed } from '../calls/stored/stored-answer.ts';
import { CODE_CHANGED, hasCodeChanged, OWN_BUILD } from '../telemetry/build.ts';
import { monotonicMs } from '../telemetry/stopwatch.ts';
import { IMPORTED } from './imported.ts';
import { QueuePace } from './queue-pace.ts';
import { RunningTasks } from './running-tasks.ts';
import type { NumberedTask, ThreadTask, WorkerData } from './thread.ts';
import { ThreadLosses } from './thread-losses.ts';

/** Calls that may wait for a thread, however fast the threads are. */
const MAX_QUEUED_TASKS = 1024;

const CLOSE_TIMEOUT_MS = 5000;
const WATCH_MS = 250;

/** Threads that failed to start are started again after this pause; an immediate retry would only burn CPU. */
const RETRY_MS = 2000;

/** What its threads start with, replaced as a whole on reload. */
export type PoolWork = Omit<WorkerData, 'build'>;

type Threads = Piscina<NumberedTask | 'ping', unknown>;

/**
 * `ready`: calls are taken, also while a thread is replaced or missing. `failed`: none is taken, and the threads are started anew after
 * a pause.
 */
type Phase = 'starting' | 'ready' | 'failed' | 'closed';

/**
 * The worker threads that price baskets which would hold the event loop. Piscina replaces a thread that dies. We end a thread
 * that is stuck in a loop, and start the pool anew when threads fail while they start, because piscina then gives up.
 */
export class PricingPool implements PricingThreads {
  readonly #workers: number;
  readonly #onFault: (error: Error) => void;
  readonly #pace: QueuePace;
  readonly #watch: NodeJS.Timeout;
  #work: PoolWork;
  #threads: Threads;
  #phase: Phase = 'starting';
  /** The instant from which threads that have failed are started anew. */
  #retryMs = 0;
  /** True when threads are missing that would start with other code than this process runs. */
  #isCodeOther = false;
  readonly #tasks = new RunningTasks();
  readonly #losses = new ThreadLosses();
  #handedOver = 0;

  constructor(workers: number, work: PoolWork, onFault: (error: Error) => void) {
    this.#workers = workers;
    this.#work = work;
    this.#onFault = onFault;
    this.#pace = new QueuePace(workers);
    this.#threads = this.#createThreads(this.#work);
    this.#watch = setInterval(() => this.#look(performance.now()), WATCH_MS);
    this.#watch.unref();
  }

  /** True while every thread has loaded its code. */
  get isReady(): boolean {
    return this.#phase === 'ready' && this.#threads.threads.length >= this.#workers;
  }

  /** The reason why the threads are not ready; undefined when they are. */
  get trouble(): string | undefined {
    if (this.isReady) return undefined;
    return this.#isCodeOther ? CODE_CHANGED : 'threads are not ready';
  }

  /** Threads alive and expected, calls that wait for one, threads lost, and baskets that were too much work for the event loop. */
  get state() {
    return {
      threads: this.#threads.threads.length,
      expected: this.#workers,
      queued: this.#threads.queueSize,
      lost: this.#losses.counts,
      handedOver: this.#handedOver,
    };
  }

  async price(task: PricingTask, deadlineMs: number): Promise<PricedCall | undefined> {
    if (task.configuration !== this.#work.environment.version) return undefined;
    this.#handedOver += 1;
    this.#requireRoom();
    if (!this.#pace.hasTime(deadlineMs - monotonicMs())) throw new PoolUnavailable('The worker queue is too slow.');
    const work = () => ({ ...task, body: task.body.slice() });
    const isMeant = () => task.configuration === this.#work.environment.version;
    const priced = await this.#pace.observe(() => this.#inThread(work, isMeant));
    if (priced === undefined) return undefined;
    const { rendered, stored, kept } = priced as PricedCall;
    return { rendered, stored: bufferOf(stored), kept: bufferOf(kept) };
  }

  async replay(stored: Buffer, request: Uint8Array<ArrayBuffer>): Promise<Replayed> {
    this.#requireRoom();
    const task = () => ({ stored: new Uint8Array(stored), request: request.slice() });
    return (await this.#inThread(task)) as Replayed;
  }

  /**
   * Work is pure, so that of a thread that has ended is done again once, by another one, if that has the same configuration:
   * `isMeant`. Otherwise undefined. An error is the work's own.
   */
  async #inThread(task: () => ThreadTask, isMeant = () => true, isAgain = false): Promise<unknown> {
    const { number, signal } = this.#tasks.begin();
    try {
      const own = { ...task(), number };
      return await this.#threads.run(own, { transferList: buffersOf(own), signal });
    } catch (error) {
      if (signal.aborted) throw new PoolUnavailable('The thread of the call was stuck.', { cause: error });
      if (isAgain || !isEndOfThread(error)) throw error;
    } finally {
      this.#tasks.end(number);
    }
    if (!isMeant()) return undefined;
    this.#requireRoom();
    return this.#inThread(task, isMeant, true);
  }

  #requireRoom(): void {
    if (this.#phase !== 'ready') throw new PoolUnavailable('The worker threads are not ready.');
    if (this.#threads.queueSize >= MAX_QUEUED_TASKS) throw new PoolUnavailable('The worker queue is full.');
  }

  /** Waits until the threads have loaded their code, or failed; they are then started again after a pause. */
  async start(): Promise<void> {
    const threads = this.#threads;
    try {
      await this.#pingEach(threads);
      if (this.#phase === 'starting') this.#phase = 'ready';
    } catch (error) {
      if (this.#phase === 'closed') return;
      this.#onFault(error as Error);
      if (this.#threads === threads) this.#fail(performance.now());
    }
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
    if (this.#phase === 'closed') {
      await threads.destroy().catch(() => undefined);
      return;
    }
    const old = this.#threads;
    this.#losses.forgetSeen();
    [this.#threads, this.#work, this.#phase] = [threads, work, 'ready'];
    // Not awaited: a hanging call may keep an old thread, which piscina ends after `CLOSE_TIMEOUT_MS`. It may also end one that still
    // works, whose basket is then priced in place.
    old.close().catch(this.#onFault);
  }

  async close(): Promise<void> {
    this.#phase = 'closed';
    clearInterval(this.#watch);
    await this.#threads.close();
  }

  #fail(nowMs: number): void {
    [this.#phase, this.#retryMs] = ['failed', nowMs + RETRY_MS];
  }

  async #startAnew(): Promise<void> {
    const failed = this.#threads;
    [this.#threads, this.#phase] = [this.#createThreads(this.#work), 'starting'];
    await failed.destroy().catch(() => undefined);
    await this.start();
  }

  /** Resolves once every thread has loaded its code; rejects with the error of a thread that failed. */
  async #pingEach(threads: Threads): Promise<void> {
    await Promise.all(Array.from({ length: this.#workers }, () => threads.run('ping')));
  }

  #createThreads(work: PoolWork): Threads {
    const threads: Threads = new Piscina<NumberedTask | 'ping', unknown>({
      ...IMPORTED,
      filename: new URL('../../workers/pricing.ts', import.meta.url).href,
      name: 'default',
      minThreads: this.#workers,
      maxThreads: this.#workers,
      // Threads never idle out: the first call after a quiet hour must not wait for a thread to start.
      idleTimeout: Number.POSITIVE_INFINITY,
      maxQueue: MAX_QUEUED_TASKS,
      // A task that can be ended has its thread to itself.
      concurrentTasksPerWorker: 1,
      // Waiting with Atomics would hide an error that comes after a task until the next one.
      atomics: 'disabled',
      workerData: { ...work, build: OWN_BUILD },
      recordTiming: false,
      workerHistogram: false,
      trackUnmanagedFds: false,
      closeTimeout: CLOSE_TIMEOUT_MS,
    });
    threads.on('error', (error: Error) => this.#onFault(error));
    threads.on('message', (number: number) => this.#tasks.noteBegun(number));
    return threads;
  }

  #look(nowMs: number): void {
    const alive = new Set(this.#threads.threads.map(({ threadId }) => threadId));
    this.#losses.look(alive);
    const stuck = this.#tasks.endStuck(nowMs);
    this.#losses.noteStuck(stuck);
    for (let told = 0; told < stuck; told += 1) this.#onFault(new Error('A thread was stuck and is replaced.'));
    // Fewer threads than expected mean that piscina has given up, because one failed while it started.
    if (this.#phase === 'ready' && alive.size < this.#workers) this.#goOnOrFail(alive.size > 0, nowMs);
    else if (this.#phase === 'failed' && nowMs >= this.#retryMs) this.#retry(nowMs);
  }

  /** Threads of other code are not started: those that are left go on. */
  #goOnOrFail(isAnyLeft: boolean, nowMs: number): void {
    if (!isAnyLeft || !hasCodeChanged()) {
      this.#fail(nowMs);
      return;
    }
    if (!this.#isCodeOther) this.#onFault(new Error(CODE_CHANGED));
    this.#isCodeOther = true;
  }

  #retry(nowMs: number): void {
    this.#isCodeOther = hasCodeChanged();
    // The files may come back.
    if (this.#isCodeOther) this.#fail(nowMs);
    else void this.#startAnew();
  }
}

/** The errors with which piscina ends the task of a thread that exits, is terminated, or has no memory left. Its own have nothing but their text. */
function isEndOfThread(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isOfPiscina = /^(?:worker exited with code|Terminating worker thread)/.test(error.message);
  return isOfPiscina || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** The memory of a task's bytes, which is moved into the thread. */
function buffersOf(task: ThreadTask): ArrayBuffer[] {
  return 'stored' in task ? [task.stored.buffer, task.request.buffer] : [task.body.buffer];
}

/** Bytes come from a thread as a plain array. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
